import { MAX_TOTAL } from '@sortie/contract/core/endpoint.ts'
import { SEVERITIES } from '@sortie/contract/core/values.ts'
import * as contract from '@sortie/contract/inventory/results.ts'
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Results, TargetVerdicts } from '../../platform/database/types.gen.ts'
import {
  anyIn,
  anyOf,
  anyOfOrNone,
  condition,
  containsFolded,
  type Filter,
  type QueryContext,
  isOneOf,
  onlyWhere,
  since,
} from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import type { Data } from '../inventory/merge/merge.ts'
import { byRule, partOfFinding } from './finding-filters.ts'

const COLUMNS = [
  'r.id',
  'r.engagement_id',
  'r.kind',
  'r.identity',
  'r.asset',
  'r.title',
  'r.severity',
  'r.is_severity_set',
  'r.status',
  'r.state',
  'r.tools',
  'r.tags',
  'r.assignee_id',
  'r.notes',
  'r.accepted_until',
  'r.reopened_at',
  'r.includes',
  'r.retest_of',
  'r.first_seen_at',
  'r.last_seen_at',
  'r.created_at',
  'r.updated_at',
  'r.trashed_at',
] as const

/** The target of the requested name or host; while rules deny the address, the address's target. */
const TARGET = sql<string | null>`coalesce(d.target_id, r.target_id)`

/** Of a target that is out by its address, else of its own place, else of the target. */
const VERDICT = sql<TargetVerdicts['verdict']>`coalesce(d.verdict, r.own_verdict, v.verdict, 'unknown')`

/** Rows of lists, without large fields. */
export const selectResults = (db: Database, organizationId: string) =>
  db
    .selectFrom('results as r')
    .leftJoin('users as a', 'a.id', 'r.assignee_id')
    // A result and its target share the engagement; this lets an index find the few targets of a verdict.
    .leftJoin('target_verdicts as v', (join) =>
      join.onRef('v.target_id', '=', 'r.target_id').onRef('v.engagement_id', '=', 'r.engagement_id'),
    )
    .leftJoin('target_verdicts as d', (join) =>
      join
        .onRef('d.target_id', '=', 'r.address_target_id')
        .onRef('d.engagement_id', '=', 'r.engagement_id')
        .on(sql<SqlBool>`d.verdict = 'out'`)
        .on('d.scope_rule_id', 'is not', null),
    )
    .select((select) => [
      ...COLUMNS,
      TARGET.as('target_id'),
      select.ref('r.data').$castTo<Data>().as('data'),
      'a.name as assignee_name',
      VERDICT.as('verdict'),
    ])
    .where('r.organization_id', '=', organizationId)

export type ResultRow = Awaited<ReturnType<ReturnType<typeof selectResults>['executeTakeFirstOrThrow']>>

/** Finds a result with all its data. */
export const findResult = (db: Database, organizationId: string, resultId: string) =>
  selectResults(db, organizationId)
    .select((select) => select.ref('r.large_data').$castTo<Data>().as('large_data'))
    .where('r.id', '=', resultId)
    .executeTakeFirst()

export type WholeResultRow = NonNullable<Awaited<ReturnType<typeof findResult>>>

/** Sort value: results without a severity come below all others. */
const SEVERITY = sql`coalesce(r.severity, -1)`

const bySeverity: Filter = {
  where: (words: readonly string[]) => {
    const numbers = words.map((word) => (SEVERITIES as readonly string[]).indexOf(word))
    return numbers.length === 1 ? sql`${SEVERITY} = ${numbers[0]}` : sql`${SEVERITY} = any(${numbers})`
  },
  facet: { expression: sql`(array['info', 'low', 'medium', 'high', 'critical'])[r.severity + 1]`, isArray: false },
}

/** Compares both columns too, because each has its own index. */
const isOfTargets = (ids: readonly string[]) =>
  sql<SqlBool>`((r.target_id = any(${ids}::text[]) or r.address_target_id = any(${ids}::text[])) and ${TARGET} = any(${ids}::text[]))`

const IS_OF_NONE = sql<SqlBool>`(r.target_id is null and d.target_id is null)`

