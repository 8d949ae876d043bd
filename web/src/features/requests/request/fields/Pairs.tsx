import { ActionIcon, Checkbox, TextInput } from '@mantine/core'
import { IconX } from '../../../../ui/page-icons.tsx'
import type { Pair } from '../request-values.ts'
import classes from '../request.module.css'

interface PairsProps {
  /** Singular noun of an entry: `header`. */
  noun: string
  value: readonly Pair[]
  onChange: (value: Pair[]) => void
}

const NEW: Pair = { name: '', value: '', enabled: true }

/** Name-value pairs, each with a switch. Typing into the last, empty line adds a pair. */
export const Pairs = ({ noun, value, onChange }: PairsProps) => (
  <ul className={classes.rows}>
    {[...value, NEW].map((pair, index) => {
      const isNew = index === value.length
      const change = (changes: Partial<Pair>) =>
        onChange(isNew ? [...value, { ...NEW, ...changes }] : value.with(index, { ...pair, ...changes }))
      const number = index + 1
      return (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no id, and keep their position while the user types
        <li key={index} className={classes.pair}>
          <Checkbox
            aria-label={`Send ${noun} ${number}`}
            checked={pair.enabled}
            disabled={isNew}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <TextInput
            aria-label={`Name of ${noun} ${number}`}
            placeholder="Name"
            spellCheck={false}
            maxLength={1_000}
            value={pair.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value of ${noun} ${number}`}
            placeholder="Value"
            spellCheck={false}
            maxLength={16_384}
            value={pair.value}
            onChange={(event) => change({ value: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={`Remove ${noun} ${number}`}
            disabled={isNew}
            onClick={() => onChange(value.filter((_, other) => other !== index))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      )
    })}
  </ul>
)
