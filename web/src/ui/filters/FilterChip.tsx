import { CloseButton } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../load-part.ts'
import type { Counts } from './counts.ts'
import classes from './filters.module.css'
import type { FilterDefinition } from './filters.ts'

const FilterEditor = lazyPart(() => import('./FilterEditor.tsx'), 'FilterEditor')

interface FilterChipProps {
  definition: FilterDefinition
  values: readonly string[]
  onChange: (values: string[]) => void
  isOpened: boolean
  onToggle: (isOpened: boolean) => void
  readCounts?: (name: string) => Counts | undefined
}

/** One filter: its value, an editor, and a button to remove it. */
export const FilterChip = ({ definition, values, onChange, isOpened, onToggle, readCounts }: FilterChipProps) => {
  const [chip, setChip] = useState<HTMLElement | null>(null)
  return (
    <span className={classes.chip}>
      <button
        ref={setChip}
        type="button"
        className={classes.chipButton}
        aria-haspopup="dialog"
        aria-expanded={isOpened}
        onClick={() => onToggle(!isOpened)}
      >
        <span className={classes.chipName}>{definition.label}:</span> {describe(definition, values)}
      </button>
      <Suspense>
        {isOpened && chip && (
          <FilterEditor
            definition={definition}
            values={values}
            onChange={onChange}
            chip={chip}
            onClose={() => onToggle(false)}
            {...(readCounts && { readCounts })}
          />
        )}
      </Suspense>
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
}

const describe = (definition: FilterDefinition, values: readonly string[]): string => {
  if (values.length === 0) return 'any'
  if (definition.kind === 'flag') return 'yes'
  if (definition.kind !== 'words') return values.join(', ')
  return values.map((value) => definition.options.find((option) => option.value === value)?.label ?? value).join(', ')
}
