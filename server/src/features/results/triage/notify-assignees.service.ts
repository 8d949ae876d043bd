import type { RESULT_STATUSES } from '@sortie/contract/core/values.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { notify } from '../../notifications/notifications.service.ts'
import { lockMembersWithAccess } from '../../tasks/people.queries.ts'

interface Triage {
  status: (typeof RESULT_STATUSES)[number] | null
  assignee_id: string | null
}

export interface TriagedResult {
  id: string
  engagement_id: string
  before: Triage
  after: Triage
}

/** Notifies new assignees, and those of fixed results that are open again; many results at once are one notice. */
export const notifyAssignees = async (
  tx: Transaction,
  writer: Pick<Writer, 'jobs' | 'clock'>,
  actor: Actor,
  results: readonly TriagedResult[],
): Promise<void> => {
  const assigned = results.filter(({ before, after }) => after.assignee_id !== before.assignee_id)
  const reopened = results.filter(
    ({ before, after }) => before.status === 'fixed' && (after.status === 'open' || after.status === 'confirmed'),
  )
  for (const [kind, some] of [
    ['assignment', assigned],
    ['reopened', reopened],
  ] as const) {
    for (const [userId, ofPerson] of Map.groupBy(some, ({ after }) => after.assignee_id)) {
      if (userId === null) continue
      for (const [engagementId, own] of Map.groupBy(ofPerson, ({ engagement_id }) => engagement_id)) {
        const seers = await lockMembersWithAccess(tx, actor.organizationId, engagementId, [userId])
        const object = { type: 'result' as const, id: (own[0] as TriagedResult).id }
        await notify(tx, writer, actor, [...seers], { kind, engagementId, object, tasks: own.length })
      }
    }
  }
}
