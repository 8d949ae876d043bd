import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IconPlus } from '../icons.tsx'
import { lazyPart } from '../load-part.ts'
import { MenuButton } from '../overlays/MenuButton.tsx'
import type { Counts } from './counts.ts'
import { FilterChip } from './FilterChip.tsx'
import { FilterField } from './FilterField.tsx'
import classes from './filters.module.css'
import { type FilterDefinition, type FilterValues, valuesOf, withValues } from './filters.ts'

const FilterItems = lazyPart(() => import('./FilterItems.tsx'), 'FilterItems')

interface FilterBarProps {
  definitions: readonly FilterDefinition[]
  values: FilterValues
  onChange: (values: FilterValues) => void
  /** Counts the rows for each value of a filter; for `words` filters with counts. */
  readCounts?: (name: string) => Counts | undefined
  /** Further chips. */
  children?: ReactNode
}

/** The filter field, and what is filtered as chips. */
export const FilterBar = ({ definitions, values, onChange, readCounts, children }: FilterBarProps) => {
  const [opened, setOpened] = useState<string>()
  const shown = definitions.filter(({ name }) => values[name] !== undefined || name === opened)
  return (
    <div className={classes.bar}>
      <FilterField definitions={definitions} values={values} onChange={onChange} />
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
      {children}
      {shown.length < definitions.length && (
        <MenuButton
          position="bottom-start"
          button={
            <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />}>
              Filter
            </Button>
          }
        >
          <FilterItems
            definitions={definitions.filter((definition) => !shown.includes(definition))}
            onChoose={({ name, kind }) =>
              kind === 'flag' ? onChange(withValues(values, name, ['true'])) : setOpened(name)
            }
          />
        </MenuButton>
      )}
    </div>
  )
}
