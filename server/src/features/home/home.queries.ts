import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'

export interface UnderWay {
  id: string
  name: string
  client_name: string
  kinds: string[]
  starts_on: string | null
  ends_on: string | null
  testing_hours: unknown
  is_own: boolean
  lead: { id: string; name: string } | null
}

/**
 * Active engagements that have begun and are not over, except templates: the user's own first, then those that end
 * first.
 */
export const listUnderWay = async (
  db: Database,
  organizationId: string,
  userId: string,
  today: string,
  limit: number,
): Promise<UnderWay[]> => {
  const { rows } = await sql<UnderWay>`
    select e.id, e.name, e.client_name, e.kinds, e.starts_on, e.ends_on, e.testing_hours,
      exists (select from engagement_members p where p.organization_id = e.organization_id and p.engagement_id = e.id and p.user_id = ${userId}) as is_own,
      (select jsonb_build_object('id', m.user_id, 'name', m.name) from engagement_members p join memberships m using (organization_id, user_id)
        where p.organization_id = e.organization_id and p.engagement_id = e.id and p.part = 'lead') as lead
    from engagements e
    where e.organization_id = ${organizationId} and e.status = 'active' and not e.is_template
      and coalesce(e.starts_on, '-infinity') <= ${today}::date and coalesce(e.ends_on, 'infinity') >= ${today}::date
    order by is_own desc, coalesce(e.ends_on, 'infinity'), e.id desc limit ${limit}`.execute(db)
  return rows
}

/** Queued and running scans, newest first, with the number of all. */
export const listRunningScans = async (db: Database, organizationId: string, limit: number) => {
  const { rows } = await sql<{
    id: string
    engagement_id: string
    engagement_name: string
    name: string
    state: 'queued' | 'running'
    started_at: string | null
    done: number | null
    total: number | null
    count: number
  }>`
    select s.id, s.engagement_id, e.name as engagement_name, s.name, s.state, s.started_at, w.done, w.total, count(*) over () as count
    from scans s
    join engagements e on e.organization_id = s.organization_id and e.id = s.engagement_id
    left join background_jobs w on w.organization_id = s.organization_id and w.id = s.work_id
    where s.organization_id = ${organizationId} and s.state in ('queued', 'running')
    order by s.id desc limit ${limit}`.execute(db)
  return rows
}

export const listVisits = (db: Database, organizationId: string, userId: string) =>
  db
    .selectFrom('recent_visits')
    .select(['object_id', 'visited_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('visited_at', 'desc')
    .orderBy('object_id')
    .execute()

/** Keeps a visit, and the newest `max` of the user. */
export const upsertVisit = async (
  tx: Transaction,
  visit: {
    organization_id: string
    user_id: string
    object_id: string
    engagement_id: string | null
    visited_at: string
  },
  max: number,
): Promise<void> => {
  await tx
    .insertInto('recent_visits')
    .values(visit)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'object_id']).doUpdateSet({ visited_at: visit.visited_at }),
    )
    .execute()
  await sql`delete from recent_visits where organization_id = ${visit.organization_id} and user_id = ${visit.user_id} and object_id in (
    select object_id from recent_visits where organization_id = ${visit.organization_id} and user_id = ${visit.user_id}
    order by visited_at desc, object_id offset ${max})`.execute(tx)
}

/** The steps that an account has done or skipped; undefined before the first. */
export const findFirstRun = async (db: Database, userId: string) =>
  db
    .selectFrom('first_runs')
    .select((select) => ['finished_at', select.ref('steps').$castTo<Record<string, 'done' | 'skipped'>>().as('steps')])
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const upsertFirstRun = async (
  tx: Transaction,
  userId: string,
  steps: Record<string, string>,
  finishedAt: string | null,
): Promise<void> => {
  const run = { steps: JSON.stringify(steps), finished_at: finishedAt }
  await tx
    .insertInto('first_runs')
    .values({ user_id: userId, ...run })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(run))
    .execute()
}

export const findHasPassword = async (db: Database, userId: string): Promise<boolean> => {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row !== undefined && row.password_hash !== null
}

/** Whether members may create engagements. */
export const findMembersMayCreate = async (db: Database, organizationId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('organizations')
    .select('members_create_engagements')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row?.members_create_engagements ?? false
}
