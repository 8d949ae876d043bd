import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { acquireFairLocks } from '../../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import { invalid } from '../../../../platform/errors.ts'
import { findPageSummary } from '../pages.queries.ts'
import { findLastPosition, findNextPosition, listSiblingIds, updatePositions } from './tree.queries.ts'

/** Keys grow when pages are repeatedly inserted between the same two; longer keys are regenerated. */
const MAX_KEY_LENGTH = 100

/** A position among the pages with the same parent; without a sibling, last. */
export interface PagePosition {
  parentId: string | null
  beforeId?: string | undefined
  afterId?: string | undefined
}

/**
 * Locked by every change of a tree's structure until the transaction ends: guards against cycles and duplicate order
 * keys.
 */
export const lockTree = (tx: Transaction, organizationId: string, engagementId: string | null): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [`wiki tree ${organizationId} ${engagementId ?? ''}`] })

/**
 * The order key of a position, in a tree that the transaction has locked.
 *
 * @throws ApiError VALIDATION_ERROR if the sibling is not a page with that parent
 */
export const positionOf = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  place: PagePosition,
): Promise<string> => {
  const key = await keyOf(tx, organizationId, engagementId, place)
  if (key.length <= MAX_KEY_LENGTH) return key
  const ids = await listSiblingIds(tx, organizationId, engagementId, place.parentId)
  await updatePositions(tx, organizationId, ids, generateNKeysBetween(null, null, ids.length))
  return keyOf(tx, organizationId, engagementId, place)
}

const keyOf = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  { parentId, beforeId, afterId }: PagePosition,
): Promise<string> => {
  const [field, neighbourId] =
    beforeId === undefined ? (['afterId', afterId] as const) : (['beforeId', beforeId] as const)
  if (neighbourId === undefined) {
    return generateKeyBetween((await findLastPosition(tx, organizationId, engagementId, parentId)) ?? null, null)
  }
  const neighbour = await findPageSummary(tx, organizationId, neighbourId)
  if (
    !neighbour ||
    neighbour.trashed_at !== null ||
    neighbour.engagement_id !== engagementId ||
    neighbour.parent_id !== parentId
  ) {
    throw invalid(`${field}: must be a page below parentId`)
  }
  const side = field === 'beforeId' ? 'before' : 'after'
  const next = (await findNextPosition(tx, organizationId, engagementId, parentId, neighbour.position, side)) ?? null
  return side === 'before' ? generateKeyBetween(next, neighbour.position) : generateKeyBetween(neighbour.position, next)
}
