import { VERDICTS } from '@sortie/contract/engagement/scope-rules.ts'
import { CRITICALITIES, TARGET_KINDS, TARGET_SOURCES } from '@sortie/contract/inventory/targets.ts'
import { VERDICT_LABELS } from '../../../domain/verdicts.tsx'
import { type Raw, definedParams, text, word } from '../../../search.ts'
import { type FilterDefinition, filterSearch } from '../../../ui/filters/filters.ts'
import { CRITICALITY_LABELS, SOURCE_LABELS, TARGET_KIND_LABELS } from '../labels.ts'

export const SORTS = ['createdAt', 'canonical', 'lastSeenAt', 'criticality'] as const

const options = <V extends string>(values: readonly V[], labels: Record<V, string>) =>
  values.map((value) => ({ value, label: labels[value] }))

/** @param tags options from the engagement; absent: free text */
export const filtersOf = (tags?: readonly string[]): readonly FilterDefinition[] => [
  { name: 'verdict', label: 'Scope', kind: 'words', options: options(VERDICTS, VERDICT_LABELS) },
  { name: 'kind', label: 'Kind', kind: 'words', options: options(TARGET_KINDS, TARGET_KIND_LABELS) },
  tags && tags.length > 0
    ? { name: 'tag', label: 'Tag', kind: 'words', options: tags.map((tag) => ({ value: tag, label: tag })) }
    : { name: 'tag', label: 'Tag', kind: 'text' },
  { name: 'criticality', label: 'Criticality', kind: 'words', options: options(CRITICALITIES, CRITICALITY_LABELS) },
  { name: 'source', label: 'Source', kind: 'words', options: options(TARGET_SOURCES, SOURCE_LABELS) },
  { name: 'parentId', label: 'Parent', kind: 'text' },
]

const filters = filterSearch(filtersOf())

/** Search params of the list: filters, sort, preview, and the dialog that adds targets. */
export const targetsSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    add: word(['one', 'many'] as const, raw.add),
  }),
})
