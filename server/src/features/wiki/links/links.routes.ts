import * as contract from '@sortie/contract/wiki/wiki-content.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { toSummary } from '../pages/page-rows.ts'
import { findPageSummary, type PageRow } from '../pages/pages.queries.ts'
import { selectBacklinks } from './links.queries.ts'
import { listWikiLinks } from './links.service.ts'

/** The list of one page: its cursors are invalid for another page. */
const backlinksOf = (pageId: string) =>
  listQuery(contract.backlinkList, {
    rows: (db, organizationId) => selectBacklinks(db, organizationId, pageId),
    id: 'p.id',
    sorts: { createdAt: byId, updatedAt: 'p.updated_at', title: 'p.title' },
    filters: {},
  })

export const linkRoutes = (titleSources: TitleSources): Route[] => [
  route(contract.listWikiBacklinks, async (context) => {
    const { db, actor, params, query } = context
    const { organizationId } = actor
    const page = await findPageSummary(db, organizationId, params.pageId)
    if (!page) throw notFound()
    // Links to a page in the trash are not shown.
    if (page.trashed_at !== null) return { data: [], meta: { perPage: query.perPage, nextCursor: null, total: 0 } }
    const { rows, meta } = await backlinksOf(params.pageId).page(context, query)
    return { data: (rows as PageRow[]).map(toSummary), meta }
  }),

  route(contract.listWikiLinks, async ({ db, actor, params }) => ({
    data: await listWikiLinks(db, titleSources, actor, params.pageId),
  })),
]
