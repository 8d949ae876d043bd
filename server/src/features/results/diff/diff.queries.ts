import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { overlaid, type PartialSnapshot } from '../../inventory/merge/merge.ts'

/** A moment in an engagement's history: right after a time, or after a source at that time. */
export interface Moment {
  time: string
  /** Null: after everything that was seen at that time. */
  sourceId: string | null
}

/** Finds the moment right after a source; undefined if the engagement has no such source, or it has not started. */
const findMoment = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  sourceId: string,
): Promise<Moment | undefined> => {
  const { rows } = await sql<{ seen_at: string | null }>`
    select seen_at from imports where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = ${sourceId}
    union all
    select started_at from scans where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = ${sourceId}`.execute(
    db,
  )
  const seenAt = rows[0]?.seen_at
  return seenAt ? { time: seenAt, sourceId } : undefined
}

/** Parses a time or the id of a scan or import; undefined as in {@link findMoment}. */
export const findWrittenMoment = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  moment: string,
): Promise<Moment | undefined> =>
  /^[a-z]{3}_/.test(moment) ? findMoment(db, organizationId, engagementId, moment) : { time: moment, sourceId: null }

export interface DiffRow {
  id: string
  change: 'new' | 'changed' | 'gone' | 'reappeared'
  before: PartialSnapshot | null
  after: PartialSnapshot
}

interface Asked {
  organizationId: string
  engagementId: string
  from: Moment
  to: Moment | undefined
  kinds: readonly string[] | undefined
}

/**
 * Every result that differs at the second moment, folded from the observations in between: the first one holds the old
 * state, the last one the new state. Results that appeared and disappeared in between are excluded.
 */
const compared = ({ organizationId, engagementId, from, to, kinds }: Asked) => sql`
  select result_id as id, before, after, case
      when before is null then 'new'
      when after ->> 'state' = 'gone' then 'gone'
      when before ->> 'state' = 'gone' then 'reappeared'
      else 'changed' end as change
  from (
    select o.result_id,
      nullif((array_agg(coalesce(o.before, 'null'::jsonb) order by o.sequence))[1], 'null'::jsonb) as before,
      (array_agg(o.after order by o.sequence desc))[1] as after,
      (array_agg(o.change order by o.sequence desc))[1] as last_change
    from observations o
    where o.organization_id = ${organizationId} and o.engagement_id = ${engagementId} and o.change not in ('unchanged', 'older')
      and ${isBetween(from, to)}
      ${kinds ? sql`and exists (select from results r where r.organization_id = o.organization_id and r.id = o.result_id and r.kind = any(${kinds}::text[]))` : sql``}
    group by o.result_id
  ) as folded
  where not (before is null and last_change = 'gone') and before is distinct from after`

/** Sorts after every id. */
const LAST = '~'

const isBetween = (
  from: Moment,
  to: Moment | undefined,
) => sql`(o.seen_at, o.source_id) > (${from.time}::timestamptz, ${from.sourceId ?? LAST} collate "C")
  ${to ? sql`and (o.seen_at, o.source_id) <= (${to.time}::timestamptz, ${to.sourceId ?? LAST} collate "C")` : sql``}`

export const listDiff = async (
  db: Database,
  asked: Asked,
  after: string | undefined,
  limit: number,
): Promise<DiffRow[]> => {
  const { rows } = await sql<DiffRow>`select id, change, before, after from (${compared(asked)}) as compared
    where ${after ?? ''} < id order by id limit ${limit}`.execute(db)
  const changes = await listChanges(db, asked, rows)
  return rows.map((row) => folded(row, changes.get(row.id) ?? []))
}

type ObservedChange = Pick<DiffRow, 'before' | 'after'>

/** Lists the observations of these results between the two moments, in order. */
const listChanges = async (
  db: Database,
  { organizationId, engagementId, from, to }: Asked,
  rows: readonly DiffRow[],
): Promise<Map<string, ObservedChange[]>> => {
  const { rows: changes } = await sql<
    ObservedChange & { result_id: string }
  >`select o.result_id, o.before, o.after from observations o
    where o.organization_id = ${organizationId} and o.engagement_id = ${engagementId} and o.change not in ('unchanged', 'older')
      and o.result_id = any(${rows.map(({ id }) => id)}::text[]) and ${isBetween(from, to)} order by o.sequence`.execute(
    db,
  )
  return Map.groupBy(changes, ({ result_id }) => result_id)
}

/**
 * Each observation holds only the fields that it changed: the first one has the old value of a field, the last one the
 * new value.
 */
const folded = (row: DiffRow, changes: readonly ObservedChange[]): DiffRow => ({
  ...row,
  before: row.before && changes.reduce<PartialSnapshot>((before, change) => overlaid(change.before, before), {}),
  after: changes.reduce<PartialSnapshot>((after, change) => overlaid(after, change.after), {}),
})

export const countDiff = async (db: Database, asked: Asked): Promise<{ change: string; count: number }[]> => {
  const { rows } = await sql<{
    change: string
    count: number
  }>`select change, count(*) as count from (${compared(asked)}) as compared group by change`.execute(db)
  return rows
}
