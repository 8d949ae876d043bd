import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { firstMissing, labelOf, Missing } from './missing.ts'

interface FormElementProps {
  onSubmit: () => void
  /** True during submission; when it ends, focus moves to the rejected field. */
  loading: boolean
  /** Nothing can be sent yet: an attempt says what is missing. A text replaces that reason. */
  barred?: boolean | string
  formRef?: RefObject<HTMLFormElement | null>
  children: ReactNode
}

/**
 * A form with errors at its fields. Ctrl+Enter submits from any field, and a rejection moves focus to the first invalid
 * field.
 */
export const FormElement = ({ onSubmit, loading, barred = false, formRef, children }: FormElementProps) => {
  const own = useRef<HTMLFormElement>(null)
  const ref = formRef ?? own
  const sentFrom = useRef<Element | null>(null)
  const isTouched = useRef(false)
  const [missing, setMissing] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a nested dialog is separate, although React events bubble to this one.
    event.stopPropagation()
    if (loading) return
    if (barred !== false) {
      const field = typeof barred === 'string' ? undefined : firstMissing(ref.current, isTouched.current)
      setMissing(
        typeof barred === 'string' ? barred : field ? `“${labelOf(field)}” is missing.` : 'Nothing to save yet.',
      )
      field?.focus()
      return
    }
    const unreadable = ref.current?.querySelector<HTMLElement>('[data-unreadable]')
    if (unreadable) {
      // The field says why.
      unreadable.focus()
      return
    }
    sentFrom.current = document.activeElement
    onSubmit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !ref.current?.contains(event.target as Node))
      return
    event.preventDefault()
    const button = ref.current.querySelector<HTMLButtonElement>('button[type="submit"]')
    if (button && !button.disabled) ref.current.requestSubmit(button)
  }
  useEffect(() => {
    if (loading || !sentFrom.current) return
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // A button that is disabled during loading loses focus.
    const lost = document.activeElement === document.body ? (sentFrom.current as HTMLElement) : undefined
    ;(wrong ?? lost)?.focus()
    sentFrom.current = null
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its fields
    <form
      ref={ref}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onInput={() => {
        isTouched.current = true
        setMissing(undefined)
      }}
      noValidate
    >
      <Missing value={barred === false ? undefined : missing}>{children}</Missing>
    </form>
  )
}
