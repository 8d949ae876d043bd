import { Combobox, Textarea, type TextareaProps, useCombobox } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { matchingPeople, mentionOf, type Person, typedMention } from './mention-text.ts'

interface MentionTextareaProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
  /** Members who can be mentioned. */
  people: readonly Person[]
}

/** Markdown field. Typing @ suggests people: arrows select, Enter inserts, Escape closes. */
export const MentionTextarea = ({ value, onChange, people, ...props }: MentionTextareaProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [cursor, setCursor] = useState(0)
  /** Position of the @ whose suggestions were closed with Escape. */
  const [closedAt, setClosedAt] = useState<number>()
  const wantedCursor = useRef<number>(undefined)
  const mention = typedMention(value, cursor)
  const offered = mention && mention.at !== closedAt ? matchingPeople(people, mention.typed) : []
  const isOpen = offered.length > 0
  const combobox = useCombobox({ opened: isOpen, onDropdownClose: () => setClosedAt(mention?.at) })
  const names = offered.map(({ id }) => id).join()
  useLayoutEffect(() => {
    if (names) combobox.selectFirstOption()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the store changes on each render
  }, [names])
  useLayoutEffect(() => {
    if (wantedCursor.current === undefined) return
    field.current?.setSelectionRange(wantedCursor.current, wantedCursor.current)
    wantedCursor.current = undefined
  }, [value])

  const look = () => setCursor(field.current?.selectionStart ?? 0)
  const take = (id: string) => {
    const person = offered.find((candidate) => candidate.id === id)
    if (!person || !mention) return
    const written = mentionOf(person)
    onChange(value.slice(0, mention.at) + written + value.slice(cursor))
    wantedCursor.current = mention.at + written.length
    setCursor(wantedCursor.current)
    field.current?.focus()
  }
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={take}
      withinPortal={false}
      position="bottom-start"
      width={280}
      transitionProps={{ duration: 0 }}
    >
      <Combobox.Target withKeyboardNavigation={isOpen} autoComplete="off">
        <Textarea
          {...props}
          ref={field}
          value={value}
          aria-autocomplete="list"
          onChange={({ currentTarget }) => {
            setCursor(currentTarget.selectionStart)
            if (closedAt !== undefined && currentTarget.value[closedAt] !== '@') setClosedAt(undefined)
            onChange(currentTarget.value)
          }}
          onSelect={look}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options aria-label="People to mention">
          {offered.map(({ id, name }) => (
            <Combobox.Option key={id} value={id}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
      <div role="status" className="visually-hidden">
        {isOpen &&
          `${offered.length === 1 ? 'One person' : `${offered.length} people`} to mention, ${offered[0]?.name} first. Use arrows to choose, Enter to insert.`}
      </div>
    </Combobox>
  )
}
