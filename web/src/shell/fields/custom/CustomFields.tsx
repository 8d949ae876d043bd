import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { type ComponentProps, useEffect, useState } from 'react'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { useMembers } from '../../context/use-members.ts'
import {
  type FieldDefinition,
  type FieldObjectType,
  useFieldDefinitions,
  type WrittenFields,
  type WrittenFieldValue,
} from './custom-fields.ts'

interface CustomFieldsProps {
  objectType: FieldObjectType
  values: WrittenFields
  /** @param value null: cleared */
  onChange: (key: string, value: WrittenFieldValue) => void
  /** Texts are reported when the field is left, for values that are saved one by one; otherwise at each key. */
  savesEach?: boolean
  disabled?: boolean
}

/** Inputs of the custom fields that the organization defined for a type of object. Nothing without definitions. */
export const CustomFields = ({
  objectType,
  values,
  onChange,
  savesEach = false,
  disabled = false,
}: CustomFieldsProps) =>
  useFieldDefinitions(objectType).map((definition) => (
    <FieldInput
      key={definition.id}
      definition={definition}
      value={values[definition.key] ?? null}
      onChange={(value) => onChange(definition.key, value)}
      savesEach={savesEach}
      disabled={disabled}
    />
  ))

interface FieldInputProps {
  definition: FieldDefinition
  value: WrittenFieldValue
  onChange: (value: WrittenFieldValue) => void
  savesEach: boolean
  disabled: boolean
}

const FieldInput = ({ definition, value, onChange, savesEach, disabled }: FieldInputProps) => {
  const { label, help, required, type, options } = definition
  const common = { label, disabled, withAsterisk: required, ...(help && { description: help }) }
  const choices = optionsWith(options, value)
  switch (type) {
    case 'boolean':
      return (
        <Choice
          {...common}
          data={[
            { value: '', label: 'Not set' },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(chosen) => onChange(chosen === '' ? null : chosen === 'true')}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          placeholder="Not set"
          data={choices}
          value={typeof value === 'string' ? value : null}
          searchable
          clearable
          onChange={onChange}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={choices}
          value={Array.isArray(value) ? value : []}
          searchable
          clearable
          onChange={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
        />
      )
    case 'person':
      return <PersonInput {...common} value={typeof value === 'string' ? value : null} onChange={onChange} />
    case 'markdown':
      return (
        <TextValue
          area
          {...common}
          value={textOf(value)}
          savesEach={savesEach}
          onTake={(text) => onChange(text || null)}
        />
      )
    case 'date':
      return (
        <DateField {...common} value={textOf(value)} savesEach={savesEach} onChange={(day) => onChange(day || null)} />
      )
    case 'number':
      return (
        <TextValue
          {...common}
          inputMode="decimal"
          value={textOf(value)}
          savesEach={savesEach}
          onTake={(text) => onChange(text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text)}
        />
      )
    default:
      return (
        <TextValue
          {...common}
          {...(type === 'url' && { type: 'url', placeholder: 'https://' })}
          value={textOf(value)}
          savesEach={savesEach}
          onTake={(text) => onChange(text || null)}
        />
      )
  }
}

const textOf = (value: WrittenFieldValue): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A removed option stays where it is set. */
const optionsWith = (options: readonly string[], value: WrittenFieldValue): string[] => [
  ...new Set([...options, ...(Array.isArray(value) ? value : typeof value === 'string' && value ? [value] : [])]),
]

const PersonInput = ({
  value,
  onChange,
  ...common
}: {
  label: string
  disabled: boolean
  value: string | null
  onChange: (id: string | null) => void
}) => {
  const members = useMembers().data ?? []
  const people = members.map(({ id, name }) => ({ value: id, label: name }))
  const known =
    value === null || people.some((person) => person.value === value)
      ? people
      : [...people, { value, label: 'Former member' }]
  return (
    <Select {...common} placeholder="Not set" data={known} value={value} searchable clearable onChange={onChange} />
  )
}

type TextValueProps = Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> & {
  value: string
  onTake: (text: string) => void
  /** Reports a text when the field is left, or with Enter; otherwise at each key. */
  savesEach?: boolean
  /** Several lines. */
  area?: boolean
}

/** A text that is saved by itself. */
export const TextValue = ({ value, onTake, savesEach = true, area = false, ...props }: TextValueProps) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const take = () => text !== value && onTake(text.trim())
  const change = (typed: string) => {
    setText(typed)
    if (!savesEach) onTake(typed)
  }
  if (area) {
    const { label, description, disabled = false, withAsterisk = false, placeholder = '' } = props
    return (
      <Textarea
        {...{ label, description, disabled, withAsterisk, placeholder }}
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onBlur={take}
      />
    )
  }
  return (
    <TextInput
      {...props}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take()
      }}
    />
  )
}
