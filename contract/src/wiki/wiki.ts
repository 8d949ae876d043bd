import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableTimestamp,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { AnyId, declareList, Flag, OneId, OrganizationFlag, PartOfText } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'

export const MAX_PAGE_BODY = 500_000
const BODY_LIMITS = { bytes: 4 * 1024 * 1024 }

const NullableId = (prefix: string, description: string) =>
  Type.Unsafe<string | null>({ ...Id(prefix), type: ['string', 'null'], description })
const Person = (description: string) => Nullable({ id: AuthorId(), name: Type.String() }, description)

const PageTitle = Line(200, { examples: ['Entry points'] })
/** Users paste terminal output: only NUL and lone surrogates are refused. */
const PageBody = Type.String({
  maxLength: MAX_PAGE_BODY,
  description: 'Markdown; everything in it is treated as text and never runs',
  examples: ['## VPN\n\nSee [[Hosts]].'],
})
const Revision = (description: string) => Type.Integer({ minimum: 1, maximum: 2_147_483_647, description })

const summaryFields = {
  id: Id('wik'),
  engagementId: NullableId('eng', 'null for a page of the organization'),
  parentId: NullableId('wik', 'the page above; null at the top'),
  title: PageTitle,
  position: Type.String({
    maxLength: 400,
    description: 'order key among the pages with the same parent, compared bytewise',
    examples: ['a0'],
  }),
  revision: Revision('increases with each save that changes the text'),
  isTemplate: Type.Boolean({ description: 'whether it is a template' }),
  createdBy: Person('null for an API key'),
  updatedBy: Person('null for an API key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  trashedAt: NullableTimestamp('when it was moved to the trash; it is deleted 30 days later'),
}

/** A page in lists. */
export const WikiPageSummary = closedObject(summaryFields)
export const WikiPage = closedObject({ ...summaryFields, body: PageBody })

const EXAMPLE_PERSON = { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' }
export const EXAMPLE_SUMMARY = {
  id: 'wik_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  parentId: null,
  title: 'Entry points',
  position: 'a0',
  revision: 3,
  isTemplate: false,
  createdBy: EXAMPLE_PERSON,
  updatedBy: EXAMPLE_PERSON,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T09:10:00.000Z',
  trashedAt: null,
}
const EXAMPLE_PAGE = { ...EXAMPLE_SUMMARY, body: '## VPN\n\nSee [[Hosts]].' }

export const OfPage = closedObject({ pageId: Id('wik') })
export const IN_TRASH = 'This page is in the trash: restore it first.'
const STALE = 'Someone else changed this page in the meantime. Reload it, then repeat the change.'
/** Deleting and restoring include all descendants: thousands of pages, or long ones. */
const ON_MANY_PAGES = { seconds: 300 }
/** Changes of one page, and of the structure of one tree, run one after another. */
export const QUEUED_TEXT = { seconds: 60 }
const TOO_MANY = 'A wiki has at most 10000 pages (WIKI_PAGE_LIMIT): delete some forever first.'

export const wikiPageList = declareList({
  name: 'wiki-pages',
  item: WikiPageSummary,
  sorts: ['createdAt', 'updatedAt', 'title'],
  positioned: true,
  filters: {
    engagementId: OneId('eng'),
    organization: OrganizationFlag,
    parentId: AnyId('wik', { orNone: true, description: 'the page above' }),
    isTemplate: Flag('only templates'),
    trashed: Flag('only what is in the trash, which is otherwise left out'),
    q: PartOfText('part of the title'),
  },
})

export const createWikiPage = endpoint({
  id: 'createWikiPage',
  method: 'POST',
  path: '/wiki-pages',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Create a wiki page.',
  description:
    'It belongs to the engagement of `engagementId`, or of `parentId`; without both, or with `engagementId: null`, to the organization. It is added last below its parent. `templateId` copies the text of a template.',
  body: closedObject({
    title: PageTitle,
    body: Type.Optional(PageBody),
    engagementId: Type.Optional(NullableId('eng', 'null: the organization')),
    parentId: Type.Optional(NullableId('wik', 'null: the top')),
    templateId: Type.Optional(
      NullableId('wik', 'a template of the same engagement or of the organization; not together with `body`'),
    ),
  }),
  bodyLimits: BODY_LIMITS,
  responseTimeout: QUEUED_TEXT,
  reply: one(WikiPage),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH, TOO_MANY],
  example: {
    body: { title: 'Entry points', engagementId: EXAMPLE_SUMMARY.engagementId, body: EXAMPLE_PAGE.body },
    reply: { data: EXAMPLE_PAGE },
  },
})

export const listWikiPages = endpoint({
  id: 'listWikiPages',
  method: 'GET',
  path: '/wiki-pages',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'List wiki pages, without their texts.',
  description:
    'With `tree=true` and either `engagementId` or `organization=true` all pages of one tree, up to 10,000, depth first: each page before those below it. Without `parentId` pages of every level; `parentId=none` gives the top.',
  query: closedObject({ ...wikiPageList.query.properties, tree: Type.Optional(Flag('the whole tree at once')) }),
  reply: wikiPageList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getWikiPage = endpoint({
  id: 'getWikiPage',
  method: 'GET',
  path: '/wiki-pages/:pageId',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read one wiki page.',
  params: OfPage,
  reply: one(WikiPage),
  example: { reply: { data: EXAMPLE_PAGE } },
})

export const updateWikiPage = endpoint({
  id: 'updateWikiPage',
  method: 'PATCH',
  path: '/wiki-pages/:pageId',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Change the title or the text of a wiki page, or make it a template.',
  description:
    '`body` needs `baseRevision`, the `revision` that the text was changed from. If others saved since, the three texts are merged line by line: changes with an unchanged line between them are both kept, and `meta.merged` is true; others get 409, and nothing changes. A base that was replaced more than 7 days ago is 409 as well.',
  params: OfPage,
  body: closedObject({
    title: Type.Optional(PageTitle),
    body: Type.Optional(PageBody),
    baseRevision: Type.Optional(Revision('the revision that `body` was made from')),
    isTemplate: Type.Optional(Type.Boolean()),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  bodyLimits: BODY_LIMITS,
  responseTimeout: QUEUED_TEXT,
  reply: closedObject({
    data: WikiPage,
    meta: closedObject({ merged: Type.Boolean({ description: 'whether the text is not the one that was sent' }) }),
  }),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    STALE,
    'Someone else changed the same lines in the meantime. Nothing was saved: reload the page and choose.',
    `Merged with the changes of others, the page would have more than ${MAX_PAGE_BODY} characters: reload it and shorten it.`,
    'The text is based on a revision that is too old to be merged. Reload the page.',
  ],
  example: {
    body: { body: EXAMPLE_PAGE.body, baseRevision: 2 },
    reply: { data: EXAMPLE_PAGE, meta: { merged: false } },
  },
})

export const moveWikiPage = endpoint({
  id: 'moveWikiPage',
  method: 'POST',
  path: '/wiki-pages/:pageId/move',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Move a wiki page, and all below it, within its tree.',
  description:
    'Without a neighbour it becomes the last. A page cannot move below itself, or to another engagement: 422.',
  params: OfPage,
  body: closedObject({
    parentId: NullableId('wik', 'the page above; null: the top'),
    beforeId: Type.Optional(Id('wik', 'it is directly before this page')),
    afterId: Type.Optional(Id('wik', 'it is directly after this page')),
  }),
  responseTimeout: QUEUED_TEXT,
  reply: one(WikiPage),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { body: { parentId: null }, reply: { data: EXAMPLE_PAGE } },
})

export const deleteWikiPage = endpoint({
  id: 'deleteWikiPage',
  method: 'DELETE',
  path: '/wiki-pages/:pageId',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Move a wiki page and all below it to the trash, or delete them forever.',
  description:
    'What is in the trash is deleted after 30 days. `forever=true` is for the owner and admins in the web interface: 403 for others and for keys.',
  params: OfPage,
  query: closedObject({ forever: Type.Optional(Flag('delete it, its history and its files forever')) }),
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('wik') })),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This page is already in the trash.'],
  responseTimeout: ON_MANY_PAGES,
  example: { reply: { data: { deleted: true, id: EXAMPLE_SUMMARY.id } } },
})

export const restoreWikiPage = endpoint({
  id: 'restoreWikiPage',
  method: 'POST',
  path: '/wiki-pages/:pageId/restore',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Restore a wiki page, and the pages trashed with it, from the trash.',
  description: 'If its parent is still in the trash, it is restored at the top.',
  params: OfPage,
  reply: one(WikiPage),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This page is not in the trash.'],
  responseTimeout: ON_MANY_PAGES,
  example: { reply: { data: EXAMPLE_PAGE } },
})
