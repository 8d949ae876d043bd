import { FINDING_STATE_LABELS, REMEDIATION_LABELS } from '../../../domain/finding-words.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import type { FilterDefinition } from '../../../ui/filters/filters.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { CLIENT_STATE_LABELS, VERIFICATION_LABELS } from '../labels.ts'
import type { FILTER_NAMES } from './findings-search.ts'

const PEOPLE = [
  { value: 'me', label: 'Me' },
  { value: 'none', label: 'Unassigned' },
]

export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'severity', label: 'Severity', kind: 'words', options: optionsOf(SEVERITY_LABELS) },
  { name: 'state', label: 'State', kind: 'words', options: optionsOf(FINDING_STATE_LABELS) },
  { name: 'status', label: 'Status', kind: 'words', options: optionsOf(REMEDIATION_LABELS) },
  { name: 'authorId', label: 'Author', kind: 'words', options: PEOPLE },
  { name: 'reviewerId', label: 'Reviewer', kind: 'words', options: PEOPLE },
  {
    name: 'clientStatus',
    label: 'Client',
    kind: 'words',
    options: [...optionsOf(CLIENT_STATE_LABELS), { value: 'none', label: 'No answer' }],
  },
  { name: 'verification', label: 'Verification', kind: 'words', options: optionsOf(VERIFICATION_LABELS) },
  {
    name: 'published',
    label: 'Published',
    kind: 'words',
    options: [
      { value: 'true', label: 'Published' },
      { value: 'false', label: 'Not published' },
    ],
  },
  { name: 'cwe', label: 'CWE', kind: 'text' },
  { name: 'tag', label: 'Tag', kind: 'text' },
  { name: 'targetId', label: 'Target', kind: 'text' },
]

/** Filters as a request body takes them: several values as a list. */
export const toBody = (filters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      if (name === 'published') return [name, value === 'true']
      return [name, typeof value === 'string' && name !== 'q' && name !== 'engagementId' ? value.split(',') : value]
    }),
  )