const ofTarget: Filter = {
  ...anyOfOrNone(TARGET),
  where: (ids: readonly string[]) => sql<SqlBool>`(${sql.join(targetParts(ids), sql` or `)})`,
  parts: (ids: readonly string[]) => targetParts(ids),
}

const targetParts = (ids: readonly string[]) => {
  const wanted = ids.filter((id) => id !== 'none')
  return [...(wanted.length < ids.length ? [IS_OF_NONE] : []), ...(wanted.length > 0 ? [isOfTargets(wanted)] : [])]
}

/** True if the target's verdict applies and no other one overrides it. */
const isByTarget = (verdicts: readonly string[]) =>
  sql<SqlBool>`(${isOneOf(sql.ref('v.verdict'), verdicts)} and d.target_id is null and r.own_verdict is null)`

/** The target's verdict, the own verdict, an address that is out, and no verdict; each part uses its own index. */
const ofVerdict: Filter = {
  ...anyOf(VERDICT),
  isOfJoinedTable: true,
  parts: (verdicts: readonly string[]) => [
    isByTarget(verdicts),
    sql<SqlBool>`(${isOneOf(sql.ref('r.own_verdict'), verdicts)} and d.target_id is null)`,
    ...(verdicts.includes('out') ? [sql<SqlBool>`d.target_id is not null`] : []),
    ...(verdicts.includes('unknown') ? [sql<SqlBool>`(${IS_OF_NONE} and r.own_verdict is null)`] : []),
  ],
  few: async (verdicts: readonly string[], asker: QueryContext) => [
    await idsIfSelective(isByTarget(verdicts), asker, sql`r.target_id`, isOneOf(sql.ref('t.verdict'), verdicts)),
    undefined,
    ...(verdicts.includes('out')
      ? [await idsIfSelective(sql`d.target_id is not null`, asker, sql`r.address_target_id`, IS_DENIED)]
      : []),
    ...(verdicts.includes('unknown') ? [undefined] : []),
  ],
}

const IS_DENIED = sql<SqlBool>`t.verdict = 'out' and t.scope_rule_id is not null`

/**
 * Reads targets first, then each one's results by index; `offset 0` fixes this order. Stops if there are too many
 * targets.
 */
