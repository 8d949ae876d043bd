import * as contract from '@sortie/contract/targets.ts'
import { sql } from 'kysely'
import * as filters from '../../platform/lists/filters.ts'
import { byId, listQuery, nullsLast } from '../../platform/lists/list.ts'
import { selectTargets } from './targets.queries.ts'

type Criticality = (typeof contract.CRITICALITIES)[number]

/** What is stored for a word: criticalities are sorted by weight. */
export const weightOf = (criticality: Criticality): number => contract.CRITICALITIES.indexOf(criticality)

export const criticalityOf = (weight: number): Criticality => contract.CRITICALITIES[weight] as Criticality

const byWeight = filters.anyOf('t.criticality')

const criticality: filters.Filter = {
  where: (words: readonly Criticality[], actor) => byWeight.where(words.map(weightOf) as never, actor),
  facet: { expression: sql`(${contract.CRITICALITIES}::text[])[t.criticality + 1]`, isArray: false },
}

const source = {
  rows: selectTargets,
  id: 't.id',
  engagementId: 't.engagement_id',
  filters: {
    kind: filters.anyOf('t.kind'),
    verdict: filters.anyOf('v.verdict'),
    tag: filters.anyIn('t.tags'),
    criticality,
    source: filters.anyOf('t.source'),
    parentId: filters.anyOfOrNone('t.parent_id'),
    q: filters.contains('t.value', 't.canonical', filters.joined('t.tags')),
  },
}

export const targetList = listQuery(contract.targetList, {
  ...source,
  sorts: { createdAt: byId, canonical: 't.order_key', lastSeenAt: nullsLast('t.last_seen_at'), criticality: 't.criticality' },
})

/** Not counted, and in the order of canonical forms. */
export const targetExport = listQuery(contract.targetExport, { ...source, sorts: { canonical: 't.order_key' } })
