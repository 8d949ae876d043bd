import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  type ProofType,
  type RemediationStatus,
  SECTIONS,
} from '@sortie/contract/findings/finding-fields.ts'
import * as contract from '@sortie/contract/findings/findings.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Findings } from '../../platform/database/types.gen.ts'
import { fieldsOf, hasFields } from '../../platform/fields/field-values.ts'
import {
  anyIn,
  anyOf,
  anyOfOrNone,
  condition,
  containsFolded,
  type Filter,
  isOneOf,
} from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import { weightOf } from '../../platform/lists/severities.ts'

export interface ClientStatusRow {
  state: 'planned' | 'fixed' | 'accepted' | 'rejected'
  until: string | null
  reason: string
  by: { id: string; name: string } | null
  at: string
}

const COLUMNS = [
  'f.id',
  'f.engagement_id',
  'f.number',
  'f.title',
  'f.severity',
  'f.severity_reason',
  'f.cvss_vector',
  'f.cvss_score',
  'f.state',
  'f.status',
  'f.verification',
  'f.revision',
  'f.approved_revision',
  'f.published_revision',
  'f.published_at',
  'f.source_references',
  'f.cwe',
  'f.cve',
  'f.owasp',
  'f.wstg',
  'f.attack',
  'f.tags',
  'f.author_id',
  'f.reviewer_id',
  'f.writers',
  'f.library_entry_id',
  'f.library_version',
  'f.retest_of',
  'f.position',
  'f.trashed_at',
  'f.created_by',
  'f.created_at',
  'f.updated_at',
] as const

/** Without the texts. */
const selectFindings = (db: Database, organizationId: string) =>
  db
    .selectFrom('findings as f')
    .leftJoin('users as author', 'author.id', 'f.author_id')
    .leftJoin('users as reviewer', 'reviewer.id', 'f.reviewer_id')
    .leftJoin('users as creator', 'creator.id', 'f.created_by')
    .select(COLUMNS)
    .select(({ ref }) => [
      ref('f.client_status').$castTo<ClientStatusRow | null>().as('client_status'),
      ref('f.proofs').$castTo<{ type: ProofType; id: string }[]>().as('proofs'),
      ref('f.affected_counts').$castTo<Record<RemediationStatus, number>>().as('affected_counts'),
      'author.name as author_name',
      'reviewer.name as reviewer_name',
      'creator.name as creator_name',
      fieldsOf('f').as('fields'),
      sql<number>`(select count(*) from comments c where c.organization_id = f.organization_id and c.finding_id = f.id)`.as(
        'comment_count',
      ),
    ])
    .where('f.organization_id', '=', organizationId)

const selectWhole = (db: Database, organizationId: string) =>
  selectFindings(db, organizationId).select(SECTIONS.map((section) => `f.${section}` as const))

export type FindingRow = Awaited<ReturnType<ReturnType<typeof selectFindings>['executeTakeFirstOrThrow']>>
export type WholeFindingRow = NonNullable<Awaited<ReturnType<typeof findFinding>>>

export const findFinding = (db: Database, organizationId: string, findingId: string) =>
  selectWhole(db, organizationId).where('f.id', '=', findingId).executeTakeFirst()

/** Whole findings of an engagement, in their order, without those in the trash. */
export const listWholeFindings = (
  db: Database,
  organizationId: string,
  engagementId: string,
  afterPosition: string,
  limit: number,
) =>
  selectWhole(db, organizationId)
    .where('f.engagement_id', '=', engagementId)
    .where('f.trashed_at', 'is', null)
    .where('f.position', '>', afterPosition)
    .orderBy('f.position')
    .limit(limit)
    .execute()

const severity: Filter = {
  where: (words: readonly FindingSeverity[]) => isOneOf(sql.ref('f.severity'), words.map(weightOf)),
  facet: { expression: sql`(${sql.val(FINDING_SEVERITIES)}::text[])[f.severity + 1]`, isArray: false },
}

const ofClient = (clientIds: readonly string[]) =>
  sql<SqlBool>`f.engagement_id in (select e.id from engagements e where e.organization_id = f.organization_id and e.client_id = any(${clientIds}))`

const affects = (targetIds: readonly string[]) =>
  sql<SqlBool>`exists (select from affected_assets a where a.organization_id = f.organization_id and a.finding_id = f.id and a.target_id = any(${targetIds}))`

/** Leaves out the trash, unless the filter `trashed` asks for it. */
const trashed: Filter = condition((isWanted: boolean) =>
  isWanted ? sql<SqlBool>`f.trashed_at is not null` : sql<SqlBool>`f.trashed_at is null`,
)

export const findingList = listQuery(contract.findingList, {
  rows: selectFindings,
  id: 'f.id',
  engagementId: 'f.engagement_id',
  sorts: {
    createdAt: byId,
    updatedAt: 'f.updated_at',
    severity: 'f.severity',
    number: 'f.number',
    position: 'f.position',
  },
  filters: {
    clientId: condition(ofClient),
    severity,
    state: anyOf('f.state'),
    status: anyOf('f.status'),
    clientStatus: anyOfOrNone(sql`f.client_status ->> 'state'`),
    verification: anyOf('f.verification'),
    authorId: anyOfOrNone('f.author_id'),
    reviewerId: anyOfOrNone('f.reviewer_id'),
    cwe: anyIn('f.cwe'),
    tag: anyIn('f.tags'),
    targetId: condition(affects),
    field: hasFields('finding', 'f'),
    published: condition((isWanted: boolean) =>
      isWanted ? sql<SqlBool>`f.published_at is not null` : sql<SqlBool>`f.published_at is null`,
    ),
    trashed,
    q: containsFolded('f.searched'),
  },
})

