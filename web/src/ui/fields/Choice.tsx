import { Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

interface Option<V extends string> {
  value: V
  label: string
}

interface Group<V extends string> {
  group: string
  items: Option<V>[]
}

export interface ChoiceProps<V extends string> extends Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchable' | 'clearable'
> {
  data: readonly (Option<V> | Group<V>)[]
  value?: string
  onChange?: (value: V) => void
  /** Takes the focus and opens its list when it appears, such as in a cell that was pressed. */
  opensAtOnce?: boolean
}

/**
 * A value from a short list, instead of the browser's own select. Arrow keys, Space and Enter open the list; a letter
 * chooses the next value that begins with it.
 */
export const Choice = <V extends string>({ data, value, onChange, opensAtOnce = false, ...props }: ChoiceProps<V>) => {
  const [isOpened, setOpened] = useState(false)
  // A page with many of them has only the lists of those that were used.
  const [hasList, setHasList] = useState(false)
  const [, setListed] = useState(false)
  const typed = useRef({ text: '', at: 0 })
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!opensAtOnce) return
    input.current?.focus()
    input.current?.click()
  }, [opensAtOnce])
  // Mantine learns the id of the list without a render: without another one, the opened field has
  // `aria-expanded="false"`.
  useEffect(() => {
    const timer = setTimeout(() => setListed(isOpened))
    return () => clearTimeout(timer)
  }, [isOpened])
  const chooseByLetter = (event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey || props.disabled)
      return
    const { text, at } = typed.current
    const isContinued = event.timeStamp - at < TYPING_MS && text !== event.key
    typed.current = { text: isContinued ? text + event.key : event.key, at: event.timeStamp }
    const next = nextWith(
      data.flatMap((part) => ('items' in part ? part.items : part)),
      value,
      typed.current.text,
    )
    if (!next) return
    event.preventDefault()
    setOpened(false)
    if (next.value !== value) onChange?.(next.value)
  }
  return (
    <Select
      ref={input}
      {...props}
      data={data as SelectProps['data'] & {}}
      value={value ?? null}
      onChange={(chosen) => chosen !== null && onChange?.(chosen as V)}
      dropdownOpened={isOpened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      maxDropdownHeight={320}
      comboboxProps={{ transitionProps: { duration: 0 }, keepMounted: hasList, ...props.comboboxProps }}
      onFocus={(event) => {
        props.onFocus?.(event)
        setHasList(true)
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event)
        chooseByLetter(event)
      }}
    />
  )
}

/** Letters typed in a shorter time belong together, as in the browser's own select. */
const TYPING_MS = 1_000

/**
 * The next option whose label begins with the text; after the last one, the first. Further letters may leave the chosen
 * one.
 */
const nextWith = <V extends string>(
  options: readonly Option<V>[],
  chosen: string | undefined,
  text: string,
): Option<V> | undefined => {
  const at = options.findIndex(({ value }) => value === chosen) - (text.length > 1 ? 1 : 0)
  return [...options.slice(at + 1), ...options.slice(0, at + 1)].find(({ label }) =>
    label.trimStart().toLowerCase().startsWith(text.toLowerCase()),
  )
}
