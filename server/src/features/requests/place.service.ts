import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { type Actor, isLimitedKey } from '../../platform/auth/actor.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden } from '../../platform/errors.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'

/**
 * Locks the engagement that a request body names; null is the organization.
 *
 * @throws ApiError VALIDATION_ERROR for an unknown engagement, CONFLICT for an archived one, FORBIDDEN for a key that
 *   is limited to engagements if none is named
 */
export const lockWritablePlaceInBody = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string | null,
): Promise<void> => {
  if (engagementId === null) requireWholeOrganization(actor)
  else await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
}

/** Locks the engagement of an existing object, which the caller can see. */
export const lockWritablePlace = async (tx: Transaction, actor: Actor, engagementId: string | null): Promise<void> => {
  if (engagementId !== null) await lockWritableEngagementForShare(tx, actor, engagementId)
}

/** @throws ApiError FORBIDDEN for a key that is limited to engagements */
export const requireWholeOrganization = (actor: Actor): void => {
  if (isLimitedKey(actor)) throw forbidden('This key is limited to engagements: name one of them in engagementId.')
}

/** The scope of an ordered list: an engagement, or the organization. */
export interface RequestOwner {
  organizationId: string
  engagementId: string | null
}

/** Serializes changes of the order or the tree in one place. */
export const lockOrder = (
  tx: Transaction,
  kind: 'folders' | 'requests',
  { organizationId, engagementId }: RequestOwner,
): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [`order of ${kind} ${organizationId} ${engagementId ?? 'organization'}`] })

/** Maximum length of a position; only thousands of moves to one spot come near it. */
const MAX_KEY_BYTES = 400

/**
 * Returns a position between two others; null is the end of the list.
 *
 * @throws ApiError CONFLICT if no position is left between them
 */
export const positionBetween = (before: string | null, after: string | null): string => {
  const key = generateKeyBetween(before, after)
  if (key.length > MAX_KEY_BYTES)
    throw conflict('There is no position left between these two: move it elsewhere first.')
  return key
}

export const positionsAfter = (last: string | null, count: number): string[] => generateNKeysBetween(last, null, count)
