import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { notifyAssignees } from './notify-assignees.service.ts'
import { listReopenedBy } from './reopened.queries.ts'

/**
 * Notifies the assignees of fixed results that an import or a scan has found again: one notice for each person, however
 * many results it is about. To be called once, when the source has written everything.
 */
export const notifyReopened = async (
  tx: Transaction,
  writer: Pick<Writer, 'jobs' | 'clock'>,
  actor: Actor,
  source: { id: string; engagementId: string },
): Promise<void> => {
  const results = await listReopenedBy(tx, actor.organizationId, source.id)
  await notifyAssignees(
    tx,
    writer,
    actor,
    results.map(({ id, assignee_id }) => ({
      id,
      engagement_id: source.engagementId,
      before: { status: 'fixed', assignee_id },
      after: { status: 'open', assignee_id },
    })),
  )
}
