import { useMemo } from 'react'
import type { FilterDefinition } from '../../../ui/filters/filters.ts'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { useMembers } from '../../context/use-members.ts'
import { type FieldObjectType, type ShownFields, useFieldDefinitions } from './custom-fields.ts'
import { fieldColumns, fieldFilters } from './field-columns.tsx'

/**
 * Columns and filters of a list together with those of the custom fields of its objects.
 * @param columns declared outside of the component
 */
export const useFieldColumns = <Row extends { fields: ShownFields }>(
  objectType: FieldObjectType,
  columns: readonly GridColumn<Row>[],
): readonly GridColumn<Row>[] => {
  const definitions = useFieldDefinitions(objectType)
  return useMemo(() => [...columns, ...fieldColumns<Row>(definitions)], [columns, definitions])
}

/** @param filters memoized, or declared outside of the component */
export const useFieldFilters = (
  objectType: FieldObjectType,
  filters: readonly FilterDefinition[],
): readonly FilterDefinition[] => {
  const definitions = useFieldDefinitions(objectType)
  const members = useMembers().data
  return useMemo(() => [...filters, ...fieldFilters(definitions, members ?? [])], [filters, definitions, members])
}
