import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { takeFairLocks } from '../../platform/database/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import * as query from './order.queries.ts'

/** Longest position, in bytes. Only who moves thousands of tasks between the same two meets it. */
const MAX_POSITION_BYTES = 400

interface Engagement {
  organizationId: string
  engagementId: string
}

/** Until the transaction ends, whoever else gives a task of this engagement a position waits. */
export const lockOrder = (tx: Transaction, { engagementId }: Engagement): Promise<void> => takeFairLocks(tx, { alone: [`task order ${engagementId}`] })

/** Positions for so many new tasks, behind all others. The order is locked. */
export const lastPositions = async (tx: Transaction, { organizationId, engagementId }: Engagement, count: number): Promise<string[]> => {
  const last = await query.findNeighbour(tx, organizationId, engagementId, 'before', undefined)
  return generateNKeysBetween(last?.position, null, count)
}

/**
 * The position directly beside another task. The order is locked.
 *
 * @returns the task's own where it stands there already
 * @throws ApiError VALIDATION_ERROR where the other task is not in the engagement
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
  if (!other) throw invalid(`${side}Id: is no other task of this engagement`)
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
