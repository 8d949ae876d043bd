import { formatDay } from '../../../ui/dates/dates.ts'
import { FIELD_FILTER, type FilterDefinition } from '../../../ui/filters/filters.ts'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import type { FieldDefinition, ShownFields } from './custom-fields.ts'

/** Columns of custom fields; hidden until the user shows them. */
export const fieldColumns = <Row extends { fields: ShownFields }>(
  definitions: readonly FieldDefinition[],
): GridColumn<Row>[] =>
  definitions.map(({ key, label, type }) => ({
    id: `${FIELD_FILTER}${key}`,
    header: label,
    width: type === 'number' || type === 'boolean' || type === 'date' ? 110 : 160,
    isHidden: true,
    ...(type === 'number' && { align: 'end' as const }),
    cell: ({ fields }) => <Value value={fields[key]} isDay={type === 'date'} />,
  }))

const Value = ({ value, isDay }: { value: ShownFields[string] | undefined; isDay: boolean }) => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return <span>{value.join(', ')}</span>
  if (typeof value === 'object') return <Person name={value.name} />
  return <span>{isDay ? formatDay(String(value)) : String(value)}</span>
}

/** Filters of custom fields. @param people members of the organization, for fields with a person */
export const fieldFilters = (
  definitions: readonly FieldDefinition[],
  people: readonly { id: string; name: string }[],
): FilterDefinition[] =>
  definitions.map(({ key, label, type, options }) => {
    const named = { name: `${FIELD_FILTER}${key}`, label }
    if (type === 'date') return { ...named, kind: 'day' }
    if (type === 'boolean')
      return {
        ...named,
        kind: 'words',
        isSingle: true,
        options: [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ],
      }
    if (type === 'person')
      return {
        ...named,
        kind: 'words',
        isSingle: true,
        options: people.map(({ id, name }) => ({ value: id, label: name })),
      }
    // An option with a comma cannot be chosen from a list, because commas separate values there.
    const isChoice = (type === 'choice' || type === 'choices') && !options.some((option) => option.includes(','))
    return isChoice
      ? {
          ...named,
          kind: 'words',
          isSingle: type === 'choice',
          options: options.map((option) => ({ value: option, label: option })),
        }
      : { ...named, kind: 'text' }
  })
