import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Nullable,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EXAMPLE_FINDING, Finding, IN_TRASH, IN_TURN, OfFinding, SECTIONS, texts } from './finding-fields.ts'

export const FindingRevision = closedObject({
  revision: Type.Integer({ minimum: 1 }),
  author: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  size: Type.Integer({ minimum: 0, description: 'bytes of the five texts' }),
})

const EXAMPLE_REVISION = {
  revision: 2,
  author: EXAMPLE_FINDING.author,
  createdAt: '2026-11-21T09:10:00.000Z',
  size: 220,
}

export const Passages = Type.Array(
  closedObject({ type: OneOf(['same', 'added', 'removed']), lines: Type.Array(Type.String()) }),
)
const OfRevision = closedObject({
  ...OfFinding.properties,
  revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$', maxLength: 9, examples: ['2'] }),
})

export const listFindingRevisions = endpoint({
  id: 'listFindingRevisions',
  method: 'GET',
  path: '/findings/:findingId/revisions',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the history of a finding’s texts, newest first.',
  description: 'Consecutive saves of one person within 10 minutes are one entry, with the last of their texts.',
  params: OfFinding,
  query: closedObject(CursorQuery),
  reply: cursorPage(FindingRevision),
  example: { reply: { data: [EXAMPLE_REVISION], meta: { perPage: 20, nextCursor: null } } },
})

export const getFindingRevision = endpoint({
  id: 'getFindingRevision',
  method: 'GET',
  path: '/findings/:findingId/revisions/:revision',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read the texts of one revision, and how they differ from another.',
  params: OfRevision,
  query: closedObject({
    against: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 9_999_999, description: 'the revision to compare with' }),
    ),
  }),
  reply: one(
    closedObject({
      ...FindingRevision.properties,
      ...texts,
      diff: Type.Optional(
        closedObject(Object.fromEntries(SECTIONS.map((section) => [section, Passages])), {
          description: 'only with `against`',
        }),
      ),
    }),
  ),
  cost: { perHour: 6_000, atOnce: 4, onlyWith: 'against' },
  example: {
    reply: {
      data: {
        ...EXAMPLE_REVISION,
        ...Object.fromEntries(SECTIONS.map((section) => [section, EXAMPLE_FINDING[section]])),
        diff: {
          ...Object.fromEntries(SECTIONS.map((section) => [section, []])),
          impact: [{ type: 'added', lines: [EXAMPLE_FINDING.impact] }],
        },
      },
    },
  },
})

export const restoreFindingRevision = endpoint({
  id: 'restoreFindingRevision',
  method: 'POST',
  path: '/findings/:findingId/revisions/:revision/restore',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Save the texts of an earlier revision as a new one.',
  description: 'An approved finding returns to review.',
  params: OfRevision,
  responseTimeout: IN_TURN,
  reply: one(Finding),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { reply: { data: EXAMPLE_FINDING } },
})
