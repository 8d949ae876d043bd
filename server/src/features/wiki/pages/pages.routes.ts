import * as contract from '@sortie/contract/wiki/wiki.ts'
import { sql } from 'kysely'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { anyOfOrNone, condition, contains, isNull, onlyWhere } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { toPage, toSummary } from './page-rows.ts'
import { findPage, type PageRow, selectPages } from './pages.queries.ts'
import { createWikiPage, moveWikiPage } from './pages.service.ts'
import { updateWikiPage } from './save.service.ts'
import { deleteForEver, deleteWikiPage, restoreWikiPage } from './trash.service.ts'
import { readTree } from './tree/list-tree.ts'

const pages = listQuery(contract.wikiPageList, {
  rows: selectPages,
  id: 'p.id',
  engagementId: 'p.engagement_id',
  sorts: { createdAt: byId, updatedAt: 'p.updated_at', title: 'p.title', position: 'p.position' },
  filters: {
    organization: isNull('p.engagement_id'),
    parentId: anyOfOrNone('p.parent_id'),
    isTemplate: onlyWhere(sql`p.is_template`),
    // Part of every list: pages in the trash appear in no other list.
    trashed: condition((isWanted: boolean) => (isWanted ? sql`p.trashed_at is not null` : sql`p.trashed_at is null`)),
    q: contains('p.title'),
  },
})

export const pageRoutes = (texts: PageTexts): Route[] => [
  route(contract.createWikiPage, async (context) => {
    const { actor, body } = context
    return { data: toPage(await createWikiPage(context, texts, actor, body)) }
  }),

  route(contract.listWikiPages, async (context) => {
    const { db, actor, config, query } = context
    if (!query.tree) {
      const { rows, meta } = await pages.page(context, { ...query, trashed: query.trashed === true })
      return { data: (rows as PageRow[]).map(toSummary), meta }
    }
    const rows = await readTree(db, actor.organizationId, query, config.WIKI_PAGE_LIMIT)
    return { data: rows.map(toSummary), meta: { perPage: query.perPage, nextCursor: null, total: rows.length } }
  }),

  route(contract.getWikiPage, async ({ db, actor, params }) => {
    const page = await findPage(db, actor.organizationId, params.pageId)
    if (!page) throw notFound()
    return { data: toPage(page) }
  }),

  route(contract.updateWikiPage, async (context) => {
    const { actor, params, body } = context
    const { page, merged } = await updateWikiPage(context, texts, actor, params.pageId, body)
    return { data: toPage(page), meta: { merged } }
  }),

  route(contract.moveWikiPage, async (context) => {
    const { actor, params, body } = context
    return { data: toPage(await moveWikiPage(context, texts, actor, params.pageId, body)) }
  }),

  route(contract.deleteWikiPage, async (context) => {
    const { actor, params, query } = context
    await (query.forever ? deleteForEver : deleteWikiPage)(context, actor, params.pageId)
    return { data: { deleted: true, id: params.pageId } }
  }),

  route(contract.restoreWikiPage, async (context) => {
    const { actor, params } = context
    return { data: toPage(await restoreWikiPage(context, texts, actor, params.pageId)) }
  }),
]
