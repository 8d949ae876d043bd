import Type from 'typebox'
import { closedObject, endpoint, Id, Line, list, OneOf } from './endpoint.ts'

/** Searchable types, in the order in which equal matches are shown. */
export const SEARCH_TYPES = [
  'engagement',
  'page',
  'target',
  'task',
  'result',
  'request',
  'finding',
  'library_entry',
  'retest',
  'report',
] as const

export const SearchHit = closedObject({
  type: OneOf(SEARCH_TYPES),
  id: Type.String(),
  engagementId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'null for what belongs to the organization',
  }),
  title: Type.String(),
  excerpt: Type.Array(closedObject({ text: Type.String(), match: Type.Boolean() }), {
    description: 'a piece of the text, with what matched; plain text, never markup',
  }),
})

export const search = endpoint({
  id: 'search',
  method: 'GET',
  path: '/search',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  summary:
    'Find engagements, pages, targets, results, tasks, saved requests, findings, library entries and retests by their words.',
  description:
    'Words match by their start, ignoring case and accents, with `ss` for ß, `l` for ł, `o` for ø, `ae` for æ and so on, and all must match. A whole IPv4 address is one word, except in pages and built-in library entries. Best first, at most 50, shared between the types that match; of each type the newest 1,000 matches are ranked. Only types that the caller’s scopes can read.',
  query: closedObject({
    q: Line(200, { examples: ['vpn gateway'] }),
    engagementId: Type.Optional(Id('eng', 'only in this engagement')),
    type: Type.Optional(
      Type.Array(OneOf(SEARCH_TYPES), {
        minItems: 1,
        maxItems: SEARCH_TYPES.length,
        'x-commas': true,
        description: 'separated by commas',
      }),
    ),
  }),
  reply: list(SearchHit),
  cost: { perHour: 20_000, atOnce: 6 },
  example: {
    reply: {
      data: [
        {
          type: 'page',
          id: 'wik_01jd7w2v4pf1y8m3c6k9t0r5xz',
          engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
          title: 'Entry points',
          excerpt: [
            { text: 'The ', match: false },
            { text: 'VPN', match: true },
            { text: ' gateway answers on 443.', match: false },
          ],
        },
      ],
    },
  },
})
