import { useEffect, useRef } from 'react'
import { loadPart } from '../../ui/load-part.ts'
import type { OpenEditor } from '../../ui/text-editor/code-editor.ts'
import type { Placeholder } from '../../ui/text-editor/placeholder-completion.ts'
import classes from './text-editor.module.css'

interface MarkdownFieldProps {
  label: string
  value: string
  onChange: (text: string) => void
  /** Completed after `{{`. */
  placeholders?: readonly Placeholder[]
}

/** A text of a form as Markdown, without files. What it belongs to saves it. */
export const MarkdownField = ({ label, value, onChange, placeholders = [] }: MarkdownFieldProps) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenEditor>(undefined)
  const latest = useRef({ value, onChange, placeholders })
  latest.current = { value, onChange, placeholders }
  useEffect(() => {
    const { current } = host
    if (!current) return undefined
    let isClosed = false
    void loadPart(() => import('../../ui/text-editor/code-editor.ts')).then(({ openEditor }) => {
      if (isClosed) return
      const opened = openEditor(current, latest.current.value, {
        label,
        grows: true,
        onTyped: () => latest.current.onChange(opened.text()),
        onFiles: () => undefined,
        onSave: () => current.closest('form')?.requestSubmit(),
        onChooseFiles: () => undefined,
        find: () => Promise.resolve([]),
        fileAddress: () => '',
        placeholders: () => latest.current.placeholders,
      })
      editor.current = opened
    })
    return () => {
      isClosed = true
      editor.current?.close()
      editor.current = undefined
    }
  }, [label])
  useEffect(() => {
    if (editor.current && editor.current.text() !== value) editor.current.replaceAll(value)
  }, [value])
  return (
    <div>
      <span className={classes.fieldLabel} aria-hidden>
        {label}
      </span>
      <div ref={host} className={classes.field} />
    </div>
  )
}
