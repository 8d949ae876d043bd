import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'

interface FormElementProps {
  onSubmit: () => void
  /** While it is sent; its end is when the focus goes to what was refused. */
  loading: boolean
  formRef?: RefObject<HTMLFormElement | null>
  children: ReactNode
}

/**
 * A form whose errors are told beside its fields. Ctrl+Enter presses its button from anywhere in it, and a refusal moves the
 * focus to the first field that is wrong.
 */
export const FormElement = ({ onSubmit, loading, formRef, children }: FormElementProps) => {
  const own = useRef<HTMLFormElement>(null)
  const ref = formRef ?? own
  const sentFrom = useRef<Element | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog of this form is none of its own.
    event.stopPropagation()
    if (loading) return
    sentFrom.current = document.activeElement
    onSubmit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !ref.current?.contains(event.target as Node)) return
    event.preventDefault()
    const button = ref.current.querySelector<HTMLButtonElement>('button[type="submit"]')
    if (button && !button.disabled) ref.current.requestSubmit(button)
  }
  useEffect(() => {
    if (loading || !sentFrom.current) return
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // A button that is disabled while it loads loses the focus.
    const lost = document.activeElement === document.body ? (sentFrom.current as HTMLElement) : undefined
    ;(wrong ?? lost)?.focus()
    sentFrom.current = null
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its fields
    <form ref={ref} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      {children}
    </form>
  )
}
