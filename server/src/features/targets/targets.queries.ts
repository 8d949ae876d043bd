import { sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Targets } from '../../platform/database/types.gen.ts'
import { fieldsOf } from '../../platform/fields/field-values.ts'
import type { Verdict } from '../scope/rules/rule-set.ts'

const COLUMNS = [
  't.id',
  't.engagement_id',
  't.kind',
  't.value',
  't.canonical',
  't.tags',
  't.criticality',
  't.notes',
  't.source',
  't.parent_id',
  't.first_seen_at',
  't.last_seen_at',
  't.created_at',
  't.updated_at',
  't.trashed_at',
  'v.verdict',
  'v.scope_rule_id',
] as const

/** A left join, so that Postgres skips the verdicts if no column of them is read: every target has one. */
export const selectTargets = (db: Database, organizationId: string) =>
  db
    .selectFrom('targets as t')
    .leftJoin('target_verdicts as v', (join) =>
      join.onRef('v.target_id', '=', 't.id').onRef('v.organization_id', '=', 't.organization_id'),
    )
    .select(COLUMNS)
    .select(fieldsOf('t').as('fields'))
    .where('t.organization_id', '=', organizationId)

export const findTarget = (db: Database, organizationId: string, targetId: string) =>
  selectTargets(db, organizationId).where('t.id', '=', targetId).executeTakeFirst()

export type TargetRow = NonNullable<Awaited<ReturnType<typeof findTarget>>>

/** Locked until the transaction ends: changes of one target wait for each other. */
export const lockTarget = async (tx: Transaction, organizationId: string, targetId: string): Promise<void> => {
  await tx
    .selectFrom('targets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', targetId)
    .forUpdate()
    .execute()
}