export const findEngagementOfFinding = async (
  db: Database,
  organizationId: string,
  findingId: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('findings')
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', findingId)
    .executeTakeFirst()
  return row?.engagement_id
}

/** Reads a finding and locks it for a change; lock its engagement first. */
export const lockFinding = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
): Promise<WholeFindingRow | undefined> => {
  await tx
    .selectFrom('findings')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', findingId)
    .forUpdate()
    .execute()
  return findFinding(tx, organizationId, findingId)
}

/** Locks findings in the order of their ids, and reads them without their texts; lock their engagements first. */
export const lockFindings = async (
  tx: Transaction,
  organizationId: string,
  findingIds: readonly string[],
): Promise<FindingRow[]> => {
  await sql`select from findings where organization_id = ${organizationId} and id = any(${findingIds}) order by id for update`.execute(
    tx,
  )
  return selectFindings(tx, organizationId)
    .where(sql<boolean>`f.id = any(${findingIds})`)
    .orderBy('f.id')
    .execute()
}

/** Counting stops at `max`. */
export const countFindings = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from findings where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** The next number of the engagement, which is never given again. */
export const consumeNumber = async (tx: Transaction, organizationId: string, engagementId: string): Promise<number> => {
  const { rows } = await sql<{
    last: number
  }>`insert into finding_numbers (organization_id, engagement_id, last) values (${organizationId}, ${engagementId}, 1)
    on conflict (organization_id, engagement_id) do update set last = finding_numbers.last + 1 returning last`.execute(
    tx,
  )
  return (rows[0] as { last: number }).last
}

export const insertFinding = async (tx: Transaction, finding: Insertable<Findings>): Promise<void> => {
  await tx.insertInto('findings').values(finding).execute()
}

/** Changes a finding that the transaction has locked. */
export const updateFinding = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  findingColumns: Updateable<Findings>,
): Promise<void> => {
  await tx
    .updateTable('findings')
    .set(findingColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', findingId)
    .execute()
}

export const deleteFindings = async (
  tx: Transaction,
  organizationId: string,
  findingIds: readonly string[],
): Promise<void> => {
  await sql`delete from findings where organization_id = ${organizationId} and id = any(${findingIds})`.execute(tx)
}

/** Findings of all organizations that have been in the trash since before this moment. */
export const listOldTrash = (db: Database, moment: string, limit: number) =>
  db
    .selectFrom('findings')
    .select(['id', 'organization_id', 'engagement_id', 'title'])
    .where('trashed_at', '<', moment)
    .orderBy('trashed_at')
    .limit(limit)
    .execute()

/** Titles of these findings; hidden ones and those in the trash are omitted. */
export const listFindingTitles = (db: Database, organizationId: string, findingIds: readonly string[]) =>
  db
    .selectFrom('findings')
    .select(['id', 'number', 'title', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where('trashed_at', 'is', null)
    .where(sql<boolean>`id = any(${findingIds})`)
    .execute()

/** Filters these users to members who see the engagement, and keeps them members until the transaction ends. */
export const lockMembersWithAccess = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  userIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ user_id: string }>`select m.user_id from memberships m
    where m.organization_id = ${organizationId} and m.user_id = any(${userIds})
      and (m.role in ('owner', 'admin') or ${engagementId} not in (select hidden_engagements(${organizationId}, m.user_id)))
    order by m.user_id for key share of m`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Filters these ids to requests, runs and scans of the engagement. */
export const listProofIds = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  proofIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    select id from api_requests where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${proofIds})
    union all select id from request_runs where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${proofIds})
    union all select id from scans where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${proofIds})`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Keeps a finding that another one retests until the transaction ends.
 *
 * @returns undefined for a hidden one, one in the trash, one of this engagement, and one of another client
 */
export const lockRetestedFinding = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  findingId: string,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`select f.id from findings f
    join engagements earlier on earlier.organization_id = f.organization_id and earlier.id = f.engagement_id
    join engagements own on own.organization_id = f.organization_id and own.id = ${engagementId}
    where f.organization_id = ${organizationId} and f.id = ${findingId} and f.engagement_id <> ${engagementId} and f.trashed_at is null
      and (earlier.client_id = own.client_id or earlier.client_id is null or own.client_id is null)
    for key share of f`.execute(tx)
  return rows[0]?.id
}

/**
 * Findings of other engagements that have the results which these results retest; two are enough to know that it is not
 * one.
 */
export const listRetestedBy = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  resultIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ finding_id: string }>`select distinct a.finding_id from results r
    join affected_results a on a.organization_id = r.organization_id and a.result_id = r.retest_of
    where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.id = any(${resultIds}) limit 2`.execute(
    tx,
  )
  return rows.map(({ finding_id }) => finding_id)
}
