import { Button, CloseButton, Menu, TextInput } from '@mantine/core'
import { type FormEvent, useContext, useRef, useState } from 'react'
import { useShortcuts } from '../commands/commands.ts'
import { DropdownMenu } from '../dialogs/DropdownMenu.tsx'
import { IconFilter, IconPlus } from '../icons.tsx'
import { FilterError } from './filter-error.ts'
import { type Counts, FilterChip } from './FilterChip.tsx'
import classes from './filters.module.css'
import {
  type FilterDefinition,
  type FilterValues,
  formatFilters,
  parseFilters,
  valuesOf,
  withValues,
} from './filters.ts'

interface FilterBarProps {
  definitions: readonly FilterDefinition[]
  values: FilterValues
  onChange: (values: FilterValues) => void
  /** Counts the rows for each value of a filter; for `words` filters with counts. */
  readCounts?: (name: string) => Counts | undefined
}

/** Filters as chips, and as a line of text for keyboard users: `port:443 status:open`. */
export const FilterBar = ({ definitions, values, onChange, readCounts }: FilterBarProps) => {
  const text = formatFilters(values, definitions)
  const [draft, setDraft] = useState<string>()
  const [opened, setOpened] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useShortcuts([
    {
      id: 'filter',
      label: 'Filter the list',
      group: 'This page',
      icon: IconFilter,
      shortcut: '/',
      run: () => input.current?.focus(),
    },
  ])
  const apply = () => {
    if (draft !== undefined && draft.trim() !== text) onChange(parseFilters(draft, definitions))
    setDraft(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  const shown = definitions.filter(({ name }) => values[name] !== undefined || name === opened)
  return (
    <div className={classes.bar}>
      <form onSubmit={submit} className={classes.form} role="search">
        <TextInput
          ref={input}
          size="xs"
          aria-label="Filter"
          error={useContext(FilterError)}
          placeholder={`Filter by text or ${definitions[0]?.name ?? 'name'}:value`}
          leftSection={<IconFilter size={14} aria-hidden />}
          rightSection={text && <CloseButton size="xs" aria-label="Clear all filters" onClick={() => onChange({})} />}
          value={draft ?? text}
          maxLength={2_000}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={apply}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              setDraft(undefined)
              event.currentTarget.blur()
            }
          }}
          spellCheck={false}
          autoComplete="off"
        />
      </form>
      {shown.map((definition) => (
        <FilterChip
          key={definition.name}
          definition={definition}
          values={valuesOf(values, definition.name)}
          onChange={(wanted) => onChange(withValues(values, definition.name, wanted))}
          isOpened={opened === definition.name}
          onToggle={(isOpen) => setOpened(isOpen ? definition.name : undefined)}
          {...(readCounts && definition.kind === 'words' && { readCounts })}
        />
      ))}
      {shown.length < definitions.length && (
        <DropdownMenu
          position="bottom-start"
          target={
            <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />}>
              Filter
            </Button>
          }
        >
          {definitions
            .filter((definition) => !shown.includes(definition))
            .map((definition) => (
              <Menu.Item
                key={definition.name}
                onClick={() =>
                  definition.kind === 'flag'
                    ? onChange(withValues(values, definition.name, ['true']))
                    : setOpened(definition.name)
                }
              >
                {definition.label}
              </Menu.Item>
            ))}
        </DropdownMenu>
      )}
    </div>
  )
}
