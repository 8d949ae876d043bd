import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

interface TaskPosition {
  id: string
  position: string
}

const ofEngagement = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('tasks')
    .select(['id', 'position'])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)

export const findPlace = (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  taskId: string,
): Promise<TaskPosition | undefined> =>
  ofEngagement(tx, organizationId, engagementId).where('id', '=', taskId).executeTakeFirst()

/** The task directly before or after a position; without a position the last or the first one. */
export const findNeighbour = (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  side: 'before' | 'after',
  position: string | undefined,
): Promise<TaskPosition | undefined> => {
  const all = ofEngagement(tx, organizationId, engagementId)
  const beyond = position === undefined ? all : all.where('position', side === 'before' ? '<' : '>', position)
  return beyond
    .orderBy('position', side === 'before' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst()
}

export const listPlaces = (tx: Transaction, organizationId: string, engagementId: string): Promise<TaskPosition[]> =>
  ofEngagement(tx, organizationId, engagementId).orderBy('position').orderBy('id').execute()

/** Sets new positions; `updated_at` stays. */
export const updatePositions = async (
  tx: Transaction,
  organizationId: string,
  places: readonly TaskPosition[],
): Promise<void> => {
  await sql`update tasks set position = p.position
    from unnest(${places.map(({ id }) => id)}::text[], ${places.map(({ position }) => position)}::text[]) as p (id, position)
    where tasks.organization_id = ${organizationId} and tasks.id = p.id`.execute(tx)
}
