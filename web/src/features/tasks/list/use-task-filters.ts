import { useQueries, useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { useFieldDefinitions } from '../../../shell/fields/custom/custom-fields.ts'
import { fieldFilters } from '../../../shell/fields/custom/field-columns.tsx'
import { type FilterDefinition, type FilterValues, valuesOf } from '../../../ui/filters/filters.ts'
import { useAgents } from '../use-assignees.ts'
import { useMethodologies } from '../use-methodologies.ts'
import { FILTERS } from './task-filters.ts'

interface Option {
  value: string
  label: string
}

/** Filters with counts per value. */
export const COUNTED = ['status', 'priority', 'assigneeId', 'outcome'] as const

const OFFERED_TARGETS = 100
const STALE_MS = 60_000

/** Filters of a task list with their options: members, agents, methodologies, and targets of the engagement. */
export const useTaskFilters = (values: FilterValues, engagementId?: string): readonly FilterDefinition[] => {
  const members = useMembers().data ?? []
  const agents = useAgents()
  const methodologies = useMethodologies().data?.data ?? []
  const targets = useTargetOptions(valuesOf(values, 'targetId'), engagementId)
  const found: Record<string, readonly Option[]> = {
    assigneeId: [...members, ...agents].map(({ id, name }) => ({ value: id, label: name })),
    methodologyId: methodologies.map(({ id, name, version }) => ({ value: id, label: `${name} ${version}`.trim() })),
    targetId: targets,
  }
  const own = FILTERS.map((definition) =>
    definition.kind === 'words'
      ? { ...definition, options: [...definition.options, ...(found[definition.name] ?? [])] }
      : definition,
  )
  return [...own, ...fieldFilters(useFieldDefinitions('task'), members)]
}

/** The first targets of the engagement, and the selected ones. */
const useTargetOptions = (chosen: readonly string[], engagementId: string | undefined): Option[] => {
  const { id } = useOrganization()
  const offered = useQuery({
    ...query(id, 'listTargets', {
      query: { engagementId: engagementId ?? '', perPage: OFFERED_TARGETS, sort: 'canonical', order: 'asc' },
    }),
    enabled: engagementId !== undefined,
    staleTime: STALE_MS,
  })
  const named = useQueries({
    queries: chosen.map((targetId) => ({ ...query(id, 'getTarget', { params: { targetId } }), staleTime: STALE_MS })),
  })
  const targets = [...named.flatMap(({ data }) => (data ? [data.data] : [])), ...(offered.data?.data ?? [])]
  return [...new Map(targets.map((target) => [target.id, { value: target.id, label: target.value }])).values()]
}
