import { Button, Checkbox, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { lazyPart } from '../load-part.ts'
import { Anchor } from '../overlays/Anchor.tsx'
import type { Counts } from './counts.ts'
import classes from './filters.module.css'
import type { FilterDefinition } from './filters.ts'

const DateField = lazyPart(() => import('../dates/DateField.tsx'), 'DateField')

const focus = (field: HTMLInputElement | null): void => field?.focus()

interface FilterEditorProps {
  definition: FilterDefinition
  values: readonly string[]
  onChange: (values: string[]) => void
  /** The chip that it belongs to. */
  chip: HTMLElement
  onClose: () => void
  readCounts?: (name: string) => Counts | undefined
}

/** Editor of one filter, below its chip. */
export const FilterEditor = ({ definition, values, onChange, chip, onClose, readCounts }: FilterEditorProps) => (
  <Popover
    opened
    onChange={(opened) => !opened && onClose()}
    position="bottom-start"
    shadow="md"
    trapFocus
    returnFocus
    transitionProps={{ duration: 0 }}
    withinPortal
  >
    <Popover.Target>
      <Anchor element={chip} />
    </Popover.Target>
    <Popover.Dropdown p="xs">
      {definition.kind === 'words' ? (
        <Choices definition={definition} values={values} onChange={onChange} {...(readCounts && { readCounts })} />
      ) : (
        <TypedValue
          definition={definition}
          values={values}
          onChange={(wanted) => {
            onChange(wanted)
            onClose()
          }}
        />
      )}
    </Popover.Dropdown>
  </Popover>
)

type Words = Extract<FilterDefinition, { kind: 'words' }>

/** From this many values on, the list has a search field. */
const MANY = 12

/** Every value with its row count. */
const Choices = ({
  definition,
  values,
  onChange,
  readCounts,
}: Pick<FilterEditorProps, 'values' | 'onChange' | 'readCounts'> & { definition: Words }) => {
  const read = readCounts?.(definition.name)
  const counts = useQuery({ ...(read ?? { queryKey: ['no counts'] }), enabled: read !== undefined })
  const [words, setWords] = useState('')
  const { options, isSingle = false } = definition
  return (
    <Stack gap={6} className={classes.choices} role="group" aria-label={definition.label}>
      {options.length > MANY && (
        <TextInput
          size="xs"
          aria-label="Find"
          placeholder="Find"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {options.filter(has(words)).map(({ value, label }) => (
        <Checkbox
          key={value}
          size="xs"
          checked={values.includes(value)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? isSingle
                  ? [value]
                  : [...values, value]
                : values.filter((other) => other !== value),
            )
          }
          label={
            <>
              {label}
              {counts.data && (
                <Text component="span" size="xs" c="dimmed" className={classes.count}>
                  {counts.data[value] === null ? '10,000+' : (counts.data[value] ?? 0)}
                </Text>
              )}
            </>
          }
        />
      ))}
    </Stack>
  )
}

const has =
  (words: string) =>
  ({ label }: { label: string }): boolean =>
    label.toLowerCase().includes(words.trim().toLowerCase())

const TypedValue = ({
  definition,
  values,
  onChange,
}: Pick<FilterEditorProps, 'definition' | 'values' | 'onChange'>) => {
  const [text, setText] = useState(values.join(','))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (event.currentTarget.querySelector('[data-unreadable]')) return
    onChange(
      text
        .split(',')
        .map((value) => value.trim())
        .filter(Boolean),
    )
  }
  return (
    <form onSubmit={submit} className={classes.typed}>
      {definition.kind === 'day' ? (
        <Suspense>
          <DateField ref={focus} size="xs" label={definition.label} value={text} onChange={setText} />
        </Suspense>
      ) : (
        <TextInput
          size="xs"
          label={definition.label}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <Button type="submit" size="xs">
        Apply
      </Button>
    </form>
  )
}
