import * as contract from '@sortie/contract/wiki/wiki-history.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { requireCursor } from '../../../platform/lists/cursor.ts'
import { toPage } from '../pages/page-rows.ts'
import { findPageSummary } from '../pages/pages.queries.ts'
import { restoreWikiRevision } from '../pages/save.service.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { findRevision, listRevisions, type RevisionRow } from './revisions.queries.ts'

export const historyRoutes = (texts: PageTexts): Route[] => [
  route(contract.listWikiRevisions, async ({ db, actor, params, query }) => {
    requireCursor(query.cursor, /^[1-9]\d{0,8}$/)
    const { rows, meta } = await readPage(
      query,
      undefined,
      (before, limit) =>
        listRevisions(
          db,
          actor.organizationId,
          params.pageId,
          before === undefined ? undefined : Number(before),
          limit,
        ),
      ({ revision }) => String(revision),
    )
    await requirePage(db, actor, params.pageId)
    return { data: rows.map(toRevision), meta }
  }),

  route(contract.getWikiRevision, async ({ db, actor, params, query }) => {
    await requirePage(db, actor, params.pageId)
    const read = (revision: number) => findRevision(db, actor.organizationId, params.pageId, revision)
    const [row, other] = await Promise.all([
      read(Number(params.revision)),
      query.against === undefined ? undefined : read(query.against),
    ])
    if (!row || (query.against !== undefined && !other)) throw notFound()
    return {
      data: {
        ...toRevision(row),
        body: row.body,
        ...(other && { diff: await texts.compare(actor.organizationId, other.body, row.body) }),
      },
    }
  }),

  route(contract.restoreWikiRevision, async (context) => {
    const { actor, params } = context
    return { data: toPage(await restoreWikiRevision(context, texts, actor, params.pageId, Number(params.revision))) }
  }),
]

const requirePage = async (db: Database, { organizationId }: Actor, pageId: string): Promise<void> => {
  if (!(await findPageSummary(db, organizationId, pageId))) throw notFound()
}

const toRevision = (row: RevisionRow) => ({
  revision: row.revision,
  author: row.author_id === null ? null : { id: row.author_id, name: row.author_name as string },
  createdAt: row.created_at,
  size: row.size,
})
