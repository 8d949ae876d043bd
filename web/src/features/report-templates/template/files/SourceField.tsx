import { useEffect, useRef } from 'react'
import { loadPart } from '../../../../ui/load-part.ts'
import type { MarkedLine, OpenSource } from '../../../../ui/text-editor/source-editor.ts'
import classes from '../../report-templates.module.css'
import type { TemplateProblem } from '../../template-words.tsx'

interface SourceFieldProps {
  label: string
  value: string
  isReadOnly: boolean
  onChange: (text: string) => void
  problems: readonly TemplateProblem[]
  /** Line to show. */
  line: { number: number; at: number } | undefined
}

const markedOf = (problems: readonly TemplateProblem[]): MarkedLine[] =>
  problems.flatMap(({ line, level, message }) => (line === null ? [] : [{ line, level, message }]))

/** Typst code with the lines that a check found problems in. */
export const SourceField = ({ label, value, isReadOnly, onChange, problems, line }: SourceFieldProps) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenSource>(undefined)
  const latest = useRef({ value, onChange, problems, line })
  latest.current = { value, onChange, problems, line }
  useEffect(() => {
    const { current } = host
    if (!current) return undefined
    let isClosed = false
    void loadPart(() => import('../../../../ui/text-editor/source-editor.ts')).then(({ openSource }) => {
      if (isClosed) return
      const opened = openSource(current, latest.current.value, {
        label,
        isReadOnly,
        onTyped: (text) => latest.current.onChange(text),
        onSave: () => current.closest('form')?.requestSubmit(),
      })
      opened.mark(markedOf(latest.current.problems))
      if (latest.current.line) opened.goTo(latest.current.line.number)
      editor.current = opened
    })
    return () => {
      isClosed = true
      editor.current?.close()
      editor.current = undefined
    }
  }, [label, isReadOnly])
  useEffect(() => {
    if (editor.current && editor.current.text() !== value) editor.current.replaceAll(value)
  }, [value])
  useEffect(() => editor.current?.mark(markedOf(problems)), [problems])
  useEffect(() => {
    if (line) editor.current?.goTo(line.number)
  }, [line])
  return <div ref={host} className={classes.source} />
}
