import { REPORT_KIND_LABELS, REPORT_STATE_LABELS } from '../../domain/reports/report-words.tsx'
import type { FilterDefinition } from '../../ui/filters/filters.ts'
import { optionsOf } from '../../ui/values/options-of.ts'

export const REPORT_FILTERS: readonly FilterDefinition[] = [
  { name: 'state', label: 'State', kind: 'words', options: optionsOf(REPORT_STATE_LABELS), isSingle: true },
  { name: 'kind', label: 'Kind', kind: 'words', options: optionsOf(REPORT_KIND_LABELS), isSingle: true },
]
