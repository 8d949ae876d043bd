import type { Role } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows } from '../../platform/database/rows.ts'

export interface InstanceRow {
  schema_version: number
  postgres_version: string
  organization_count: number
  account_count: number
}

export const getInstance = async (db: Database): Promise<InstanceRow> => {
  const { rows } = await sql<InstanceRow>`select
      (select max(version) from schema_migrations) as schema_version,
      split_part(current_setting('server_version'), ' ', 1) as postgres_version,
      (select count(*) from organizations where removed_at is null) as organization_count,
      (select count(*) from users where id not like 'agt\\_%' and deleted_at is null) as account_count`.execute(db)
  return rows[0] as InstanceRow
}

/** `%` and `_` in a search are literal characters. */
const containing = (search: string) => `%${search.replace(/[\\%_]/g, '\\$&')}%`

export const listOrganizations = async (db: Database, search: string | undefined, limit: number, offset: number) => {
  let matching = db.selectFrom('organizations as o')
  if (search)
    matching = matching.where((where) =>
      where.or([where('o.name', 'ilike', containing(search)), where('o.slug', 'ilike', containing(search))]),
    )
  const rows = await matching
    .leftJoin('memberships as m', (join) => join.onRef('m.organization_id', '=', 'o.id').on('m.role', '=', 'owner'))
    .select([
      'o.id',
      'o.name',
      'o.slug',
      'o.plan',
      'o.created_at',
      'o.removed_at',
      'm.user_id as owner_id',
      'm.name as owner_name',
      'm.email as owner_email',
    ])
    .select(sql<number>`o.owner_count + o.admin_count + o.plain_member_count`.as('member_count'))
    .select(
      sql<number>`(select coalesce(sum(s.bytes), 0)::bigint from stored_bytes s where s.organization_id = o.id)`.as(
        'stored_bytes',
      ),
    )
    .orderBy(sql`lower(o.name)`)
    .orderBy('o.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(matching) }
}

/** Counts what go-live would start, and what it would not, in all organizations. */
export const countPending = async (db: Database) => {
  const { rows } = await sql<{ schedules: number; scans: number }>`select
      (select count(*) from scan_schedules where enabled) as schedules,
      (select count(*) from background_jobs where kind = 'scan' and ended_at is null) as scans`.execute(db)
  return rows[0] as { schedules: number; scans: number }
}

/** Of an account, as named in the list. */
const MOST_ORGANIZATIONS = 10

export const listAccounts = async (
  db: Database,
  filter: { search: string | undefined; isInstanceAdmin: boolean | undefined; isDisabled: boolean | undefined },
  limit: number,
  offset: number,
) => {
  const { search, isInstanceAdmin, isDisabled } = filter
  // Agents have a row that no one can sign in with.
  let matching = db.selectFrom('users as u').where('u.id', 'not like', 'agt\\_%').where('u.deleted_at', 'is', null)
  if (search)
    matching = matching.where((where) =>
      where.or([where('u.name', 'ilike', containing(search)), where('u.email', 'ilike', containing(search))]),
    )
  if (isInstanceAdmin !== undefined) matching = matching.where('u.is_instance_admin', '=', isInstanceAdmin)
  if (isDisabled !== undefined) matching = matching.where('u.disabled_at', isDisabled ? 'is not' : 'is', null)
  const rows = await matching
    .select(['u.id', 'u.name', 'u.email', 'u.is_instance_admin', 'u.created_at', 'u.disabled_at'])
    .select([
      sql<boolean>`u.password_hash is not null`.as('has_password'),
      sql<boolean>`exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
        or exists (select 1 from passkeys p where p.user_id = u.id)`.as('second_factor_enabled'),
      sql<number>`(select count(*) from memberships m where m.user_id = u.id)`.as('organization_count'),
      sql<{ id: string; name: string; role: Role }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'role', o.role) order by o.name, o.id), '[]')
        from (
          select g.id, g.name, m.role from memberships m join organizations g on g.id = m.organization_id
          where m.user_id = u.id order by m.joined_at, g.id limit ${MOST_ORGANIZATIONS}
        ) o)`.as('organizations'),
      // Sessions end; a membership keeps the minute of the last use.
      sql<string | null>`greatest(
        (select max(s.last_seen_at) from sessions s where s.user_id = u.id),
        (select max(m.last_seen_at) from memberships m where m.user_id = u.id))`.as('last_seen_at'),
    ])
    .orderBy(sql`lower(u.name)`)
    .orderBy('u.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(matching) }
}
