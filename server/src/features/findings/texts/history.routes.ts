import * as contract from '@sortie/contract/findings/finding-history.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { findEngagementOfFinding } from '../findings.queries.ts'
import { toFinding } from '../show-findings.ts'
import { findRevision, listRevisions, type RevisionRow } from './finding-revisions.queries.ts'
import { restoreFindingRevision } from './restore-revision.service.ts'
import { textsOf } from './save-texts.service.ts'

export const findingHistoryRoutes = (texts: SectionTexts): Route[] => [
  route(contract.listFindingRevisions, async ({ db, actor, params, query }) => {
    if (query.cursor !== undefined && !/^[1-9]\d{0,8}$/.test(query.cursor))
      throw badRequest('cursor: must be a cursor of this list')
    const { rows, meta } = await readPage(
      query,
      undefined,
      (before, limit) =>
        listRevisions(
          db,
          actor.organizationId,
          params.findingId,
          before === undefined ? undefined : Number(before),
          limit,
        ),
      ({ revision }) => String(revision),
    )
    await requireFinding(db, actor, params.findingId)
    return { data: rows.map(toRevision), meta }
  }),

  route(contract.getFindingRevision, async ({ db, actor, params, query }) => {
    const { organizationId } = actor
    await requireFinding(db, actor, params.findingId)
    const read = (revision: number) => findRevision(db, organizationId, params.findingId, revision)
    const [row, other] = await Promise.all([
      read(Number(params.revision)),
      query.against === undefined ? undefined : read(query.against),
    ])
    if (!row || (query.against !== undefined && !other)) throw notFound()
    const diff = other && (await texts.compare(organizationId, textsOf(other), textsOf(row)))
    return { data: { ...toRevision(row), ...textsOf(row), ...(diff && { diff }) } }
  }),

  route(contract.restoreFindingRevision, async (context) => {
    const { actor, params } = context
    return {
      data: toFinding(await restoreFindingRevision(context, texts, actor, params.findingId, Number(params.revision))),
    }
  }),
]

const requireFinding = async (db: Database, { organizationId }: Actor, findingId: string): Promise<void> => {
  if (!(await findEngagementOfFinding(db, organizationId, findingId))) throw notFound()
}

const toRevision = (row: RevisionRow) => ({
  revision: row.revision,
  author: row.author_id === null ? null : { id: row.author_id, name: row.author_name as string },
  createdAt: row.created_at,
  size: row.size,
})