const idsIfSelective = async (
  isWanted: RawBuilder<SqlBool>,
  { db, actor: { organizationId }, engagementId }: QueryContext,
  column: RawBuilder<unknown>,
  isOfVerdict: RawBuilder<SqlBool>,
): Promise<RawBuilder<SqlBool> | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select own.id from engagements e join target_verdicts t on t.engagement_id = e.id
    cross join lateral (select r.id from results r where r.organization_id = ${organizationId} and ${column} = t.target_id offset 0) own
    where e.organization_id = ${organizationId} and (${engagementId ?? null}::text is null or e.id = ${engagementId ?? null}) and ${isOfVerdict}
    limit ${MAX_TOTAL + 1}`.execute(db)
  return rows.length > MAX_TOTAL ? undefined : sql`(r.id = any(${rows.map(({ id }) => id)}::text[]) and ${isWanted})`
}

/** Results that a source has reported. */
const seenBy: Filter = condition(
  (ids: readonly string[], { organizationId }: Actor) =>
    sql`r.id in (select o.result_id from observations o where o.organization_id = ${organizationId} and o.source_id = any(${ids}))`,
)

export const resultList = listQuery(contract.resultList, {
  rows: selectResults,
  id: 'r.id',
  engagementId: 'r.engagement_id',
  sorts: {
    createdAt: byId,
    severity: SEVERITY,
    lastSeenAt: 'r.last_seen_at',
    firstSeenAt: 'r.first_seen_at',
    asset: 'r.asset_key',
  },
  isSortedWithinEngagements: true,
  filters: {
    kind: anyOf('r.kind'),
    state: anyOf('r.state'),
    severity: bySeverity,
    status: anyOf('r.status'),
    targetId: ofTarget,
    assigneeId: anyOfOrNone('r.assignee_id'),
    tool: anyIn('r.tools'),
    tag: anyIn('r.tags'),
    scanId: seenBy,
    importId: seenBy,
    verdict: ofVerdict,
    port: anyOf('r.port'),
    ruleId: byRule,
    cwe: condition((ids: readonly string[]) => sql<SqlBool>`r.data -> 'cwe' ?| ${ids}::text[]`),
    findingId: partOfFinding,
    resultId: anyOf('r.id'),
    seenSince: since('r.last_seen_at'),
    q: containsFolded('r.searched'),
    trashed: onlyWhere(sql`r.trashed_at is not null`),
  },
})

export const insertResult = async (tx: Transaction, row: Insertable<Results>): Promise<void> => {
  await tx.insertInto('results').values(row).execute()
}

/** Locks in the order of ids, so that two bulk changes do not deadlock. */
export const lockResults = async (tx: Transaction, organizationId: string, ids: readonly string[]) =>
  tx
    .selectFrom('results')
    .select((select) => [
      'id',
      'engagement_id',
      'kind',
      'identity',
      'asset',
      'title',
      'severity',
      'status',
      'assignee_id',
      'notes',
      'tags',
      'accepted_until',
      'target_id',
      'updated_at',
      select.ref('data').$castTo<Data>().as('data'),
      select.ref('large_data').$castTo<Data>().as('large_data'),
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export type LockedResult = Awaited<ReturnType<typeof lockResults>>[number]

export const updateResult = async (
  tx: Transaction,
  organizationId: string,
  resultId: string,
  resultColumns: Updateable<Results>,
): Promise<void> => {
  await tx
    .updateTable('results')
    .set(resultColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', resultId)
    .execute()
}

/** Returns the ids that are in the engagement. */
export const listIn = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('results')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Marks a result as edited when a person adds evidence, so that undoing an import keeps it. */
export const touchResult = async (
  tx: Transaction,
  organizationId: string,
  resultId: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('results')
    .set({ edited_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', resultId)
    .execute()
}

/** Reopens accepted risks after their last day (UTC). */
export const reopenExpired = async (db: Database, today: string, now: string): Promise<void> => {
  await sql`update results set status = 'open', reopened_at = ${now}, status_changed_at = ${now},
      updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
    where status = 'accepted' and accepted_until < ${today}::date`.execute(db)
}

const MAX_OBSERVATIONS = 200

export const listObservations = (db: Database, organizationId: string, resultId: string) =>
  db
    .selectFrom('observations')
    .select((select) => [
      'source_kind',
      'source_id',
      'change',
      'seen_at',
      select.ref('before').$castTo<Data | null>().as('before'),
      select.ref('after').$castTo<Data | null>().as('after'),
    ])
    .where('organization_id', '=', organizationId)
    .where('result_id', '=', resultId)
    .orderBy('sequence', 'desc')
    .limit(MAX_OBSERVATIONS)
    .execute()

export const listEngagementIds = (tx: Transaction, organizationId: string, ids: readonly string[]) =>
  tx
    .selectFrom('results')
    .select('engagement_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute()

export const listById = (db: Database, organizationId: string, ids: readonly string[]): Promise<ResultRow[]> =>
  selectResults(db, organizationId)
    .where('r.id', '=', sql<string>`any(${ids}::text[])`)
    .execute()

/** Lists the titles of visible results. */
export const listResultTitles = (db: Database, organizationId: string, resultIds: readonly string[]) =>
  db
    .selectFrom('results')
    .select(['id', 'title', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${resultIds})`)
    .execute()

/** Targets that these results belong to, each once. */
export const listPlacesOfResults = (db: Database, organizationId: string, resultIds: readonly string[]) =>
  selectResults(db, organizationId)
    .clearSelect()
    .select([
      TARGET.$castTo<string>().as('target_id'),
      'r.host',
      'r.port',
      // What answers over HTTP or TLS says no protocol.
      sql<string>`coalesce(r.protocol, 'tcp')`.as('protocol'),
      sql<string | null>`case when r.kind = 'service' then r.data ->> 'name' end`.as('service'),
    ])
    .where(sql<boolean>`r.id = any(${resultIds})`)
    .where(sql<boolean>`${TARGET} is not null`)
    .execute()
