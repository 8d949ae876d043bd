import type pg from 'pg'

/** The part of a node of `explain (format json)` that is read here. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/**
 * Counts the rows of a table that this connection sees, and those that row-level security hides from it.
 *
 * A policy cannot falsify the second number: Postgres applies policies as a filter of the scan, and `explain analyze`
 * reports how many rows the filter removed. An ordinary role has no other way to find out: with `row_security = off`,
 * the owner of a table with `force row level security` gets an error.
 *
 * Index scans and parallel plans must be off, so that the plan scans the whole table.
 *
 * @returns undefined when the plan does not scan the table, as for a table without any policy
 */
export const countRows = async (
  client: pg.Client,
  id: string,
): Promise<{ visible: number; hidden: number } | undefined> => {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, timing off, costs off, summary off, format json) select from ${id}`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  const scans = plan ? scansOf(plan) : []
  if (scans.length === 0 || scans.some((scan) => scan['Node Type'] !== 'Seq Scan' || scan['Actual Loops'] === 0))
    return undefined
  const sum = (of: (scan: PlanNode) => number) =>
    Math.round(scans.reduce((total, scan) => total + of(scan) * scan['Actual Loops'], 0))
  return { visible: sum((scan) => scan['Actual Rows']), hidden: sum((scan) => scan['Rows Removed by Filter'] ?? 0) }
}

/**
 * The scans that deliver the table's rows (several for a partitioned table), without those of subqueries in policies.
 */
const scansOf = (node: PlanNode): PlanNode[] => {
  if (node['Relation Name'] !== undefined) return [node]
  const inputs = (node.Plans ?? []).filter(
    (plan) => !['InitPlan', 'SubPlan'].includes(plan['Parent Relationship'] ?? ''),
  )
  return inputs.flatMap(scansOf)
}
