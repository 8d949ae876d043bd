import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import * as query from './order.queries.ts'

/** Longest position, in bytes. Only thousands of moves between the same two tasks reach it. */
const MAX_POSITION_BYTES = 400

interface Engagement {
  organizationId: string
  engagementId: string
}

/** Locks the order until the transaction ends: others who give a task of this engagement a position wait. */
export const lockOrder = (tx: Transaction, { engagementId }: Engagement): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [`task order ${engagementId}`] })

/** Positions for new tasks, after all others. The caller has locked the order. */
export const lastPositions = async (
  tx: Transaction,
  { organizationId, engagementId }: Engagement,
  count: number,
): Promise<string[]> => {
  const last = await query.findNeighbour(tx, organizationId, engagementId, 'before', undefined)
  return generateNKeysBetween(last?.position, null, count)
}

/**
 * The position directly next to another task. The caller has locked the order.
 *
 * @returns the task's current position if it is already there
 * @throws ApiError VALIDATION_ERROR if the other task is not in the engagement
 */
export const positionBeside = async (
  tx: Transaction,
  engagement: Engagement,
  task: { id: string; position: string },
  side: 'before' | 'after',
  otherId: string,
): Promise<string> => {
  const { organizationId, engagementId } = engagement
  const other = await query.findPlace(tx, organizationId, engagementId, otherId)
  if (!other) throw invalid(`${side}Id: must be another task of this engagement`)
  const neighbour = await query.findNeighbour(tx, organizationId, engagementId, side, other.position)
  if (neighbour?.id === task.id) return task.position
  const [low, high] = side === 'before' ? [neighbour?.position, other.position] : [other.position, neighbour?.position]
  const position = generateKeyBetween(low, high)
  if (position.length <= MAX_POSITION_BYTES) return position
  await respread(tx, engagement)
  return positionBeside(tx, engagement, task, side, otherId)
}

/** Gives every task of the engagement a short position, in the same order. */
const respread = async (tx: Transaction, { organizationId, engagementId }: Engagement): Promise<void> => {
  const places = await query.listPlaces(tx, organizationId, engagementId)
  const positions = generateNKeysBetween(null, null, places.length)
  await query.updatePositions(
    tx,
    organizationId,
    places.map(({ id }, index) => ({ id, position: positions[index] as string })),
  )
}
