import { sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Engagements } from '../../../platform/database/types.gen.ts'
import { fieldsOf } from '../../../platform/fields/field-values.ts'

const COLUMNS = [
  'id',
  'status',
  'client_id',
  'client_name',
  'kind',
  'kinds',
  'is_template',
  'starts_on',
  'ends_on',
  'testing_hours',
  'contacts',
  'task_prefix',
  'report_words',
  'details_updated_at',
] as const

interface PersonRow {
  id: string
  name: string
}

/** The details with the members that they name; undefined if the engagement does not exist or is hidden. */
export const findDetails = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('engagements as e')
    .leftJoin('engagement_holds as h', (join) =>
      join.onRef('h.organization_id', '=', 'e.organization_id').onRef('h.engagement_id', '=', 'e.id'),
    )
    .select(['h.reason as hold_reason', 'h.held_by', 'h.held_by_name', 'h.held_at'])
    .select(COLUMNS.map((column) => `e.${column}` as const))
    .select(({ selectFrom }) => [
      fieldsOf('e').as('fields'),
      selectFrom('engagement_restrictions as r')
        .whereRef('r.organization_id', '=', 'e.organization_id')
        .whereRef('r.engagement_id', '=', 'e.id')
        .select('r.team_only')
        .as('team_only'),
      selectFrom('engagement_members as p')
        .innerJoin('memberships as m', (join) =>
          join.onRef('m.organization_id', '=', 'p.organization_id').onRef('m.user_id', '=', 'p.user_id'),
        )
        .whereRef('p.organization_id', '=', 'e.organization_id')
        .whereRef('p.engagement_id', '=', 'e.id')
        .where('p.part', '=', 'lead')
        .select(sql<PersonRow>`jsonb_build_object('id', m.user_id, 'name', m.name)`.as('person'))
        .as('lead'),
      selectFrom('engagement_members as p')
        .innerJoin('memberships as m', (join) =>
          join.onRef('m.organization_id', '=', 'p.organization_id').onRef('m.user_id', '=', 'p.user_id'),
        )
        .whereRef('p.organization_id', '=', 'e.organization_id')
        .whereRef('p.engagement_id', '=', 'e.id')
        .where('p.part', '=', 'team')
        .select(
          sql<
            PersonRow[]
          >`coalesce(jsonb_agg(jsonb_build_object('id', m.user_id, 'name', m.name) order by m.name collate names, m.user_id), '[]')`.as(
            'people',
          ),
        )
        .as('team'),
    ])
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', engagementId)
    .executeTakeFirst()

export type DetailsRow = NonNullable<Awaited<ReturnType<typeof findDetails>>>

export const updateDetails = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  change: Updateable<Engagements>,
): Promise<void> => {
  await tx
    .updateTable('engagements')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .execute()
}

/** @throws the database's error if a user is not a member */
export const replacePeople = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  part: 'lead' | 'team',
  userIds: readonly string[],
) => {
  await tx
    .deleteFrom('engagement_members')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('part', '=', part)
    .execute()
  if (userIds.length === 0) return
  const rows = userIds.map((id) => ({
    organization_id: organizationId,
    engagement_id: engagementId,
    user_id: id,
    part,
  }))
  await tx.insertInto('engagement_members').values(rows).execute()
}

/** Sets who sees the engagement: only its members, or the whole organization. */
export const setTeamOnly = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  teamOnly: boolean,
): Promise<void> => {
  await tx
    .insertInto('engagement_restrictions')
    .values({ organization_id: organizationId, engagement_id: engagementId, team_only: teamOnly })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'engagement_id']).doUpdateSet({ team_only: teamOnly }),
    )
    .execute()
}

/** Who sees an engagement in addition to the owner and the admins: everyone, or the ids of its members. */
export const findAudience = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<'everyone' | string[]> => {
  const restriction = await tx
    .selectFrom('engagement_restrictions')
    .select('team_only')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .executeTakeFirst()
  if (!restriction?.team_only) return 'everyone'
  const people = await tx
    .selectFrom('engagement_members')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
  return people.map(({ user_id }) => user_id)
}

/** Filters these users to members, and keeps them members until the transaction ends. */
export const lockMembersForShare = async (
  tx: Transaction,
  organizationId: string,
  userIds: readonly string[],
): Promise<Set<string>> => {
  if (userIds.length === 0) return new Set()
  const rows = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forKeyShare()
    .execute()
  return new Set(rows.map((row) => row.user_id))
}
