import { Checkbox, Group, NumberInput, TextInput } from '@mantine/core'
import { useId } from 'react'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { optionLabel } from '../labels.ts'
import classes from '../scans.module.css'
import type { OptionField } from './option-fields.ts'

interface OptionInputProps {
  field: OptionField
  /** @param value undefined: the scanner's default */
  onChange: (value: unknown) => void
}

/** One option of a scanner. */
export const OptionInput = ({ field, onChange }: OptionInputProps) => {
  const suggestions = useId()
  const label = optionLabel(field.name)
  switch (field.kind) {
    case 'flag':
      return (
        <Checkbox
          className={classes.wide}
          label={label}
          checked={field.value}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <Choice
          label={label}
          value={field.value}
          data={[
            ...(field.value === '' ? [{ value: '', label: 'Default' }] : []),
            ...field.words.map((word) => ({ value: word, label: word })),
          ]}
          onChange={(chosen) => onChange(chosen || undefined)}
        />
      )
    case 'several':
      return (
        <Checkbox.Group
          className={classes.wide}
          label={label}
          value={[...field.value]}
          onChange={(values) =>
            onChange(values.length === 0 ? undefined : field.words.filter((word) => values.includes(word)))
          }
        >
          <Group gap="sm" mt={6}>
            {field.words.map((word) => (
              <Checkbox key={word} size="xs" value={word} label={word} />
            ))}
          </Group>
        </Checkbox.Group>
      )
    case 'number':
      return (
        <NumberInput
          label={label}
          value={field.value ?? ''}
          min={field.minimum}
          max={field.maximum}
          allowDecimal={false}
          hideControls
          onChange={(value) => onChange(typeof value === 'number' ? value : undefined)}
        />
      )
    case 'text':
      return (
        <>
          <TextInput
            label={label}
            value={field.value}
            list={suggestions}
            maxLength={2_400}
            spellCheck={false}
            onChange={({ currentTarget }) => onChange(currentTarget.value.trim() || undefined)}
          />
          <datalist id={suggestions}>
            {field.suggestions.map((text) => (
              // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- an option of a datalist is named by its value
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      )
  }
}
