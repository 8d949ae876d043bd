import { TARGET_KINDS, VERDICTS } from '@sortie/contract/core/values.ts'
import { CRITICALITIES, TARGET_SOURCES } from '@sortie/contract/inventory/targets.ts'
import { VERDICT_LABELS } from '../../../domain/verdicts.tsx'
import { type FilterDefinition } from '../../../ui/filters/filters.ts'
import { CRITICALITY_LABELS, SOURCE_LABELS, TARGET_KIND_LABELS } from '../labels.ts'
import type { FILTER_NAMES } from './targets-search.ts'

const options = <V extends string>(values: readonly V[], labels: Record<V, string>) =>
  values.map((value) => ({ value, label: labels[value] }))

/** @param tags options from the engagement; absent: free text */
export const filtersOf = (tags?: readonly string[]): readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] => [
  { name: 'verdict', label: 'Scope', kind: 'words', options: options(VERDICTS, VERDICT_LABELS) },
  { name: 'kind', label: 'Kind', kind: 'words', options: options(TARGET_KINDS, TARGET_KIND_LABELS) },
  tags && tags.length > 0
    ? { name: 'tag', label: 'Tag', kind: 'words', options: tags.map((tag) => ({ value: tag, label: tag })) }
    : { name: 'tag', label: 'Tag', kind: 'text' },
  { name: 'criticality', label: 'Criticality', kind: 'words', options: options(CRITICALITIES, CRITICALITY_LABELS) },
  { name: 'source', label: 'Source', kind: 'words', options: options(TARGET_SOURCES, SOURCE_LABELS) },
  { name: 'parentId', label: 'Parent', kind: 'text' },
]
