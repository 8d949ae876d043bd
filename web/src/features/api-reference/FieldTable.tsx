import { Code } from '@mantine/core'
import type { TObject } from 'typebox'
import { type Column, DataTable } from '../../ui/DataTable.tsx'

interface Field {
  name: string
  type: string
  required: boolean
  notes: string
}

interface FieldSchema {
  type?: string | string[]
  enum?: readonly string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  default?: string | number
  description?: string
}

const COLUMNS: Column<Field>[] = [
  {
    header: 'Field',
    cell: ({ name, required }) => (
      <>
        <Code>{name}</Code>
        {required && ' required'}
      </>
    ),
  },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Rules', kind: 'secondary', cell: ({ notes }) => notes },
]

/** What a query or body may hold; nothing where it holds nothing. */
export const FieldTable = ({ title, schema }: { title: string; schema: TObject | undefined }) => {
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => describe(name, field as FieldSchema, schema?.required ?? []))
  if (fields.length === 0) return null
  return (
    <DataTable label={title} columns={[{ ...(COLUMNS[0] as Column<Field>), header: title }, ...COLUMNS.slice(1)]} rows={fields} rowKey={({ name }) => name} />
  )
}

const describe = (name: string, schema: FieldSchema, required: readonly string[]): Field => ({
  name,
  type: schema.enum ? schema.enum.join(' | ') : String(schema.type ?? 'string'),
  required: required.includes(name),
  notes: [
    schema.maxLength !== undefined && `up to ${schema.maxLength} characters`,
    schema.minimum !== undefined && schema.maximum !== undefined && `${schema.minimum} to ${schema.maximum}`,
    schema.default !== undefined && `default ${schema.default}`,
    schema.description,
  ]
    .filter(Boolean)
    .join('; '),
})
