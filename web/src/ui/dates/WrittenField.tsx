import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react'
import { flushSync } from 'react-dom'

export interface WrittenFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'rightSection'> {
  /** Empty, null or undefined: nothing. */
  value?: string | null
  onChange: (value: string) => void
  /**
   * Reports the value when the field is left, or with Enter, for a value that is saved by itself; otherwise also as
   * soon as it is complete.
   */
  savesEach?: boolean
  /** Called after a value was chosen instead of written. */
  onChosen?: () => void
  ref?: Ref<HTMLInputElement>
}

interface Writing {
  /** How the account reads the value. */
  write: (value: string) => string
  /** The value of a text that is complete as it is, or undefined. */
  readWhole: (text: string) => string | undefined
  /** The same for everything that is understood once the field is left. */
  read: (text: string) => string | undefined
  /** Shown if a text is not understood. */
  problem: string
  /** Counts values that were chosen instead of written: each replaces what is typed. */
  chosen?: number
  rightSection?: ReactNode
}

/**
 * A text field for a value that has another form than its text, such as a day. The text stays as it is typed until the
 * field is left. A text that is not understood is kept, marked, and sent by no form.
 */
export const WrittenField = ({
  value = null,
  onChange,
  savesEach = false,
  write,
  readWhole,
  read,
  problem,
  chosen = 0,
  error,
  onBlur,
  onKeyDown,
  ...props
}: WrittenFieldProps & Writing) => {
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const meantBy = (text: string, reader: (text: string) => string | undefined) =>
    text.trim() === '' ? '' : reader(text.trim().replace(/\s+/g, ' '))
  const isUnreadable = typed !== undefined && meantBy(typed, read) === undefined
  const [known, setKnown] = useState({ value, chosen })
  if (known.value !== value || known.chosen !== chosen) {
    setKnown({ value, chosen })
    // A value from elsewhere, such as a discarded draft.
    if (typed !== undefined && (known.chosen !== chosen || meantBy(typed, readWhole) !== (value ?? '')))
      setTyped(undefined)
  }
  const take = (): void => {
    if (typed === undefined) return
    setLeft(true)
    const meant = meantBy(typed, read)
    if (meant === undefined) return
    setTyped(undefined)
    if (meant !== (value ?? '')) onChange(meant)
  }
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...props}
      value={typed ?? (value ? write(value) : '')}
      error={isUnreadable && isLeft ? problem : error}
      {...(isUnreadable && { 'data-unreadable': problem })}
      onChange={({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        setTyped(currentTarget.value)
        setLeft(false)
        const meant = meantBy(currentTarget.value, readWhole)
        if (!savesEach && meant !== undefined && meant !== (value ?? '')) onChange(meant)
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        take()
        onBlur?.(event)
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        // A form that the key sends has the value by then.
        if (event.key === 'Enter') flushSync(take)
        onKeyDown?.(event)
      }}
    />
  )
}
