import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { findEngagement, lockEngagement, shareEngagement } from './engagements.queries.ts'

/**
 * Locks an engagement for a change of itself. Looked at once more under the lock: who lost access while the change waited
 * is answered as if it were not there.
 *
 * @throws ApiError NOT_FOUND
 */
export const lockVisibleEngagement = async (tx: Transaction, actor: Actor, engagementId: string) => {
  await lockEngagement(tx, actor.organizationId, engagementId)
  const engagement = await findEngagement(tx, actor.organizationId, engagementId)
  if (!engagement) throw notFound()
  return engagement
}

/**
 * Holds an engagement as it is while something in it changes: its status and its access wait.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived one
 */
export const shareWritableEngagement = async (tx: Transaction, actor: Actor, engagementId: string): Promise<void> => {
  await shareEngagement(tx, actor.organizationId, engagementId)
  requireWritable(await findEngagement(tx, actor.organizationId, engagementId))
}

export const ARCHIVED = 'This engagement is archived: reopen it first.'

/** @throws ApiError NOT_FOUND without an engagement, CONFLICT for an archived one */
export const requireWritable = (engagement: { status: string } | undefined): void => {
  if (!engagement) throw notFound()
  if (engagement.status === 'archived') throw conflict(ARCHIVED)
}
