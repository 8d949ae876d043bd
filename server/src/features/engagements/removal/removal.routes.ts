import * as contract from '@sortie/contract/engagement/engagement-trash.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { EngagementPart } from '../parts.ts'
import { toEngagement } from '../show-engagement.ts'
import { deleteEngagement } from './deletion.service.ts'
import { holdEngagement, releaseEngagementHold } from './holds.service.ts'
import { purgeEngagement, readTrash, restoreEngagement, trashCursor } from './trash.service.ts'

/** @param parts one for each feature whose objects belong to engagements */
export const removalRoutes = (parts: readonly EngagementPart[]): Route[] => [
  route(contract.deleteEngagement, async (context) => {
    const { actor, params, body } = context
    await deleteEngagement(context, actor, params.engagementId, body.name, parts)
    return { data: { deleted: true, id: params.engagementId } }
  }),

  route(contract.listTrashedEngagements, async (context) => {
    const { rows, meta } = await readPage(
      context.query,
      undefined,
      (cursor, limit) => readTrash(context, context.actor, cursor, limit),
      trashCursor,
    )
    const data = rows.map((row) => ({
      id: row.id,
      name: row.name,
      clientName: row.client_name,
      status: row.status,
      deletedAt: row.deleted_at,
      deletedBy: { id: row.deleted_by, name: row.deleted_by_name },
      purgeAt: row.purge_at,
    }))
    return { data, meta: { ...meta, days: context.config.ENGAGEMENT_TRASH_DAYS } }
  }),

  route(contract.restoreEngagement, async (context) => ({
    data: toEngagement(await restoreEngagement(context, context.actor, context.params.engagementId)),
  })),

  route(contract.purgeEngagement, async (context) => {
    const { actor, params, body } = context
    await purgeEngagement(context, actor, params.engagementId, body.name)
    return { data: { deleted: true, id: params.engagementId } }
  }),

  route(contract.holdEngagement, async (context) => {
    const { actor, params, body } = context
    const hold = await holdEngagement(context, actor, params.engagementId, body.reason)
    return {
      data: {
        reason: hold.reason,
        heldBy: { id: hold.held_by, name: hold.held_by_name },
        heldAt: hold.held_at,
      },
    }
  }),

  route(contract.releaseEngagementHold, async (context) => {
    await releaseEngagementHold(context, context.actor, context.params.engagementId)
    return { data: { deleted: true, id: context.params.engagementId } }
  }),
]
