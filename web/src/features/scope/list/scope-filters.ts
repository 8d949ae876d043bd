import { SCOPE_RULE_KINDS } from '@sortie/contract/core/values.ts'
import { SCOPE_EFFECTS } from '@sortie/contract/engagement/scope-rules.ts'
import { EFFECT_LABELS, RULE_KIND_LABELS } from '../../../domain/verdicts.tsx'
import { type FilterDefinition } from '../../../ui/filters/filters.ts'
import type { FILTER_NAMES } from './scope-search.ts'

export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  {
    name: 'effect',
    label: 'Effect',
    kind: 'words',
    options: SCOPE_EFFECTS.map((value) => ({ value, label: EFFECT_LABELS[value] })),
  },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'words',
    options: SCOPE_RULE_KINDS.map((value) => ({ value, label: RULE_KIND_LABELS[value] })),
  },
]
