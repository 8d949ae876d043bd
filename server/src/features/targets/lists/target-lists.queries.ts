import * as contract from '@sortie/contract/inventory/targets.ts'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasFields } from '../../../platform/fields/field-values.ts'
import * as filters from '../../../platform/lists/filters.ts'
import { byId, listQuery, nullsLast } from '../../../platform/lists/list.ts'
import { selectTargets } from '../targets.queries.ts'

type Criticality = (typeof contract.CRITICALITIES)[number]

/** The stored value of a criticality: criticalities are sorted by weight. */
export const weightOf = (criticality: Criticality): number => contract.CRITICALITIES.indexOf(criticality)

export const criticalityOf = (weight: number): Criticality => contract.CRITICALITIES[weight] as Criticality

const byWeight = filters.anyOf('t.criticality')

const criticality: filters.Filter = {
  where: (words: readonly Criticality[], actor) => byWeight.where(words.map(weightOf) as never, actor),
  facet: { expression: sql`(${contract.CRITICALITIES}::text[])[t.criticality + 1]`, isArray: false },
}

const byVerdict = filters.anyOf('v.verdict')

/** Also names the engagement of the verdict: an index over both has the order of the list. */
const verdict: filters.Filter = {
  ...byVerdict,
  isOfJoinedTable: true,
  where: (words, actor) => sql`(${byVerdict.where(words, actor)} and v.engagement_id = t.engagement_id)`,
}

/** A part of the value, of its canonical form or of a tag; most targets have no tags to examine. */
const q: filters.Filter = filters.conditionOnText((part: string) => {
  const wanted = sql`lower(${part}::text collate names)`
  return sql`(strpos(t.searched, ${wanted}) > 0 or t.tags <> '{}' and strpos(lower(array_to_string(t.tags, ',') collate names), ${wanted}) > 0)`
})

const source = {
  rows: selectTargets,
  id: 't.id',
  engagementId: 't.engagement_id',
  filters: {
    kind: filters.anyOf('t.kind'),
    verdict,
    tag: filters.anyIn('t.tags'),
    criticality,
    source: filters.anyOf('t.source'),
    parentId: filters.anyOfOrNone('t.parent_id'),
    field: hasFields('target', 't'),
    q,
  },
}

interface FoundOnTarget {
  target_id: string
  services: number
  vulnerabilities: number
  worst: number | null
}

/**
 * Counts what is present on each of these targets; a target without any is omitted. Reads the results of each by index.
 */
export const countFoundOn = async (
  db: Database,
  organizationId: string,
  targetIds: readonly string[],
): Promise<Map<string, FoundOnTarget>> => {
  if (targetIds.length === 0) return new Map()
  const { rows } = await sql<FoundOnTarget>`
    select w.target_id, own.* from unnest(${targetIds}::text[]) as w (target_id)
    cross join lateral (
      select count(*) filter (where r.kind = 'service' and r.state = 'present' and coalesce(r.data ->> 'state', 'open') = 'open') as services,
        count(*) filter (where r.status in ('open', 'confirmed')) as vulnerabilities,
        max(r.severity) filter (where r.status in ('open', 'confirmed')) as worst
      from results r
      where r.organization_id = ${organizationId} and r.target_id = w.target_id and r.kind in ('service', 'vulnerability')
    ) own`.execute(db)
  return new Map(rows.map((row) => [row.target_id, row]))
}

export const targetList = listQuery(contract.targetList, {
  ...source,
  filters: { ...source.filters, trashed: filters.onlyWhere(sql`t.trashed_at is not null`) },
  sorts: {
    createdAt: byId,
    canonical: 't.order_key',
    lastSeenAt: nullsLast('t.last_seen_at'),
    criticality: 't.criticality',
  },
})

/** Not counted, and in the order of canonical forms. */
export const targetExport = listQuery(contract.targetExport, { ...source, sorts: { canonical: 't.order_key' } })
