import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { type RawBuilder, sql } from 'kysely'
import { acquireFairLocks } from '../database/scope/fair-locks.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid } from '../errors.ts'

/** Tables whose rows have a fractional index, `position`, among those of their engagement. */
type OrderedTable = 'tasks' | 'findings'

/** Longest position, in bytes. Only thousands of moves between the same two rows reach it. */
const MAX_POSITION_BYTES = 400

interface Engagement {
  organizationId: string
  engagementId: string
}

interface PositionedRow {
  id: string
  position: string
}

export interface Order {
  /** Locks the order until the transaction ends: others who give a row of this engagement a position wait. */
  lock: (tx: Transaction, engagement: Engagement) => Promise<void>
  /** Positions for new rows, after all others. The caller has locked the order. */
  lastPositions: (tx: Transaction, engagement: Engagement, count: number) => Promise<string[]>
  /**
   * The position directly next to another row. The caller has locked the order.
   *
   * @returns the row's current position if it is already there
   * @throws ApiError VALIDATION_ERROR if the other row is not in the engagement, or in the trash
   */
  positionNextTo: (
    tx: Transaction,
    engagement: Engagement,
    row: PositionedRow,
    side: 'before' | 'after',
    otherId: string,
  ) => Promise<string>
  /** Sets new positions; `updated_at` stays. */
  updatePositions: (tx: Transaction, organizationId: string, rows: readonly PositionedRow[]) => Promise<void>
}

/** The order of the rows of an engagement, those in the trash included. @param noun names a row in messages */
export const orderOf = (table: OrderedTable, noun: string): Order => {
  const find = async (
    tx: Transaction,
    { organizationId, engagementId }: Engagement,
    rest: RawBuilder<unknown>,
  ): Promise<PositionedRow[]> => {
    const { rows } = await sql<PositionedRow>`select id, position from ${sql.table(table)}
      where organization_id = ${organizationId} and engagement_id = ${engagementId} ${rest}`.execute(tx)
    return rows
  }
  /** The row directly before or after a position. */
  const findNeighbour = async (tx: Transaction, engagement: Engagement, side: 'before' | 'after', position: string) => {
    const beyond =
      side === 'before'
        ? sql`and position < ${position} order by position desc`
        : sql`and position > ${position} order by position`
    const [neighbour] = await find(tx, engagement, sql`${beyond} limit 1`)
    return neighbour
  }
  const updatePositions: Order['updatePositions'] = async (tx, organizationId, rows) => {
    await sql`update ${sql.table(table)} as ordered set position = p.position
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ position }) => position)}::text[]) as p (id, position)
      where ordered.organization_id = ${organizationId} and ordered.id = p.id`.execute(tx)
  }
  /** Gives every row of the engagement a short position, in the same order. */
  const respread = async (tx: Transaction, engagement: Engagement): Promise<void> => {
    const rows = await find(tx, engagement, sql`order by position, id`)
    const positions = generateNKeysBetween(null, null, rows.length)
    await updatePositions(
      tx,
      engagement.organizationId,
      rows.map(({ id }, index) => ({ id, position: positions[index] as string })),
    )
  }
  const positionNextTo: Order['positionNextTo'] = async (tx, engagement, row, side, otherId) => {
    const [other] = await find(tx, engagement, sql`and id = ${otherId} and trashed_at is null`)
    if (!other) throw invalid(`${side}Id: must be another ${noun} of this engagement`)
    const neighbour = await findNeighbour(tx, engagement, side, other.position)
    if (neighbour?.id === row.id) return row.position
    const [low, high] =
      side === 'before' ? [neighbour?.position, other.position] : [other.position, neighbour?.position]
    const position = generateKeyBetween(low, high)
    if (position.length <= MAX_POSITION_BYTES) return position
    await respread(tx, engagement)
    return positionNextTo(tx, engagement, row, side, otherId)
  }
  return {
    lock: (tx, { engagementId }) => acquireFairLocks(tx, { exclusive: [`${noun} order ${engagementId}`] }),
    lastPositions: async (tx, engagement, count) => {
      const [last] = await find(tx, engagement, sql`order by position desc limit 1`)
      return generateNKeysBetween(last?.position, null, count)
    },
    positionNextTo,
    updatePositions,
  }
}
