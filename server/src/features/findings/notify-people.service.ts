import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notify } from '../notifications/notifications.service.ts'
import { lockMembersWithAccess } from './findings.queries.ts'

interface People {
  author_id: string | null
  reviewer_id: string | null
  status: RemediationStatus
}

export interface ChangedFinding {
  /** Undefined for a new finding. */
  before?: People
  after: People & { id: string; engagement_id: string }
}

const IS_DONE: readonly RemediationStatus[] = ['fixed', 'not_reproducible']
const IS_OPEN: readonly RemediationStatus[] = ['open', 'partly_fixed']

/**
 * Notifies new authors and reviewers, and those of findings that are open again; many findings at once are one notice.
 */
export const notifyPeople = async (
  tx: Transaction,
  writer: Pick<Writer, 'jobs' | 'clock'>,
  actor: Actor,
  changes: readonly ChangedFinding[],
): Promise<void> => {
  const assigned = new Map<string, ChangedFinding['after'][]>()
  const reopened = new Map<string, ChangedFinding['after'][]>()
  for (const { before, after } of changes) {
    const people = [...new Set([after.author_id, after.reviewer_id].filter((id) => id !== null))]
    const had = [before?.author_id, before?.reviewer_id]
    for (const id of people) if (!had.includes(id)) add(assigned, id, after)
    if (before && IS_DONE.includes(before.status) && IS_OPEN.includes(after.status))
      for (const id of people) add(reopened, id, after)
  }
  for (const [kind, byPerson] of [
    ['assignment', assigned],
    ['reopened', reopened],
  ] as const) {
    for (const [userId, findings] of byPerson) {
      for (const [engagementId, own] of Map.groupBy(findings, ({ engagement_id }) => engagement_id)) {
        const seers = await lockMembersWithAccess(tx, actor.organizationId, engagementId, [userId])
        await notify(tx, writer, actor, [...seers], {
          kind,
          engagementId,
          object: { type: 'finding', id: (own[0] as ChangedFinding['after']).id },
          tasks: own.length,
        })
      }
    }
  }
}

const add = <V>(map: Map<string, V[]>, id: string, value: V): void => {
  map.set(id, [...(map.get(id) ?? []), value])
}
