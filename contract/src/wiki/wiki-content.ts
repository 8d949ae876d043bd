import Type from 'typebox'
import { closedObject, endpoint, Id, list, NullableString, OneOf, one } from '../core/endpoint.ts'
import { EXAMPLE_VIEWER, Viewer } from '../core/events.ts'
import { fileEndpointsOf } from '../core/files.ts'
import { declareList } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EXAMPLE_SUMMARY, IN_TRASH, OfPage, WikiPageSummary } from './wiki.ts'

/** Types that texts can refer to by id, with their id prefixes. */
export const LINK_TYPES = {
  page: 'wik',
  target: 'tgt',
  result: 'res',
  task: 'tsk',
  request: 'req',
  finding: 'fnd',
  report: 'rpt',
} as const
export type LinkType = keyof typeof LINK_TYPES

const ofPages = fileEndpointsOf({
  noun: 'WikiPage',
  name: 'a wiki page',
  path: '/wiki-pages/:pageId',
  params: { pageId: Id('wik') },
  read: 'wiki:read',
  write: 'wiki:write',
  about: 'either',
  conflicts: [IN_TRASH],
})

export const uploadWikiPageFile = ofPages.upload
export const listWikiPageFiles = ofPages.list
export const downloadWikiPageFile = ofPages.download
export const deleteWikiPageFile = ofPages.remove

export const backlinkList = declareList({
  name: 'wiki-backlinks',
  item: WikiPageSummary,
  sorts: ['createdAt', 'updatedAt', 'title'],
})

export const listWikiBacklinks = endpoint({
  id: 'listWikiBacklinks',
  method: 'GET',
  path: '/wiki-pages/:pageId/backlinks',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the pages that refer to a wiki page, that the caller may see.',
  params: OfPage,
  query: backlinkList.query,
  reply: backlinkList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const WikiLink = closedObject({
  reference: Type.String({ description: 'as in the text: an id, or a title in lower case' }),
  type: OneOf(Object.keys(LINK_TYPES) as LinkType[]),
  id: NullableString('the object that it names; null if none has that title yet, or the caller cannot see it'),
  engagementId: NullableString('where that is; null for the organization'),
  title: NullableString('its current title; null without the right to read it'),
  deleted: Type.Boolean({ description: 'it is deleted or in the trash' }),
})

export const listWikiLinks = endpoint({
  id: 'listWikiLinks',
  method: 'GET',
  path: '/wiki-pages/:pageId/links',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'List what the text of a wiki page refers to, with current titles.',
  description:
    '`[[Title]]` names a page without regard to case: of the same tree before the organization’s, the oldest first. A reference is resolved when the text is saved, and renaming breaks nothing. A title that no page has yet is resolved once a page has it. Pages, targets, results, tasks and requests can be named by id: `[[tgt_...]]`. References in code are ignored. At most 2,000 references of a text are kept.',
  params: OfPage,
  reply: list(WikiLink),
  example: {
    reply: {
      data: [
        {
          reference: 'hosts',
          type: 'page',
          id: EXAMPLE_SUMMARY.id,
          engagementId: EXAMPLE_SUMMARY.engagementId,
          title: 'Hosts',
          deleted: false,
        },
      ],
    },
  },
})

const OfTree = {
  engagementId: Type.Optional(Id('eng', 'the wiki of this engagement; without it, that of the organization')),
}

export const exportWikiPages = endpoint({
  id: 'exportWikiPages',
  method: 'GET',
  path: '/wiki-pages/export',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  summary: 'Download a whole wiki as Markdown files in a ZIP.',
  description:
    'Folders follow the tree, files are next to their page, and links between them are relative. Title, order and templates are in a few lines before each text, from which `importWikiPages` restores them. A file `_export.txt` lists what was deleted while the ZIP was written, and whether it is too large to be imported.',
  query: closedObject(OfTree),
  reply: Type.String(),
  produces: { type: 'application/zip', fileName: 'wiki.zip' },
  cost: { perHour: 60, atOnce: 2 },
})

export const importWikiPages = endpoint({
  id: 'importWikiPages',
  method: 'POST',
  path: '/wiki-pages/import',
  scope: 'wiki:write',
  about: 'either',
  origin: 'extension',
  summary: 'Add the pages of a ZIP: of an export, or of any folder of Markdown files.',
  description:
    'The body is the ZIP. Folders become pages, other files are attached to the page that refers to them, otherwise to that of their folder. A ZIP with paths that leave it, links, devices, encryption, false sizes, more than 5,000 entries (20,000 in an export), 200 MiB, 64 MiB of text or 100 times its own size is refused as a whole with 422; an entry that cannot be read is skipped, with the reason.',
  query: closedObject(OfTree),
  consumes: 'bytes',
  reply: one(
    closedObject({
      pages: Type.Integer({ minimum: 0 }),
      files: Type.Integer({ minimum: 0 }),
      skipped: Type.Array(closedObject({ path: Type.String(), reason: Type.String() })),
    }),
  ),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, 'A wiki has at most 10000 pages (WIKI_PAGE_LIMIT): delete some forever first.'],
  refusals: ['The ZIP has more than 5000 entries.', 'The ZIP unpacks to more than 100 times its size.'],
  cost: { perHour: 60, atOnce: 2 },
  responseTimeout: { seconds: 600 },
  example: {
    reply: {
      data: {
        pages: 12,
        files: 3,
        skipped: [{ path: 'notes/.DS_Store', reason: 'is neither a page nor a file of a page' }],
      },
    },
  },
})

export const listWikiViewers = endpoint({
  id: 'listWikiViewers',
  method: 'GET',
  path: '/wiki-pages/:pageId/viewers',
  scope: 'wiki:read',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'List who has a wiki page open right now.',
  params: OfPage,
  reply: list(Viewer),
  example: { reply: { data: [EXAMPLE_VIEWER] } },
})
