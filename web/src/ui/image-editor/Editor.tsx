import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { registerUnsaved } from '../dialogs/unsaved.ts'
import { describe, hidesSomething, inTheMiddle, KIND_NAMES, type Mark } from './drawing/marks.ts'
import { type EditedPicture, exportPicture, type Picture } from './drawing/picture.ts'
import classes from './image-editor.module.css'
import { onEditorKey } from './keys.ts'
import { Sidebar } from './Sidebar.tsx'
import { Stage } from './Stage.tsx'
import { type Tool, Tools } from './Tools.tsx'
import { useMarks } from './use-marks.ts'
import { useStage } from './use-stage.ts'

interface EditorProps {
  picture: Picture
  fileName: string
  onSave: (edited: EditedPicture) => Promise<void>
  onClose: () => void
}

export const Editor = ({ picture, fileName, onSave, onClose }: EditorProps) => {
  const marks = useMarks()
  const stage = useStage(picture)
  const [tool, setTool] = useState<Tool>('redaction')
  const [isReplacing, setReplacing] = useState(true)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const nextId = useRef(1)
  const hint = useId()

  const unsaved = useRef({ hasChanges: false, isSaving: false })
  unsaved.current = { hasChanges: marks.marks.length > 0, isSaving }
  useEffect(
    () =>
      registerUnsaved({
        hasChanges: () => unsaved.current.hasChanges,
        isSaving: () => unsaved.current.isSaving,
        discard: () => {
          unsaved.current.hasChanges = false
        },
        element: () => root.current,
      }),
    [],
  )

  const [typedId, setTypedId] = useState<number>()
  // Before the next key: it belongs to the words of the new text.
  useLayoutEffect(() => {
    if (typedId === undefined) return
    field.current?.focus()
    field.current?.select()
  }, [typedId])

  const create = (): Mark => {
    const kind = tool === 'select' ? 'redaction' : tool
    const id = nextId.current
    nextId.current += 1
    return { id, kind, x: 0, y: 0, width: 0, height: 0, text: kind === 'text' ? 'Text' : '' }
  }
  const add = (mark: Mark) => {
    marks.add(mark)
    setError(undefined)
    if (mark.kind === 'crop') setTool('select')
    if (mark.kind === 'text') setTypedId(mark.id)
  }
  const replaces = isReplacing || hidesSomething(marks.marks)
  const save = async () => {
    setSaving(true)
    setError(undefined)
    try {
      const blob = await exportPicture(picture, marks.marks)
      await onSave({ blob, replaces })
      unsaved.current.hasChanges = false
      onClose()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'The picture could not be saved. Try again.')
      setSaving(false)
    }
  }
  const { selected } = marks
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the canvas and buttons inside
    <div
      ref={root}
      className={classes.editor}
      onKeyDown={(event) =>
        onEditorKey(event, {
          picture,
          marks,
          stage,
          onTool: setTool,
          onAdd: () => tool !== 'select' && add(inTheMiddle(create(), stage.seen(), picture)),
        })
      }
    >
      <Tools tool={tool} onTool={setTool} marks={marks} stage={stage} disabled={isSaving} />
      <div className={classes.columns}>
        <Stage
          picture={picture}
          marks={marks}
          tool={tool}
          stage={stage}
          label={`${fileName}, ${picture.width} × ${picture.height} pixels`}
          describedBy={hint}
          create={create}
          onDrawn={add}
        />
        <Sidebar
          picture={picture}
          marks={marks}
          field={field}
          replaces={replaces}
          onReplace={setReplacing}
          error={error}
          isSaving={isSaving}
          onSave={() => void save()}
        />
      </div>
      <p id={hint} className={classes.hint}>
        {tool === 'select'
          ? 'Click a mark to select it. Arrow keys move it, with Shift they size it.'
          : `${tool === 'text' || tool === 'number' ? 'Click' : 'Drag over'} the picture, or press Enter, to add: ${KIND_NAMES[tool].toLowerCase()}. Arrow keys move the mark, with Shift they size it.`}
      </p>
      <div className="visually-hidden" role="status">
        {selected && `Selected: ${describe(selected, marks.marks)}`}
      </div>
    </div>
  )
}
