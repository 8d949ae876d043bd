import type { KeyboardEvent } from 'react'
import { moved, type Point, resized, type Size } from './drawing/marks.ts'
import { type Tool, TOOLS } from './Tools.tsx'
import type { Marks } from './use-marks.ts'
import type { StageSize } from './use-stage.ts'

/** Pixels of the page that an arrow key that is held moves a mark by; one press is one pixel of the picture. */
const STEP = 10

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

interface Editor {
  picture: Size
  marks: Marks
  stage: StageSize
  onTool: (tool: Tool) => void
  /** Adds a mark of the current tool. */
  onAdd: () => void
}

/** The keys of the editor, wherever in it the focus is, except in fields. */
export const onEditorKey = (event: KeyboardEvent, editor: Editor): void => {
  const target = event.target instanceof HTMLElement ? event.target : undefined
  if (event.defaultPrevented || target?.matches('input:not([type="radio"]), textarea')) return
  if (!run(event, editor, target)) return
  event.preventDefault()
  // The page behind the editor has keys, too.
  event.stopPropagation()
}

/** @returns true if the key means something here */
const run = (event: KeyboardEvent, editor: Editor, target: HTMLElement | undefined): boolean => {
  const { marks, stage } = editor
  const key = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (key === 'z' && !event.altKey) (event.shiftKey ? marks.redo : marks.undo)()
    else if (key === 'y' && !event.shiftKey) marks.redo()
    else return false
    return true
  }
  const isRadio = target?.matches('input') === true
  const direction = DIRECTIONS[event.key]
  // Alt with an arrow key goes back a page.
  if (event.altKey) return false
  if (direction) return !isRadio && nudge(event, editor, direction)
  if ((event.key === 'Delete' || event.key === 'Backspace') && marks.selected) {
    marks.remove(marks.selected.id)
    return true
  }
  if (event.key === '+' || event.key === '=' || event.key === '-') {
    stage.zoomBy(event.key === '-' ? -1 : 1)
    return true
  }
  // On a button, Enter presses it.
  if (event.key === 'Enter' && target?.matches('canvas')) {
    editor.onAdd()
    return true
  }
  const tool = TOOLS.find((one) => one.key.toLowerCase() === key)
  if (tool) editor.onTool(tool.tool)
  return tool !== undefined
}

/** Arrow keys move the selected mark, and size it with Shift. */
const nudge = (event: KeyboardEvent, { picture, marks, stage }: Editor, { x, y }: Point): boolean => {
  const { selected } = marks
  if (!selected) return false
  const step = event.repeat ? Math.max(1, Math.round(STEP / stage.scale)) : 1
  const by = { x: x * step, y: y * step }
  const change = event.shiftKey ? resized : moved
  marks.update(change(selected, by, picture), `${event.shiftKey ? 'size' : 'move'} ${selected.id}`)
  return true
}
