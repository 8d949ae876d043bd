import * as contract from '@sortie/contract/findings/retests.ts'
import type { Static } from 'typebox'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { severityOf } from '../../platform/lists/severities.ts'
import type { RunTools } from '../requests/runs/execute/perform.service.ts'
import { refuseLoop } from '../requests/sending/build/loops.ts'
import { updateRetestItem } from './items.service.ts'
import { type ItemRow, retestItemList, retestList } from './retests.queries.ts'
import { createRetest, deleteRetest, requireRetest, updateRetest } from './retests.service.ts'
import { runRetestItem } from './run-item.service.ts'
import { toRetest } from './show-retest.ts'

export const retestRoutes = (tools: RunTools): Route[] => [
  route(contract.listRetests, async (context) => {
    const { rows, meta } = await retestList.page(context, context.query)
    return { data: rows.map(toRetest), meta }
  }),

  route(contract.createRetest, async (context) => ({
    data: toRetest(await createRetest(context, context.actor, context.body)),
  })),

  route(contract.getRetest, async ({ db, actor, params }) => ({
    data: toRetest(await requireRetest(db, actor.organizationId, params.retestId)),
  })),

  route(contract.updateRetest, async (context) => ({
    data: toRetest(await updateRetest(context, context.actor, context.params.retestId, context.body)),
  })),

  route(contract.deleteRetest, async (context) => {
    await deleteRetest(context, context.actor, context.params.retestId)
    return { data: { deleted: true, id: context.params.retestId } }
  }),

  route(contract.listRetestItems, async (context) => {
    const { db, actor, params, query } = context
    const { rows, meta } = await retestItemList.page(context, { ...query, retestId: params.retestId })
    await requireRetest(db, actor.organizationId, params.retestId)
    return { data: rows.map(toItem), meta }
  }),

  route(contract.updateRetestItem, async (context) => {
    const { actor, params, body } = context
    return { data: toItem(await updateRetestItem(context, actor, params.retestId, params.itemId, body)) }
  }),

  route(contract.runRetestItem, async (context) => {
    refuseLoop(context.headers)
    const { actor, params, body } = context
    return { data: await runRetestItem(context, tools, actor, params.retestId, params.itemId, body.proofId) }
  }),
]

const toItem = (row: ItemRow): Static<typeof contract.RetestItem> => ({
  id: row.id,
  retestId: row.retest_id,
  findingId: row.finding_id,
  affectedId: row.affected_id,
  asset: row.asset,
  finding: {
    number: row.finding_number,
    title: row.finding_title,
    severity: severityOf(row.finding_severity),
    trashedAt: row.finding_trashed_at,
  },
  status: row.status,
  outcome: row.outcome,
  note: row.note,
  by: row.tested_by === null ? null : { id: row.tested_by, name: row.tester_name as string },
  at: row.tested_at,
  updatedAt: row.updated_at,
})
