import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { type Actor, isLimitedKey } from '../../platform/auth/actor.ts'
import { takeFairLocks } from '../../platform/database/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden } from '../../platform/errors.ts'
import { namedInBody, shareWritableEngagement } from '../engagements/locks.service.ts'

/**
 * Holds the engagement that something is put into, as it is named in a body; null is the organization.
 *
 * @throws ApiError VALIDATION_ERROR for an engagement that is not seen, CONFLICT for an archived one, FORBIDDEN for a key
 *   that is limited to engagements and names none
 */
export const holdEngagementInBody = async (tx: Transaction, actor: Actor, engagementId: string | null): Promise<void> => {
  if (engagementId === null) requireWholeOrganization(actor)
  else await namedInBody(shareWritableEngagement(tx, actor, engagementId))
}

/** The same for what exists: it is seen, and so is its engagement. */
export const holdEngagement = async (tx: Transaction, actor: Actor, engagementId: string | null): Promise<void> => {
  if (engagementId !== null) await shareWritableEngagement(tx, actor, engagementId)
}

/** @throws ApiError FORBIDDEN for a key that is limited to engagements */
export const requireWholeOrganization = (actor: Actor): void => {
  if (isLimitedKey(actor)) throw forbidden('This key is limited to engagements: name one of them in engagementId.')
}

/** Where things have an order: an engagement, or the organization. */
export interface Place {
  organizationId: string
  engagementId: string | null
}

/** Whoever changes the order or the tree of a place waits for whoever does so before: all of them make one order. */
export const lockOrder = (tx: Transaction, kind: 'folders' | 'requests', { organizationId, engagementId }: Place): Promise<void> =>
  takeFairLocks(tx, { alone: [`order of ${kind} ${organizationId} ${engagementId ?? 'organization'}`] })

/** Keys have at most 400 bytes; only thousands of moves to the same spot come near. */
const MAX_KEY_BYTES = 400

/**
 * A position between two others; null is the end of the list.
 *
 * @throws ApiError CONFLICT where nothing more fits between them
 */
export const positionBetween = (before: string | null, after: string | null): string => {
  const key = generateKeyBetween(before, after)
  if (key.length > MAX_KEY_BYTES) throw conflict('Nothing more fits between these two: move it to another place first.')
  return key
}

export const positionsAfter = (last: string | null, count: number): string[] => generateNKeysBetween(last, null, count)
