import Type from 'typebox'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EngagementId, EngagementIdInput } from '../requests/request-parts.ts'
import { closedObject, endpoint, Id, Line, list, OneOf, one, Timestamp } from './endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from './values.ts'

/** Lists of the web interface whose filters can be saved under a name. */
export const VIEW_LISTS = [
  'engagements',
  'targets',
  'results',
  'scans',
  'imports',
  'tasks',
  'scope-rules',
  'findings',
  'clients',
  'library-entries',
  'retests',
  'reports',
] as const

/** Views that one user may own in one organization. */
export const MAX_VIEWS = 100

const NAME_TAKEN = 'You already have a view with this name.'

const Name = Line(100, { examples: ['Open and critical'] })
const Search = Line(2_000, {
  minLength: 0,
  description: "filters and sort, as in the query string of the list's address",
  examples: ['status=open&severity=critical&sort=lastSeenAt'],
})
const Shared = Type.Boolean({ description: 'available to everyone who sees the list' })

/** Filters and sort order of a list, saved under a name. */
export const View = closedObject({
  id: Id('viw'),
  list: OneOf(VIEW_LISTS),
  engagementId: EngagementId,
  name: Name,
  search: Search,
  shared: Shared,
  owner: PersonReference,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE = {
  id: 'viw_01jd7w2v4pf1y8m3c6k9t0r5xz',
  list: 'results',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Open and critical',
  search: 'status=open&severity=critical',
  shared: true,
  owner: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const params = closedObject({ viewId: Id('viw') })

export const listViews = endpoint({
  id: 'listViews',
  method: 'GET',
  path: '/views',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the saved views of a list: your own, then those that others share, each by name.',
  description:
    'With `engagementId` those of the engagement and those of the organization, otherwise only the latter. 500 at most.',
  query: closedObject({ list: OneOf(VIEW_LISTS), engagementId: Type.Optional(Id('eng')) }),
  reply: list(View),
  example: { query: { list: 'results' }, reply: { data: [EXAMPLE] } },
})

export const createView = endpoint({
  id: 'createView',
  method: 'POST',
  path: '/views',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  status: 201,
  summary: 'Save filters and sort of a list under a name.',
  conflicts: [ENGAGEMENT_ARCHIVED, NAME_TAKEN, `You have ${MAX_VIEWS} views: delete one first.`],
  body: closedObject({
    list: OneOf(VIEW_LISTS),
    engagementId: EngagementIdInput,
    name: Name,
    search: Search,
    shared: Type.Optional(Shared),
  }),
  reply: one(View),
  example: {
    body: {
      list: 'results',
      engagementId: EXAMPLE.engagementId,
      name: EXAMPLE.name,
      search: EXAMPLE.search,
      shared: true,
    },
    reply: { data: EXAMPLE },
  },
})

export const updateView = endpoint({
  id: 'updateView',
  method: 'PATCH',
  path: '/views/:viewId',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change a saved view.',
  description: 'Only its creator; a shared one also the owner and admins of the organization.',
  conflicts: [ENGAGEMENT_ARCHIVED, 'A view with this name already exists.'],
  params,
  body: closedObject(
    { name: Type.Optional(Name), search: Type.Optional(Search), shared: Type.Optional(Shared) },
    { minProperties: 1 },
  ),
  reply: one(View),
  example: { body: { name: 'Open and critical' }, reply: { data: EXAMPLE } },
})

export const deleteView = endpoint({
  id: 'deleteView',
  method: 'DELETE',
  path: '/views/:viewId',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Delete a saved view.',
  description: 'Only its creator; a shared one also the owner and admins of the organization.',
  conflicts: [ENGAGEMENT_ARCHIVED],
  params,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('viw') })),
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})
