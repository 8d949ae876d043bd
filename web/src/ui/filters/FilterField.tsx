import { CloseButton } from '@mantine/core'
import { type FormEvent, useContext, useRef, useState } from 'react'
import { useShortcuts } from '../commands/commands.ts'
import { IconFilter } from '../icons.tsx'
import { replacementPart } from '../load-part.ts'
import { useOverlaysLoaded } from '../overlays/overlays.ts'
import { FilterError } from './filter-error.ts'
import { FILTER_COMMANDS, type FilterFieldProps, type Meanwhile, NOTHING_DONE, placeholderOf } from './filter-field.ts'
import classes from './filters.module.css'
import { mistakeIn, parseFilters } from './filters.ts'

const useCompletedField = replacementPart(() => import('./CompletedField.tsx'), 'CompletedField')

/**
 * The filter field. Its completion is loaded after the first page, or when the field is used: what is typed meanwhile
 * is kept.
 */
export const FilterField = (props: FilterFieldProps) => {
  const isLoaded = useOverlaysLoaded()
  const isRefused = useContext(FilterError) !== undefined
  const [isUsed, setUsed] = useState(false)
  const meanwhile = useRef<Meanwhile>(NOTHING_DONE)
  const CompletedField = useCompletedField(isLoaded || isUsed || isRefused)
  // oxlint-disable-next-line react/static-components -- the hook returns the one component of its module
  if (CompletedField) return <CompletedField {...props} meanwhile={meanwhile} />
  return (
    <PlainField
      {...props}
      onUse={(use) => {
        meanwhile.current = { ...meanwhile.current, ...use }
        setUsed(true)
      }}
    />
  )
}

/** Looks like a text field of size `xs`, without the 3 kB of Mantine's fields. */
const PlainField = ({
  definitions,
  values,
  onChange,
  onUse,
}: FilterFieldProps & { onUse: (use: Partial<Meanwhile>) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  const focus = () => input.current?.focus()
  useShortcuts([
    { ...FILTER_COMMANDS.filter, run: focus },
    {
      ...FILTER_COMMANDS.names,
      run: () => {
        focus()
        onUse({ isOpened: true })
      },
    },
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const field = input.current
    if (!field) return
    const { q: _, ...named } = values
    const typed = parseFilters(field.value, definitions)
    const mistake = mistakeIn(typed, definitions)
    if (mistake !== undefined) return onUse({ typed: field.value, mistake })
    // As in the field with completion: what is applied becomes a chip and leaves the field.
    field.value = typed['q'] ?? ''
    onUse({ typed: '', mistake: undefined })
    onChange({ ...named, ...typed })
  }
  return (
    <form onSubmit={submit} className={classes.form} role="search">
      <div className={classes.plain}>
        <IconFilter size={14} aria-hidden className={classes.plainIcon} />
        <input
          ref={input}
          className={`mantine-Input-input ${classes.plainInput}`}
          aria-label="Filter"
          placeholder={placeholderOf(definitions)}
          defaultValue={values['q'] ?? ''}
          maxLength={2_000}
          onFocus={({ currentTarget }) => onUse({ typed: currentTarget.value })}
          onBlur={() => onUse({ typed: undefined })}
          onChange={({ currentTarget }) => onUse({ typed: currentTarget.value, mistake: undefined })}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Escape') return
            currentTarget.value = values['q'] ?? ''
            currentTarget.blur()
          }}
          spellCheck={false}
          autoComplete="off"
        />
        {Object.keys(values).length > 0 && (
          <CloseButton
            size="xs"
            aria-label="Clear all filters"
            className={classes.plainClear}
            onClick={() => onChange({})}
          />
        )}
      </div>
    </form>
  )
}
