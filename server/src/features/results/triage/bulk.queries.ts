import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Results } from '../../../platform/database/types.gen.ts'

/** Values that a bulk change sets; absent: unchanged. */
interface BulkSet {
  status?: string
  severity?: number
  assignee_id?: string | null
  notes?: string
  accepted_until?: string | null
  addTags: readonly string[]
  removeTags: readonly string[]
}

const MAX_TAGS = 50

/** Former values of a result, and the time of the change that replaced them. */
export interface FormerResult {
  id: string
  engagement_id: string
  updated_at: string
  former: {
    status: Results['status'] | null
    severity: number | null
    is_severity_set: boolean
    assignee_id: string | null
    notes: string
    accepted_until: string | null
    tags: string[]
  }
}

/**
 * Changes those of these results that are not so already. Tags beyond the limit of a result are left out; a status is
 * one of vulnerabilities.
 *
 * @returns those that changed, with their former values
 */
export const updateAll = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  bulkSet: BulkSet,
  now: string,
) => {
  const {
    status,
    severity,
    assignee_id: assigneeId,
    notes,
    accepted_until: acceptedUntil,
    addTags,
    removeTags,
  } = bulkSet
  const given: [column: string, value: RawBuilder<unknown>][] = []
  if (severity !== undefined) given.push(['severity', sql`${severity}::smallint`], ['is_severity_set', sql`true`])
  if (assigneeId !== undefined) given.push(['assignee_id', sql`${assigneeId}::text`])
  if (notes !== undefined) given.push(['notes', sql`${notes}::text`])
  if (addTags.length + removeTags.length > 0) {
    given.push([
      'tags',
      sql`case when tags @> ${addTags}::text[] and not tags && ${removeTags}::text[] then tags
        else array(select tag from (select distinct tag from unnest(tags || ${addTags}::text[]) as tag
          where tag <> all(${removeTags}::text[])) as kept order by tag limit ${MAX_TAGS}) end`,
    ])
  }
  if (status !== undefined) {
    given.push(
      ['status', sql`case when kind = 'vulnerability' then ${status}::text end`],
      [
        'accepted_until',
        sql`case when kind = 'vulnerability' then ${status === 'accepted' ? (acceptedUntil ?? null) : null}::date end`,
      ],
    )
  } else if (acceptedUntil !== undefined)
    given.push(['accepted_until', sql`case when status = 'accepted' then ${acceptedUntil}::date end`])
  if (given.length === 0) return []
  const times = [
    sql`edited_at = ${now}, updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`,
    ...(status === undefined
      ? []
      : [
          sql`status_changed_at = case when kind = 'vulnerability' and status is distinct from ${status}::text then ${now}::timestamptz else status_changed_at end`,
        ]),
  ]
  const { rows } = await sql<FormerResult>`
    with old as materialized (
      select id, jsonb_build_object('status', status, 'severity', severity, 'is_severity_set', is_severity_set, 'assignee_id', assignee_id,
        'notes', notes, 'accepted_until', accepted_until, 'tags', tags) as former
      from results where organization_id = ${organizationId} and id = any(${ids}::text[])
    ), changed as (update results
    set ${sql.join([...given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`), ...times], sql`, `)}
    where organization_id = ${organizationId} and id = any(${ids}::text[])
      and (${sql.join(
        given.map(([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`),
        sql` or `,
      )})
    returning id, engagement_id, updated_at)
    select changed.id, changed.engagement_id, changed.updated_at, old.former from changed join old on old.id = changed.id`.execute(
    tx,
  )
  return rows
}

export const deleteAll = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('results')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
