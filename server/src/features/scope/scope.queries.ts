import * as contract from '@sortie/contract/engagement/scope-rules.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { ScopeRules } from '../../platform/database/types.gen.ts'
import { anyOf, contains, onlyWhere } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import type { ScopeRule } from './rules/rule-set.ts'

const COLUMNS = [
  'id',
  'engagement_id',
  'effect',
  'kind',
  'pattern',
  'note',
  'created_at',
  'updated_at',
  'trashed_at',
] as const

export const scopeRuleList = listQuery(contract.scopeRuleList, {
  rows: (db, organizationId) =>
    db.selectFrom('scope_rules').select(COLUMNS).where('organization_id', '=', organizationId),
  id: 'id',
  engagementId: 'engagement_id',
  sorts: { createdAt: byId, pattern: 'pattern' },
  filters: {
    effect: anyOf('effect'),
    kind: anyOf('kind'),
    q: contains('pattern', 'note'),
    trashed: onlyWhere(sql`trashed_at is not null`),
  },
})

export const findScopeRule = (db: Database, organizationId: string, scopeRuleId: string) =>
  db
    .selectFrom('scope_rules')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', scopeRuleId)
    .executeTakeFirst()

export type ScopeRuleRow = NonNullable<Awaited<ReturnType<typeof findScopeRule>>>

/** All rules of an engagement, for evaluation. */
export const listEngagementRules = (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<(ScopeRule & { note: string })[]> =>
  db
    .selectFrom('scope_rules')
    .select((select) => [
      'id',
      'pattern',
      'note',
      select.ref('effect').$castTo<ScopeRule['effect']>().as('effect'),
      select.ref('kind').$castTo<ScopeRule['kind']>().as('kind'),
    ])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .orderBy('id')
    .execute()

/** @returns true if this user leads the engagement or is on its team */
export const findPart = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  userId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('engagement_members')
    .select('part')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export const insertScopeRules = async (tx: Transaction, rules: readonly Insertable<ScopeRules>[]): Promise<void> => {
  await sql`insert into scope_rules (id, organization_id, engagement_id, effect, kind, pattern, note, created_at, updated_at)
    select id, organization_id, engagement_id, effect, kind, pattern, note, created_at, updated_at
    from json_to_recordset(${JSON.stringify(rules)}::json) as r (
      id text, organization_id text, engagement_id text, effect text, kind text, pattern text, note text, created_at timestamptz, updated_at timestamptz)`.execute(
    tx,
  )
}

export const updateScopeRule = (
  tx: Transaction,
  organizationId: string,
  scopeRuleId: string,
  ruleColumns: Updateable<ScopeRules>,
) =>
  tx
    .updateTable('scope_rules')
    .set(ruleColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', scopeRuleId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const listRulesByIds = (db: Database, organizationId: string, scopeRuleIds: readonly string[]) =>
  db
    .selectFrom('scope_rules')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${scopeRuleIds}::text[])`)
    .orderBy('id')
    .execute()

/** @param now the time of the change; a rule's `updated_at` increases in any case */
export const updateEffects = async (
  tx: Transaction,
  organizationId: string,
  scopeRuleIds: readonly string[],
  effect: ScopeRule['effect'],
  now: string,
): Promise<void> => {
  await tx
    .updateTable('scope_rules')
    .set({ effect, updated_at: sql<string>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${scopeRuleIds}::text[])`)
    .execute()
}

export const deleteScopeRules = async (
  tx: Transaction,
  organizationId: string,
  scopeRuleIds: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('scope_rules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${scopeRuleIds}::text[])`)
    .execute()
}
