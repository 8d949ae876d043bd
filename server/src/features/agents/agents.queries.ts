import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows, hasRow } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Agents } from '../../platform/database/types.gen.ts'

/** The engagements of its key, without those that the database hides from the caller. */
const selectAgents = (db: Database, organizationId: string) =>
  db
    .selectFrom('agents as a')
    .innerJoin('api_keys as k', (join) =>
      join.onRef('k.organization_id', '=', 'a.organization_id').onRef('k.id', '=', 'a.key_id'),
    )
    .innerJoin('users as o', 'o.id', 'a.owner_id')
    .leftJoin('users as s', 's.id', 'a.stopped_by')
    .selectAll('a')
    .select(['k.scopes', 'k.stopped_at', 'k.expires_at', 'k.last_used_at'])
    .select(['o.name as owner_name', 's.name as stopped_by_name'])
    .select(({ selectFrom }) =>
      selectFrom('api_key_engagements as e')
        .innerJoin('engagements as n', (join) =>
          join.onRef('n.organization_id', '=', 'e.organization_id').onRef('n.id', '=', 'e.engagement_id'),
        )
        .whereRef('e.organization_id', '=', 'a.organization_id')
        .whereRef('e.api_key_id', '=', 'k.id')
        .select(({ fn }) => fn<string[]>('array_agg', ['e.engagement_id']).as('ids'))
        .as('engagement_ids'),
    )
    .where('a.organization_id', '=', organizationId)

export type AgentRow = Awaited<ReturnType<ReturnType<typeof selectAgents>['execute']>>[number]

/** Newest first. */
export const listAgents = (db: Database, organizationId: string): Promise<AgentRow[]> =>
  selectAgents(db, organizationId).orderBy('a.id', 'desc').execute()

export const findAgent = (db: Database, organizationId: string, agentId: string): Promise<AgentRow | undefined> =>
  selectAgents(db, organizationId).where('a.id', '=', agentId).executeTakeFirst()

export const countAgents = (tx: Transaction, organizationId: string): Promise<number> =>
  countRows(tx.selectFrom('agents').where('organization_id', '=', organizationId))

/** The engagements that a member leads. */
export const listLed = async (db: Database, organizationId: string, userId: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('engagement_members')
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('part', '=', 'lead')
    .execute()
  return new Set(rows.map((row) => row.engagement_id))
}

export const insertAgent = async (tx: Transaction, row: Insertable<Agents>): Promise<void> => {
  await tx.insertInto('agents').values(row).execute()
}

export const updateAgent = async (
  tx: Transaction,
  organizationId: string,
  agentId: string,
  change: { name?: string; description?: string; model?: string; updated_at: string },
): Promise<void> => {
  await tx
    .updateTable('agents')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .execute()
}

/** @param by undefined to start them */
export const setStopped = async (
  tx: Transaction,
  organizationId: string,
  agentIds: readonly string[],
  by: { userId: string; reason: string } | undefined,
  now: string,
): Promise<void> => {
  if (agentIds.length === 0) return
  await tx
    .updateTable('agents')
    .set({ stopped_by: by?.userId ?? null, stop_reason: by?.reason ?? null, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', agentIds)
    .execute()
}

export const isEngagement = (db: Database, organizationId: string, engagementId: string): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('engagements')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', engagementId),
  )

/** Those among these engagements that the database shows. */
export const listVisible = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
