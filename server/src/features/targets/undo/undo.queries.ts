import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { NewVerdict } from '../verdicts/verdicts.queries.ts'

/**
 * Prepares targets for the trash: the targets below them stay, and remember them, as their results do (migration 0010).
 * Another target may have their value from now on. The transaction sees the trash.
 */
export const detachTargets = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
): Promise<void> => {
  const ids = sql`any(${targetIds}::text[])`
  await sql`update targets set identity = sha256(convert_to('trash ' || id, 'UTF8')) where organization_id = ${organizationId} and id = ${ids}`.execute(
    tx,
  )
  await sql`delete from target_verdicts where organization_id = ${organizationId} and target_id = ${ids}`.execute(tx)
  await sql`update targets set parent_id = null, trashed_parent_id = parent_id where organization_id = ${organizationId} and parent_id = ${ids}`.execute(
    tx,
  )
}

export interface TrashedTarget {
  id: string
  kind: string
  canonical: string
  order_key: string
  parent_id: string | null
}

/**
 * Locks targets of an engagement that are in the trash, the one that was deleted last first. The transaction sees the
 * trash.
 */
export const lockTrashed = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  targetIds: readonly string[],
): Promise<TrashedTarget[]> => {
  const { rows } = await sql<TrashedTarget>`select id, kind, canonical, order_key, parent_id from targets
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${targetIds}::text[]) and trashed_at is not null
    order by trashed_at desc, id desc for update`.execute(tx)
  return rows
}

/** Restores targets, with their identity and their verdict. The transaction sees the trash. */
export const attachTargets = async (
  tx: Transaction,
  { organizationId, engagementId }: { organizationId: string; engagementId: string },
  targets: readonly (NewVerdict & { identity: string })[],
): Promise<void> => {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as w (id text, identity text, verdict text, "ruleId" text)`
  await sql`update targets t set trashed_at = null, identity = decode(w.identity, 'hex') from ${wanted}
    where t.organization_id = ${organizationId} and t.id = w.id`.execute(tx)
  await sql`insert into target_verdicts (target_id, organization_id, engagement_id, verdict, scope_rule_id)
    select w.id, ${organizationId}, ${engagementId}, w.verdict, nullif(w."ruleId", '') from ${wanted}`.execute(tx)
}

/**
 * Targets without a parent, with the one that they were below: one of these, or they are one of these and it is there.
 */
export const listFormerChildren = async (tx: Transaction, organizationId: string, targetIds: readonly string[]) => {
  const { rows } = await sql<{ child: string; parent: string }>`
    select c.id as child, c.trashed_parent_id as parent from targets c
    where c.organization_id = ${organizationId} and c.trashed_parent_id = any(${targetIds}::text[]) and c.parent_id is null
    union
    select c.id, c.trashed_parent_id from targets c join targets p on p.organization_id = c.organization_id and p.id = c.trashed_parent_id
    where c.organization_id = ${organizationId} and c.id = any(${targetIds}::text[]) and c.parent_id is null
    order by child`.execute(tx)
  return rows
}

/** The targets above these, with their parents, at most 100 levels. */
export const listAncestry = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; parent_id: string }>`
    with recursive above as (
      select id, parent_id, 1 as depth from targets where organization_id = ${organizationId} and id = any(${targetIds}::text[])
      union
      select t.id, t.parent_id, a.depth + 1 from above a join targets t on t.organization_id = ${organizationId} and t.id = a.parent_id where a.depth <= 100
    )
    select distinct id, parent_id from above where parent_id is not null`.execute(tx)
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
}

export const attachChildren = async (
  tx: Transaction,
  organizationId: string,
  pairs: readonly { child: string; parent: string }[],
): Promise<void> => {
  if (pairs.length === 0) return
  await sql`update targets t set parent_id = p.parent, trashed_parent_id = null
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (child text, parent text)
    where t.organization_id = ${organizationId} and t.id = p.child`.execute(tx)
}

/** The values of a target that a bulk change can set. */
export interface RevertedTarget {
  id: string
  tags: readonly string[]
  criticality: number
}

/** Locks targets in the order of ids. @returns their values */
export const lockValues = async (tx: Transaction, organizationId: string, targetIds: readonly string[]) => {
  const { rows } = await sql<
    RevertedTarget & { engagement_id: string; updated_at: string }
  >`select id, engagement_id, tags, criticality, updated_at
    from targets where organization_id = ${organizationId} and id = any(${targetIds}::text[]) order by id for update`.execute(
    tx,
  )
  return rows
}

/** Writes the values of targets that the transaction has locked. */
export const writeValues = async (
  tx: Transaction,
  organizationId: string,
  targets: readonly RevertedTarget[],
  now: string,
): Promise<void> => {
  await sql`update targets t set tags = x.tags, criticality = x.criticality,
      updated_at = greatest(${now}::timestamptz, t.updated_at + interval '1 millisecond')
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as x (id text, tags text[], criticality smallint)
    where t.organization_id = ${organizationId} and t.id = x.id and t.id = any(${targets.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}

export const deleteTargets = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
): Promise<void> => {
  await sql`delete from targets where organization_id = ${organizationId} and id = any(${targetIds}::text[])`.execute(
    tx,
  )
}
