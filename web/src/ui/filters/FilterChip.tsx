import { Button, Checkbox, CloseButton, Popover, Stack, Text, TextInput } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import classes from './filters.module.css'
import type { FilterDefinition } from './filters.ts'

/** Reads row counts by value; null if there are too many to count. */
// oxlint-disable-next-line typescript/no-explicit-any -- keys differ by list, and no code here reads them
export type Counts = UseQueryOptions<any, Error, Readonly<Record<string, number | null>> | null, any>

interface FilterChipProps {
  definition: FilterDefinition
  values: readonly string[]
  onChange: (values: string[]) => void
  isOpened: boolean
  onToggle: (isOpened: boolean) => void
  readCounts?: (name: string) => Counts | undefined
}

/** One filter: its value, an editor, and a button to remove it. */
export const FilterChip = ({ definition, values, onChange, isOpened, onToggle, readCounts }: FilterChipProps) => (
  <span className={classes.chip}>
    <Popover
      opened={isOpened}
      onChange={onToggle}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      withinPortal
    >
      <Popover.Target>
        <button type="button" className={classes.chipButton} onClick={() => onToggle(!isOpened)}>
          <span className={classes.chipName}>{definition.label}:</span> {describe(definition, values)}
        </button>
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
              onToggle(false)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
    <CloseButton
      size="xs"
      aria-label={`Remove the filter ${definition.label}`}
      onClick={() => {
        onToggle(false)
        onChange([])
      }}
    />
  </span>
)

const describe = (definition: FilterDefinition, values: readonly string[]): string => {
  if (values.length === 0) return 'any'
  if (definition.kind === 'flag') return 'yes'
  if (definition.kind !== 'words') return values.join(', ')
  return values.map((value) => definition.options.find((option) => option.value === value)?.label ?? value).join(', ')
}

type Words = Extract<FilterDefinition, { kind: 'words' }>

/** From this many values on, the list has a search field. */
const MANY = 12

/** Every value with its row count. */
const Choices = ({
  definition,
  values,
  onChange,
  readCounts,
}: Pick<FilterChipProps, 'values' | 'onChange' | 'readCounts'> & { definition: Words }) => {
  const read = readCounts?.(definition.name)
  const counts = useQuery({ ...(read ?? { queryKey: ['no counts'] }), enabled: read !== undefined })
  const [words, setWords] = useState('')
  const { options } = definition
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
            onChange(event.currentTarget.checked ? [...values, value] : values.filter((other) => other !== value))
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

const TypedValue = ({ definition, values, onChange }: Pick<FilterChipProps, 'definition' | 'values' | 'onChange'>) => {
  const [text, setText] = useState(values.join(','))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(
      text
        .split(',')
        .map((value) => value.trim())
        .filter(Boolean),
    )
  }
  return (
    <form onSubmit={submit} className={classes.typed}>
      <TextInput
        size="xs"
        type={definition.kind === 'day' ? 'date' : 'text'}
        label={definition.label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" size="xs">
        Apply
      </Button>
    </form>
  )
}
