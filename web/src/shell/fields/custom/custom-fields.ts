import type { Output } from '@sortie/client/calls.ts'
import type {
  FieldObjectType,
  ShownFields,
  WrittenFields,
  WrittenFieldValue,
} from '@sortie/contract/custom-fields/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../context/organization.tsx'

export type FieldDefinition = Output<'listFieldDefinitions'>['data'][number]
export type { FieldObjectType, ShownFields, WrittenFields, WrittenFieldValue }

const STALE_MS = 60_000

/** The custom fields of a type of object, in their order; empty while they are read. */
export const useFieldDefinitions = (objectType: FieldObjectType): readonly FieldDefinition[] => {
  const { id } = useOrganization()
  return (
    useQuery({ ...query(id, 'listFieldDefinitions', { query: { objectType } }), staleTime: STALE_MS }).data?.data ??
    NONE
  )
}

const NONE: readonly FieldDefinition[] = []

/** Values as a form writes them: people by id. */
export const writtenOf = (fields: ShownFields): WrittenFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) ? value.id : value,
    ]),
  )

/** Values that differ from those before, as a request takes them. */
export const changedFields = (before: WrittenFields, now: WrittenFields): WrittenFields =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])]
      .filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(now[key] ?? null))
      .map((key) => [key, now[key] ?? null]),
  )

/** Values in one line, for the view of a conflict. */
export const describeFields = (fields: WrittenFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ') || 'None'
