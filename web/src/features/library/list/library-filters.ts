import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import type { FilterDefinition } from '../../../ui/filters/filters.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import type { FILTER_NAMES } from './library-search.ts'

/** Tools whose rules built-in entries name. */
const TOOLS = { nuclei: 'nuclei', nessus: 'Nessus', burp: 'Burp', zap: 'ZAP', testssl: 'testssl' }

export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'severity', label: 'Severity', kind: 'words', options: optionsOf(SEVERITY_LABELS) },
  {
    name: 'state',
    label: 'State',
    kind: 'words',
    options: optionsOf({ draft: 'Draft', proposed: 'Proposed', approved: 'Approved' }),
  },
  {
    name: 'builtIn',
    label: 'Origin',
    kind: 'words',
    options: [
      { value: 'false', label: 'Your organization' },
      { value: 'true', label: 'Built in' },
    ],
  },
  { name: 'language', label: 'Language', kind: 'text' },
  { name: 'tool', label: 'Rules of', kind: 'words', options: optionsOf(TOOLS) },
  { name: 'cwe', label: 'CWE', kind: 'text' },
  { name: 'tag', label: 'Tag', kind: 'text' },
]
