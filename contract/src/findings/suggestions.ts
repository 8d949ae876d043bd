import Type from 'typebox'
import { closedObject, endpoint, Id, list, NullableString, OneOf, one } from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED, SEVERITIES } from '../core/values.ts'
import { resultList } from '../inventory/results.ts'

/** Suggestions of one engagement; beyond it, the least severe are left out. */
export const MAX_SUGGESTIONS = 1_000
/**
 * Why results belong together: a library entry by its rules or its weakness, one rule of a tool, or a result added by
 * hand.
 */
export const SUGGESTION_REASONS = ['entry_rule', 'entry_cwe', 'tool_rule', 'manual'] as const

const SuggestionKey = Type.String({
  pattern: '^(?:entry|rule|result)/[0-9a-z_]{1,64}(?:/[1-9][0-9]{0,4})?$',
  maxLength: 80,
  examples: ['entry/lib_01jd7w2v4pf1y8m3c6k9t0r5xz'],
})

export const FindingSuggestion = closedObject({
  key: SuggestionKey,
  title: Type.String({ description: 'of the library entry, or of the results' }),
  severity: OneOf(SEVERITIES, { description: 'the highest of the results' }),
  count: Type.Integer({ minimum: 1, description: 'how many results it has' }),
  tools: Type.Array(Type.String(), { description: 'that reported them; empty for a result that was added by hand' }),
  resultFilter: Type.Pick(resultList.filter, [
    'engagementId',
    'kind',
    'state',
    'status',
    'findingId',
    'tool',
    'ruleId',
    'resultId',
  ]),
  libraryEntryId: NullableString('the library entry that describes them'),
  reason: OneOf(SUGGESTION_REASONS, { description: 'why they belong together' }),
  dismissed: Type.Boolean(),
})

const ENGAGEMENT = 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz'
const EXAMPLE = {
  key: 'entry/lib_01jd7w2v4pf1y8m3c6k9t0r5xz',
  title: 'Outdated TLS versions',
  severity: 'medium',
  count: 14,
  tools: ['nessus', 'testssl'],
  resultFilter: {
    engagementId: ENGAGEMENT,
    kind: ['vulnerability'],
    state: ['present'],
    status: ['open', 'confirmed'],
    findingId: ['none'],
    tool: ['nessus', 'testssl'],
    ruleId: ['104743', 'TLS1'],
  },
  libraryEntryId: 'lib_01jd7w2v4pf1y8m3c6k9t0r5xz',
  reason: 'entry_rule',
  dismissed: false,
}

export const listFindingSuggestions = endpoint({
  id: 'listFindingSuggestions',
  method: 'GET',
  path: '/finding-suggestions',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List groups of results that could each become a finding.',
  description: `Vulnerabilities that are present, open or confirmed, and part of no finding, most severe first. They are grouped by the approved library entry that names their rule, else their CWE; otherwise by tool and rule. A group of more than 100 rules is several suggestions. At most ${MAX_SUGGESTIONS}; dismissed ones are marked, and come last. Also needs \`targets:read\`.`,
  query: closedObject({ engagementId: Id('eng') }),
  reply: list(FindingSuggestion),
  cost: { perHour: 1_200, atOnce: 2 },
  example: { reply: { data: [EXAMPLE] } },
})

const Dismissal = closedObject({ engagementId: Id('eng'), key: SuggestionKey })
const Dismissed = one(closedObject({ engagementId: Id('eng'), key: SuggestionKey, dismissed: Type.Boolean() }))

const dismissal = (
  id: 'dismissFindingSuggestion' | 'undismissFindingSuggestion',
  word: 'dismiss' | 'undismiss',
  summary: string,
) =>
  endpoint({
    id,
    method: 'POST',
    path: `/finding-suggestions/${word}`,
    scope: 'reports:write',
    about: 'engagement',
    origin: 'extension',
    summary,
    description: 'Also needs `targets:read`. Doing it again changes nothing.',
    body: Dismissal,
    reply: Dismissed,
    status: 200,
    conflicts: [ENGAGEMENT_ARCHIVED, 'An engagement has at most 10000 dismissed suggestions.'],
    example: {
      body: { engagementId: ENGAGEMENT, key: EXAMPLE.key },
      reply: { data: { engagementId: ENGAGEMENT, key: EXAMPLE.key, dismissed: word === 'dismiss' } },
    },
  })

export const dismissFindingSuggestion = dismissal(
  'dismissFindingSuggestion',
  'dismiss',
  'Mark a suggestion as not wanted.',
)
export const undismissFindingSuggestion = dismissal(
  'undismissFindingSuggestion',
  'undismiss',
  'Suggest a dismissed group of results again.',
)
