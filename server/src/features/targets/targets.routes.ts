import * as contract from '@sortie/contract/inventory/targets.ts'
import type { Static } from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/context.ts'
import { summed } from '../scope/bulk/line-outcomes.ts'
import { criticalityOf, targetExport, targetList } from './lists/target-lists.queries.ts'
import { exportTargets } from './lists/targets-export.ts'
import { createTargets, deleteTargets, updateTargets } from './targets-bulk.service.ts'
import { findTarget, type TargetRow } from './targets.queries.ts'
import { createTarget, deleteTarget, updateTarget } from './targets.service.ts'

/** Read and written in a few milliseconds: other requests run in between. */
const EXPORTED_AT_ONCE = 500

type Page = Awaited<ReturnType<typeof targetExport.page>>

export const targetRoutes: Route[] = [
  route(contract.createTarget, async (context) => ({
    data: toTarget(await createTarget(context, context.actor, context.body)),
  })),

  route(contract.listTargets, async (context) => {
    const { rows, meta } = await targetList.page(context, context.query)
    return { data: rows.map(toTarget), meta }
  }),

  route(contract.countTargets, async (context) => ({ data: await targetList.facets(context, context.query) })),

  route(contract.exportTargets, async (context) => {
    const { format, ...filters } = context.query
    const read = (cursor: string | null): Promise<Page> =>
      targetExport.page(context, { ...filters, perPage: EXPORTED_AT_ONCE, ...(cursor !== null && { cursor }) })
    const first = await read(null)
    return exportTargets(format, first.rows.map(toTarget), restOf(first, read))
  }),

  route(contract.getTarget, async ({ db, actor, params }) => {
    const row = await findTarget(db, actor.organizationId, params.targetId)
    if (!row) throw notFound()
    return { data: toTarget(row) }
  }),

  route(contract.updateTarget, async (context) => {
    const { actor, params, body } = context
    return { data: toTarget(await updateTarget(context, actor, params.targetId, body)) }
  }),

  route(contract.deleteTarget, async (context) => {
    const { actor, params } = context
    await deleteTarget(context, actor, params.targetId)
    return { data: { deleted: true, id: params.targetId } }
  }),

  route(contract.createTargets, async (context) => {
    const outcomes = await createTargets(context, context.actor, context.body)
    return { data: summed(outcomes.map(({ id, ...line }) => ({ ...line, targetId: id }))) }
  }),

  route(contract.updateTargets, async (context) => ({
    data: { updated: await updateTargets(context, context.actor, context.body) },
  })),

  route(contract.deleteTargets, async (context) => ({
    data: { deleted: await deleteTargets(context, context.actor, context.body) },
  })),
]

async function* restOf(
  first: Page,
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Static<typeof contract.Target>[]> {
  for (let page = first; page.meta.nextCursor !== null;) {
    page = await read(page.meta.nextCursor)
    yield page.rows.map(toTarget)
  }
}

const toTarget = (row: TargetRow): Static<typeof contract.Target> => ({
  id: row.id,
  engagementId: row.engagement_id,
  kind: row.kind,
  value: row.value,
  canonical: row.canonical,
  verdict: row.verdict as Static<typeof contract.Target>['verdict'],
  scopeRuleId: row.scope_rule_id,
  tags: row.tags,
  criticality: criticalityOf(row.criticality),
  notes: row.notes,
  source: row.source,
  parentId: row.parent_id,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
