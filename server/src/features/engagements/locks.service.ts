import { ENGAGEMENT_ARCHIVED } from '@sortie/contract/core/values.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { ApiError, conflict, invalid, notFound } from '../../platform/errors.ts'
import { findEngagement, lockEngagement, lockEngagementForShare } from './engagements.queries.ts'

/**
 * Locks an engagement for a change of itself, and checks its visibility again under the lock: a caller who lost access
 * while waiting gets the same response as for a missing one.
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
 * Locks an engagement in share mode while something in it changes: changes of its status and access wait.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived one
 */
export const lockWritableEngagementForShare = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
): Promise<void> => {
  await lockEngagementForShare(tx, actor.organizationId, engagementId)
  requireWritable(await findEngagement(tx, actor.organizationId, engagementId))
}

/** @throws ApiError NOT_FOUND without an engagement, CONFLICT for an archived one */
export const requireWritable = (engagement: { status: string } | undefined): void => {
  if (!engagement) throw notFound()
  if (engagement.status === 'archived') throw conflict(ENGAGEMENT_ARCHIVED)
}

/**
 * For an engagement id in a request body, as opposed to a path or filter: a hidden engagement is an invalid value.
 *
 * @throws ApiError VALIDATION_ERROR instead of NOT_FOUND
 */
export const asBodyFieldError = async <T>(held: Promise<T>): Promise<T> => {
  try {
    return await held
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND')
      throw invalid('engagementId: there is no such engagement')
    throw error
  }
}

/** @throws ApiError NOT_FOUND for undefined */
export const requireFound = async <T>(read: Promise<T | undefined>): Promise<T> => {
  const found = await read
  if (found === undefined) throw notFound()
  return found
}
