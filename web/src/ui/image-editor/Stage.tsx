import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { boundsOf } from './drawing/draw.ts'
import { handlesOf, type Mark, type MarkKind, moved, type Point, type Rect, spanned } from './drawing/marks.ts'
import { paint } from './drawing/paint.ts'
import type { Picture } from './drawing/picture.ts'
import classes from './image-editor.module.css'
import type { Marks } from './use-marks.ts'
import type { StageSize } from './use-stage.ts'

interface StageProps {
  picture: Picture
  marks: Marks
  tool: MarkKind | 'select'
  stage: StageSize
  label: string
  describedBy: string
  /** A mark of the current tool, without a size. */
  create: () => Mark
  onDrawn: (mark: Mark) => void
}

/** What the pointer does until it is released. */
type Drag =
  | { type: 'draw'; mark: Mark; from: Point }
  | { type: 'span'; mark: Mark; anchor: Point; isStart: boolean }
  | { type: 'move'; mark: Mark; from: Point }
  | { type: 'pan'; x: number; y: number }

/** In pixels of the page. */
const REACH = 9
const REACH_OF_FINGER = 24
const LEAST = 4

/** The picture with its marks; the pointer draws, moves and sizes them. */
export const Stage = ({ picture, marks, tool, stage, label, describedBy, create, onDrawn }: StageProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drag = useRef<Drag>(undefined)
  const [draft, setDraft] = useState<Mark>()
  const { scale, frame } = stage
  const { selected } = marks
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  useLayoutEffect(() => {
    if (!canvas.current) return
    const shown = marks.marks.some(({ id }) => id === draft?.id)
      ? marks.marks.map((mark) => (mark.id === draft?.id ? draft : mark))
      : [...marks.marks, ...(draft ? [draft] : [])]
    paint(canvas.current, picture, shown, { selected: draft ?? selected, width, height })
  }, [picture, marks.marks, selected, draft, width, height])

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = canvas.current?.getBoundingClientRect()
    return { x: (clientX - (box?.left ?? 0)) / scale, y: (clientY - (box?.top ?? 0)) / scale }
  }
  const hit = (at: Point): Mark | undefined => {
    const context = canvas.current?.getContext('2d')
    if (!context) return undefined
    return marks.marks.findLast((mark) => mark.kind !== 'crop' && isWithin(at, boundsOf(context, mark, picture)))
  }
  const start = (event: PointerEvent): Drag | undefined => {
    const at = pointOf(event)
    const reach = (event.pointerType === 'mouse' ? REACH : REACH_OF_FINGER) / scale
    const handle = selected && handlesOf(selected).find(({ at: { x, y } }) => Math.hypot(x - at.x, y - at.y) <= reach)
    if (selected && handle) return { type: 'span', mark: selected, ...handle }
    if (tool !== 'select') return { type: 'draw', mark: create(), from: at }
    const mark = hit(at)
    marks.select(mark?.id)
    if (mark) return { type: 'move', mark, from: at }
    return { type: 'pan', x: event.clientX, y: event.clientY }
  }
  const onMove = (event: PointerEvent) => {
    const now = drag.current
    if (!now) return
    const to = pointOf(event)
    if (now.type === 'pan') {
      frame.current?.scrollBy(now.x - event.clientX, now.y - event.clientY)
      drag.current = { ...now, x: event.clientX, y: event.clientY }
    } else if (now.type === 'move') {
      setDraft(moved(now.mark, { x: to.x - now.from.x, y: to.y - now.from.y }, picture))
    } else if (now.type === 'span') {
      const [from, end] = now.mark.kind === 'arrow' && now.isStart ? [to, now.anchor] : [now.anchor, to]
      setDraft(spanned(now.mark, from, end, picture))
    } else setDraft(spanned(now.mark, isPoint(now.mark) ? to : now.from, to, picture))
  }
  const onEnd = (event: PointerEvent) => {
    const now = drag.current
    drag.current = undefined
    setDraft(undefined)
    if (!now || now.type === 'pan') return
    if (now.type !== 'draw') {
      if (draft) marks.update(draft)
      return
    }
    const mark = draft ?? spanned(now.mark, now.from, now.from, picture)
    const isTooSmall = Math.hypot(mark.width, mark.height) * scale < LEAST
    // A click without a drag selects what is there.
    if (isTooSmall && !isPoint(mark)) marks.select(hit(pointOf(event))?.id)
    else onDrawn(mark)
  }

  return (
    <div ref={frame} className={classes.frame}>
      <canvas
        ref={canvas}
        className={classes.canvas}
        style={{ width, height }}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- the keys of the editor work here
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        data-tool={tool}
        data-autofocus
        tabIndex={0}
        onPointerDown={(event) => {
          if (event.button !== 0 || drag.current) return
          drag.current = start(event)
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onMove}
        onPointerUp={onEnd}
        onPointerCancel={() => {
          drag.current = undefined
          setDraft(undefined)
        }}
      />
    </div>
  )
}

const isPoint = ({ kind }: Mark): boolean => kind === 'number' || kind === 'text'

const isWithin = (at: Point, { x, y, width, height }: Rect): boolean =>
  at.x >= x && at.y >= y && at.x <= x + width && at.y <= y + height
