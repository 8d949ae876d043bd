import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import classes from './request.module.css'

type Field = HTMLInputElement | HTMLTextAreaElement

interface Completion {
  field: Field
  /** Where the name begins in the value. */
  from: number
  names: readonly string[]
  active: number
  /** Pixels in the window. */
  left: number
  top: number
}

const OPEN = /\{\{\s*([\w.-]*)$/
const MAX_SHOWN = 8

const isText = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

interface VariableCompletionProps {
  /** The form in whose text fields `{{` completes. */
  within: RefObject<HTMLElement | null>
  names: readonly string[]
}

/**
 * Completes `{{` in every text field of a form with the names of variables: arrows choose, Enter or Tab inserts, Escape
 * closes.
 */
export const VariableCompletion = ({ within, names }: VariableCompletionProps) => {
  const [open, setOpen] = useState<Completion>()
  const id = useId()
  const latest = useRef({ names, open })
  latest.current = { names, open }

  useEffect(() => {
    const form = within.current
    if (!form) return undefined
    const look = (event: Event) => {
      if (!isText(event.target)) return
      const field = event.target
      const at = field.selectionStart ?? 0
      const typed = OPEN.exec(field.value.slice(0, at))?.[1]
      const found =
        typed === undefined
          ? []
          : latest.current.names
              .filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
              .slice(0, MAX_SHOWN)
      if (typed === undefined || found.length === 0) return setOpen(undefined)
      const { left, bottom } = field.getBoundingClientRect()
      const { top } = field.getBoundingClientRect()
      // Below a line, and inside of a text of many.
      setOpen({
        field,
        from: at - typed.length,
        names: found,
        active: 0,
        left,
        top: field instanceof HTMLTextAreaElement ? top + 28 : bottom + 2,
      })
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = latest
      if (!current.open || event.target !== current.open.field || event.ctrlKey || event.metaKey || event.altKey) return
      const { open: shown } = current
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) setOpen({ ...shown, active: (shown.active + step + shown.names.length) % shown.names.length })
      else if (event.key === 'Enter' || event.key === 'Tab') insert(shown, shown.names[shown.active] ?? '')
      else if (event.key !== 'Escape') return
      if (step === 0) setOpen(undefined)
      event.preventDefault()
      event.stopPropagation()
    }
    const close = () => setOpen(undefined)
    form.addEventListener('input', look)
    // Before the field and the form: Enter would send the request.
    form.addEventListener('keydown', onKeyDown, { capture: true })
    form.addEventListener('focusout', close)
    return () => {
      form.removeEventListener('input', look)
      form.removeEventListener('keydown', onKeyDown, { capture: true })
      form.removeEventListener('focusout', close)
    }
  }, [within])

  const option = open && `${id}-${open.active}`
  useEffect(() => {
    if (!open || option === undefined) return undefined
    const { field } = open
    field.setAttribute('aria-controls', id)
    field.setAttribute('aria-activedescendant', option)
    return () => {
      field.removeAttribute('aria-controls')
      field.removeAttribute('aria-activedescendant')
    }
  }, [open, option, id])
  if (!open) return null
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Variables"
      className={classes.completion}
      style={{ left: open.left, top: open.top }}
    >
      {open.names.map((name, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys
        <li
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === open.active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            insert(open, name)
            setOpen(undefined)
          }}
        >
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Writes the name with its closing braces, so that the field's own handler sees it as typed. */
const insert = ({ field, from }: Completion, name: string): void => {
  const at = field.selectionStart ?? from
  const after = field.value.slice(at).replace(/^\s*\}\}/, '')
  const before = `${field.value.slice(0, from)}${name}}}`
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, before + after)
  field.setSelectionRange(before.length, before.length)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
