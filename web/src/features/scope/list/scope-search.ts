import { SCOPE_EFFECTS, SCOPE_RULE_KINDS } from '@sortie/contract/engagement/scope-rules.ts'
import { EFFECT_LABELS, RULE_KIND_LABELS } from '../../../domain/verdicts.tsx'
import { type Raw, definedParams, text, word } from '../../../search.ts'
import { type FilterDefinition, filterSearch } from '../../../ui/filters/filters.ts'

export const FILTERS: readonly FilterDefinition[] = [
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

const filters = filterSearch(FILTERS)

/** Search params of the page: filters, sort, preview, and the dialog that adds rules. */
export const scopeSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(['createdAt', 'pattern'] as const, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    add: word(['one', 'many'] as const, raw.add),
  }),
})