/** Keeps a target, which the transaction refers to, until it ends. @returns false if it is gone */
export const lockTargetForShare = async (
  tx: Transaction,
  organizationId: string,
  targetId: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('targets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', targetId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export interface NewTarget {
  id: string
  kind: string
  value: string
  canonical: string
  /** Hexadecimal. */
  identity: string
  order_key: string
  tags: readonly string[]
  criticality: number
  notes: string
  source: string
  parent_id: string | null
  first_seen_at: string | null
  last_seen_at: string | null
  verdict: Verdict
  scope_rule_id: string | null
}

/**
 * Inserts the targets that do not exist yet, with their verdicts, in one statement.
 *
 * @returns the ids that were inserted
 */
export const insertTargets = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  targets: readonly NewTarget[],
  now: string,
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(targets)}::json) as r (
        id text, kind text, value text, canonical text, identity text, order_key text, tags text[], criticality smallint, notes text, source text,
        parent_id text, first_seen_at timestamptz, last_seen_at timestamptz, verdict text, scope_rule_id text)
    ), inserted as (
      insert into targets (id, organization_id, engagement_id, kind, value, canonical, identity, order_key, tags, criticality, notes, source,
        parent_id, first_seen_at, last_seen_at, created_at, updated_at)
      select id, ${organizationId}, ${engagementId}, kind, value, canonical, decode(identity, 'hex'), order_key, tags, criticality, notes, source,
        parent_id, first_seen_at, last_seen_at, ${now}::timestamptz, ${now}::timestamptz
      from wanted
      on conflict (identity) do nothing
      returning id
    ), evaluated as (
      insert into target_verdicts (target_id, organization_id, engagement_id, verdict, scope_rule_id)
      select w.id, ${organizationId}, ${engagementId}, w.verdict, w.scope_rule_id from wanted w join inserted i on i.id = w.id
    )
    select id from inserted`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Ids of the targets with these fingerprints (hexadecimal), by fingerprint. */
export const listByIdentity = async (
  db: Database,
  organizationId: string,
  identities: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; identity: string }>`
    select t.id, encode(t.identity, 'hex') as identity
    from unnest(${identities}::text[]) as wanted (identity)
    cross join lateral (
      select id, identity from targets where organization_id = ${organizationId} and identity = decode(wanted.identity, 'hex') limit 1
    ) t`.execute(db)
  return new Map(rows.map(({ id, identity }) => [identity, id]))
}

/** @param max counting stops there */
export const countTargets = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from targets where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Counts per kind and per verdict. */
export const summarizeTargets = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ by: 'kind' | 'verdict'; word: string; count: number }>`
    select 'kind' as by, kind as word, count(*) as count from targets
      where organization_id = ${organizationId} and engagement_id = ${engagementId} group by kind
    union all
    select 'verdict', verdict, count(*) from target_verdicts
      where organization_id = ${organizationId} and engagement_id = ${engagementId} group by verdict`.execute(db)
  return rows
}

/** Target networks, by sort key. */
export const listNetworks = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('targets')
    .select(['id', 'order_key'])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('kind', '=', 'cidr')
    .execute()

/** @returns true if `targetId` is `ancestorId` or below it; a chain of more than 100 counts as below */
export const findIsWithin = async (
  db: Database,
  organizationId: string,
  targetId: string,
  ancestorId: string,
): Promise<boolean> => {
  const { rows } = await sql<{ is_within: boolean }>`
    with recursive above as (
      select id, parent_id, 1 as depth from targets where organization_id = ${organizationId} and id = ${targetId}
      union all
      select t.id, t.parent_id, a.depth + 1 from above a join targets t on t.organization_id = ${organizationId} and t.id = a.parent_id where a.depth <= 100
    )
    select coalesce(bool_or(id = ${ancestorId} or depth > 100), false) as is_within from above`.execute(db)
  return rows[0]?.is_within ?? false
}

export const updateTarget = async (
  tx: Transaction,
  organizationId: string,
  targetId: string,
  targetColumns: Updateable<Targets>,
): Promise<void> => {
  await tx
    .updateTable('targets')
    .set(targetColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', targetId)
    .execute()
}

/** Records that they were seen; other columns, `updated_at` included, stay. */
export const setSeen = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
  seenAt: string,
): Promise<void> => {
  await sql`update targets set first_seen_at = least(first_seen_at, ${seenAt}), last_seen_at = greatest(last_seen_at, ${seenAt})
    where organization_id = ${organizationId} and id = any(${targetIds})
      and (first_seen_at is null or first_seen_at > ${seenAt} or last_seen_at < ${seenAt})`.execute(tx)
}

export interface BulkChange {
  criticality: number | undefined
  addTags: readonly string[]
  removeTags: readonly string[]
}

/** Former values of a target, and the time of the change that replaced them. */
export interface FormerTarget {
  id: string
  updated_at: string
  tags: string[]
  criticality: number
}

/**
 * Changes those of these targets that are not so already. @returns the most tags that one has now, and the former
 * values of those that changed
 */
export const updateTargets = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
  bulk: BulkChange,
  now: string,
) => {
  const { criticality = null, addTags, removeTags } = bulk
  const { rows } = await sql<{ most: number; changed: FormerTarget[] }>`
    with wanted as (
      select t.id, t.tags as former_tags, t.criticality as former_criticality, coalesce(${criticality}::smallint, t.criticality) as criticality, kept.tags || array(
        select added from unnest(${addTags}::text[]) with ordinality a (added, place) where added <> all (kept.tags) order by place) as tags
      from targets t
      cross join lateral (select array(
        select tag from unnest(t.tags) with ordinality o (tag, place) where tag <> all (${removeTags}::text[]) order by place) as tags) kept
      where t.organization_id = ${organizationId} and t.id = any(${targetIds})
    ), changed as (
      update targets t set tags = w.tags, criticality = w.criticality, updated_at = greatest(${now}::timestamptz, t.updated_at + interval '1 millisecond')
      from wanted w
      where t.organization_id = ${organizationId} and t.id = w.id and (t.tags <> w.tags or t.criticality <> w.criticality)
      returning t.id, t.updated_at, w.former_tags, w.former_criticality
    )
    select coalesce(max(cardinality(tags)), 0) as most, coalesce((select jsonb_agg(jsonb_build_object('id', id,
      'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'tags', former_tags, 'criticality', former_criticality))
      from changed), '[]') as changed from wanted`.execute(tx)
  return rows[0] ?? { most: 0, changed: [] }
}

/** The columns that a copy keeps, in the order of ids. */
export const listForCloning = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  after: string,
  limit: number,
) => {
  const { rows } = await sql<
    Omit<NewTarget, 'identity' | 'parent_id' | 'verdict' | 'scope_rule_id' | 'first_seen_at' | 'last_seen_at'>
  >`
    select id, kind, value, canonical, order_key, tags, criticality, notes, source
    from targets where organization_id = ${organizationId} and engagement_id = ${engagementId} and id > ${after} order by id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Targets with a parent: kind and canonical form of both. */
export const listParentsForCloning = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  after: string,
  limit: number,
) => {
  const { rows } = await sql<{
    id: string
    kind: string
    canonical: string
    parent_kind: string
    parent_canonical: string
  }>`
    select t.id, t.kind, t.canonical, p.kind as parent_kind, p.canonical as parent_canonical
    from targets t join targets p on p.id = t.parent_id
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id > ${after} order by t.id limit ${limit}`.execute(
    db,
  )
  return rows
}

export const setParents = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  pairs: readonly { child: string; parent: string }[],
): Promise<void> => {
  await sql`update targets t set parent_id = p.parent from json_to_recordset(${JSON.stringify(pairs)}::json) as p (child text, parent text)
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id = p.child`.execute(tx)
}

/** Titles of these targets; hidden ones are omitted. */
export const listTargetTitles = (db: Database, organizationId: string, targetIds: readonly string[]) =>
  db
    .selectFrom('targets')
    .select(['id', 'value', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${targetIds})`)
    .execute()

/** The scan data of these targets, in the order of `targetIds`; hidden ones are omitted. */
export const listScanTargets = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  targetIds: readonly string[],
) => {
  const { rows } = await sql<ScanTarget>`
    select t.id, t.kind, t.canonical, t.order_key, v.verdict, r.pattern
    from unnest(${targetIds}::text[]) with ordinality as wanted (id, place)
    join targets t on t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id = wanted.id
    join target_verdicts v on v.organization_id = t.organization_id and v.target_id = t.id
    left join scope_rules r on r.organization_id = t.organization_id and r.id = v.scope_rule_id
    order by wanted.place`.execute(db)
  return rows
}

export interface ScanTarget {
  id: string
  kind: string
  canonical: string
  order_key: string
  verdict: Verdict
  /** Pattern of the rule that decided; null if none covers the target. */
  pattern: string | null
}
