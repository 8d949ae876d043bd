import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  Nullable,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { IN_TRASH, QUEUED_TEXT, MAX_PAGE_BODY, OfPage, updateWikiPage } from './wiki.ts'

const EXAMPLE_REVISION = {
  revision: 3,
  author: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T09:10:00.000Z',
  size: 22,
}

export const WikiRevision = closedObject({
  revision: Type.Integer({ minimum: 1 }),
  author: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  size: Type.Integer({ minimum: 0, description: 'bytes of the text' }),
})

const Passage = closedObject({ type: OneOf(['same', 'added', 'removed']), lines: Type.Array(Type.String()) })

const OfRevision = closedObject({
  pageId: Id('wik'),
  revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$', maxLength: 9, examples: ['3'] }),
})

export const listWikiRevisions = endpoint({
  id: 'listWikiRevisions',
  method: 'GET',
  path: '/wiki-pages/:pageId/revisions',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the history of a wiki page, newest first.',
  description: 'Consecutive saves of one person within 10 minutes are one entry, with the last of their texts.',
  params: OfPage,
  query: closedObject(CursorQuery),
  reply: cursorPage(WikiRevision),
  example: { reply: { data: [EXAMPLE_REVISION], meta: { perPage: 20, nextCursor: null } } },
})

export const getWikiRevision = endpoint({
  id: 'getWikiRevision',
  method: 'GET',
  path: '/wiki-pages/:pageId/revisions/:revision',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read the text of one revision, and what differs from another.',
  description:
    'The difference says what became of the text of `against`. Texts that differ in most of their lines are shown as one that was removed and one that was added.',
  params: OfRevision,
  query: closedObject({
    against: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 9_999_999, description: 'the revision to compare with' }),
    ),
  }),
  reply: one(
    closedObject({
      ...WikiRevision.properties,
      body: Type.String({ maxLength: MAX_PAGE_BODY }),
      diff: Type.Optional(Type.Array(Passage, { description: 'only with `against`' })),
    }),
  ),
  cost: { perHour: 6_000, atOnce: 4, onlyWith: 'against' },
  example: {
    reply: {
      data: {
        ...EXAMPLE_REVISION,
        body: '## VPN\n\nSee [[Hosts]].',
        diff: [
          { type: 'same', lines: ['## VPN', ''] },
          { type: 'removed', lines: ['Unknown.'] },
          { type: 'added', lines: ['See [[Hosts]].'] },
        ],
      },
    },
  },
})

export const restoreWikiRevision = endpoint({
  id: 'restoreWikiRevision',
  method: 'POST',
  path: '/wiki-pages/:pageId/revisions/:revision/restore',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Save the text of an earlier revision as a new one.',
  params: OfRevision,
  responseTimeout: QUEUED_TEXT,
  reply: one(updateWikiPage.reply.properties.data),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { reply: { data: (updateWikiPage.example as { reply: { data: unknown } }).reply.data } },
})
