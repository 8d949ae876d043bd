import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { type FormEvent, type RefObject, useContext, useId, useLayoutEffect, useRef, useState } from 'react'
import { useShortcuts } from '../commands/commands.ts'
import { IconFilter } from '../icons.tsx'
import { FilterError } from './filter-error.ts'
import { FILTER_COMMANDS, type FilterFieldProps, type Meanwhile, NOTHING_DONE, placeholderOf } from './filter-field.ts'
import classes from './filters.module.css'
import { type FilterDefinition, type FilterValues, mistakeIn, parseFilters, valuesOf, withValues } from './filters.ts'
import { splitLast, type Suggestion, suggestionsFor } from './suggestions.ts'

interface CompletedFieldProps extends FilterFieldProps {
  meanwhile: RefObject<Meanwhile>
}

/**
 * Free text, and filters as they are typed or pasted: `port:443 status:open`. Names and values are completed; what is
 * applied becomes a chip and leaves the field. A value that does not exist is explained below the field, and nothing is
 * applied.
 */
export const CompletedField = ({ definitions, values, onChange, meanwhile }: CompletedFieldProps) => {
  const [draft, setDraft] = useState(() => meanwhile.current.typed || undefined)
  const [mistake, setMistake] = useState(() => meanwhile.current.mistake)
  const refused = useContext(FilterError)
  const input = useRef<HTMLInputElement>(null)
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() })
  const listId = useId()
  // Known before the list opens: the field names it as soon as it is shown.
  useLayoutEffect(() => list.setListId(listId), [list, listId])
  const text = draft ?? values['q'] ?? ''
  const suggestions = suggestionsFor(text, definitions, (name) => valuesOf(values, name))
  const focus = () => input.current?.focus()
  useLayoutEffect(() => {
    const { typed, isOpened, mistake: submitted } = meanwhile.current
    if (isOpened || (typed && submitted === undefined)) list.openDropdown()
    meanwhile.current = NOTHING_DONE
    if (typed === undefined) return
    focus()
    input.current?.setSelectionRange(typed.length, typed.length)
    // oxlint-disable-next-line react/exhaustive-deps -- once, in place of the field that had the focus
  }, [])
  useShortcuts([
    { ...FILTER_COMMANDS.filter, run: focus },
    {
      ...FILTER_COMMANDS.names,
      run: () => {
        focus()
        list.openDropdown()
      },
    },
  ])
  const change = (next: string | undefined) => {
    setDraft(next)
    setMistake(undefined)
  }
  const apply = () => {
    list.closeDropdown()
    if (draft === undefined) return
    const { q: _, ...named } = values
    const typed = parseFilters(withoutOpenName(draft, definitions), definitions)
    const wrong = mistakeIn(typed, definitions)
    setMistake(wrong)
    if (wrong !== undefined) return
    setDraft(undefined)
    const next = { ...named, ...typed }
    if (!isSame(next, values)) onChange(next)
  }
  const choose = (key: string) => {
    const chosen = suggestions.find((suggestion) => suggestion.key === key)
    if (!chosen) return
    const { before } = splitLast(text)
    const { definition, value } = chosen
    if (value === undefined && definition.kind !== 'flag') {
      change(`${before}${definition.name}:`)
      list.resetSelectedOption()
      return
    }
    list.closeDropdown()
    change(undefined)
    const q = before.trim()
    const { q: _, ...named } = values
    onChange(
      withValues({ ...named, ...(q && parseFilters(q, definitions)) }, definition.name, [
        ...valuesOf(values, definition.name),
        value ?? 'true',
      ]),
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  const hasValues = Object.keys(values).length > 0
  const clear = () => {
    change(undefined)
    if (hasValues) onChange({})
  }
  /** Backspace in the empty field takes the last chip away. */
  const removeLast = () => {
    const last = definitions.findLast(({ name }) => values[name] !== undefined)
    if (last) onChange(withValues(values, last.name, []))
  }
  return (
    <form onSubmit={submit} className={classes.form} role="search">
      <Combobox
        store={list}
        onOptionSubmit={choose}
        position="bottom-start"
        width={280}
        transitionProps={{ duration: 0 }}
        shadow="md"
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={input}
            size="xs"
            role="combobox"
            aria-expanded={list.dropdownOpened}
            aria-controls={listId}
            aria-label="Filter"
            error={mistake ?? refused}
            placeholder={placeholderOf(definitions)}
            leftSection={<IconFilter size={14} aria-hidden />}
            rightSection={
              (hasValues || draft) && <CloseButton size="xs" aria-label="Clear all filters" onClick={clear} />
            }
            value={text}
            maxLength={2_000}
            onChange={(event) => {
              change(event.currentTarget.value)
              list.openDropdown()
            }}
            onClick={() => list.openDropdown()}
            onBlur={apply}
            onKeyDown={(event) => {
              if (event.key === 'Backspace' && text === '') removeLast()
              if (event.key !== 'Escape' || list.dropdownOpened) return
              change(undefined)
              event.currentTarget.blur()
            }}
            spellCheck={false}
            autoComplete="off"
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={suggestions.length === 0}>
          <Combobox.Options id={listId} aria-label="Filters" mah={320} className={classes.options}>
            {suggestions.map((suggestion) => (
              <Option key={suggestion.key} suggestion={suggestion} />
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </form>
  )
}

const Option = ({ suggestion: { key, label, hint } }: { suggestion: Suggestion }) => (
  <Combobox.Option value={key}>
    <span className={classes.option}>
      <span>{label}</span>
      <span className={classes.hint}>{hint}</span>
    </span>
  </Combobox.Option>
)

/** `status:` without a value says nothing yet. */
const withoutOpenName = (text: string, definitions: readonly FilterDefinition[]): string => {
  const { before, last } = splitLast(text.trimEnd())
  return last.endsWith(':') && definitions.some(({ name }) => name.toLowerCase() === last.slice(0, -1).toLowerCase())
    ? before
    : text
}

const isSame = (one: FilterValues, other: FilterValues): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value)
