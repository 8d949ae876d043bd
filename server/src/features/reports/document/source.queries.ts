import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { type FieldValues, fieldsOf } from '../../../platform/fields/field-values.ts'

/** What a report says about its engagement, its client and the organization. */
export const findFrame = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('engagements as e')
    .innerJoin('organizations as o', 'o.id', 'e.organization_id')
    .leftJoin('clients as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.client_id'),
    )
    .select([
      'e.id',
      'e.name',
      'e.kinds',
      'e.starts_on',
      'e.ends_on',
      'e.task_prefix',
      'e.testing_hours',
      'e.contacts',
      'e.report_words',
    ])
    .select([
      'e.client_id',
      'o.name as organization_name',
      'c.name as client_name',
      'c.short_name as client_short_name',
      'c.domains as client_domains',
      'c.contacts as client_contacts',
      'c.language as client_language',
      fieldsOf('e').as('fields'),
    ])
    .select(
      sql<FieldValues | null>`(select coalesce(jsonb_object_agg(d.key, v.value), '{}') from field_values v
        join field_definitions d on d.organization_id = v.organization_id and d.id = v.definition_id and d.deleted_at is null
        where v.organization_id = c.organization_id and v.object_id = c.id)`.as('client_fields'),
    )
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', engagementId)
    .executeTakeFirst()

export type FrameRow = NonNullable<Awaited<ReturnType<typeof findFrame>>>

/** Lead first, then the team by name. */
export const listTeam = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<{ name: string; email: string; part: 'lead' | 'team' }[]> => {
  const { rows } = await sql<{ name: string; email: string; part: 'lead' | 'team' }>`
    select m.name, m.email, min(p.part) as part from engagement_members p
    join memberships m on m.organization_id = p.organization_id and m.user_id = p.user_id
    where p.organization_id = ${organizationId} and p.engagement_id = ${engagementId}
    group by m.user_id, m.name, m.email order by min(p.part) <> 'lead', m.name collate names, m.user_id`.execute(db)
  return rows
}

const FILE = ['id', 'owner_type', 'owner_id', 'file_name', 'caption', 'media_type', 'sha256'] as const

/** Reports show no originals of redacted pictures. */
const isShown = sql<SqlBool>`not exists (select from file_redactions r
  where r.organization_id = files.organization_id and r.file_id = files.id)`

/** Files of the engagement itself, of its reports and of its findings, with these ids. */
export const listFilesById = (
  db: Database,
  organizationId: string,
  engagementId: string,
  reportId: string,
  fileIds: readonly string[],
) =>
  db
    .selectFrom('files')
    .select(FILE)
    .select(({ ref }) => ref('size').$castTo<number>().as('size'))
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where(sql<SqlBool>`(owner_type in ('engagement', 'finding') or owner_type = 'report' and owner_id = ${reportId})`)
    .where(sql<SqlBool>`id = any(${fileIds})`)
    .where(isShown)
    .execute()

/** Files of findings in their order. */
export const listFilesOfFindings = (
  db: Database,
  organizationId: string,
  engagementId: string,
  findingIds: readonly string[],
) =>
  db
    .selectFrom('files')
    .select(FILE)
    .select(({ ref }) => ref('size').$castTo<number>().as('size'))
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where(sql<SqlBool>`owner_type = 'finding' and owner_id = any(${findingIds})`)
    .where(isShown)
    .orderBy('owner_id')
    .orderBy('position', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()

/** Recorded runs with these ids, and the latest run of saved requests with these ids, by the id that names it. */
export const listRuns = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
): Promise<
  {
    name: string
    method: string
    url: string
    request: unknown
    response: unknown
    body: Buffer | null
    body_secrets: unknown
  }[]
> => {
  const { rows } = await sql<{
    name: string
    method: string
    url: string
    request: unknown
    response: unknown
    body: Buffer | null
    body_secrets: unknown
  }>`
    select wanted.id as name, r.method, r.url, r.request, r.response, r.body, r.body_secrets
    from unnest(${ids}::text[]) as wanted (id)
    cross join lateral (
      select * from request_runs r
      where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.state <> 'running'
        and (r.id = wanted.id or r.request_id = wanted.id)
      order by r.id desc limit 1
    ) r`.execute(db)
  return rows
}

/** What tools recorded about results with these ids. */
export const listResults = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
) => {
  const { rows } = await sql<{ id: string; title: string; asset: string; data: Record<string, unknown> }>`
    select id, title, asset, data || large_data as data from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and trashed_at is null and id = any(${ids})`.execute(
    db,
  )
  return rows
}

/** Titles of objects of the engagement that texts refer to, by id. */
export const listTitles = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const of = (table: string, title: string, rest = sql``) =>
    sql`select id, ${sql.ref(title)}::text as title from ${sql.table(table)}
      where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${ids}) ${rest}`
  const kept = sql`and trashed_at is null`
  const { rows } = await sql<{ id: string; title: string }>`
    ${of('targets', 'value', kept)} union all ${of('results', 'title', kept)} union all ${of('tasks', 'title', kept)}
    union all ${of('wiki_pages', 'title', kept)} union all ${of('api_requests', 'name')} union all ${of('scans', 'name')}
    union all ${of('retests', 'name')} union all ${of('reports', 'title')}`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export interface RetestRow {
  finding_id: string
  asset: string | null
  status_before: RemediationStatus | null
  status: RemediationStatus | null
  outcome: 'fixed' | 'partly_fixed' | 'open' | 'not_reproducible' | 'not_retested' | null
  note: string
  tested_at: string | null
}

/** Items of the last retest of each of these findings, in the order of the retest. */
export const listRetestItems = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  findingIds: readonly string[],
): Promise<RetestRow[]> => {
  const { rows } = await sql<RetestRow>`
    select i.finding_id, i.asset, i.status_before, coalesce(a.status, f.status) as status, i.outcome, i.note, i.tested_at
    from retest_items i
    join findings f on f.organization_id = i.organization_id and f.id = i.finding_id
    left join affected_assets a on a.organization_id = i.organization_id and a.id = i.affected_id
    where i.organization_id = ${organizationId} and i.engagement_id = ${engagementId} and i.finding_id = any(${findingIds})
      and i.retest_id = (select max(last.retest_id) from retest_items last
        where last.organization_id = i.organization_id and last.engagement_id = i.engagement_id and last.finding_id = i.finding_id)
    order by i.finding_id, i.id`.execute(db)
  return rows
}
