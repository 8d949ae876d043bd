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
 * Counts the rows that a table shows to this connection, and those that row-level security hides from it.
 *
 * No policy can change the second number: Postgres applies policies as a filter of the scan, and `explain analyze` reports the
 * rows that the filter removed. An ordinary role has no other way: with `row_security = off` an owner whom the policies bind gets
 * an error for every table.
 *
 * Call it with index scans and parallel plans switched off, so that the plan is a scan of the whole table.
 *
 * @returns undefined for a plan without a scan, as under the policy `using (false)`, which does not need to read the rows
 */
export const countRows = async (client: pg.Client, id: string): Promise<{ visible: number; hidden: number } | undefined> => {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, timing off, costs off, summary off, format json) select from ${id}`,
  )
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  const scans = plan ? scansOf(plan) : []
  if (scans.length === 0 || scans.some((scan) => scan['Node Type'] !== 'Seq Scan' || scan['Actual Loops'] === 0)) return undefined
  const sum = (of: (scan: PlanNode) => number) => Math.round(scans.reduce((total, scan) => total + of(scan) * scan['Actual Loops'], 0))
  return { visible: sum((scan) => scan['Actual Rows']), hidden: sum((scan) => scan['Rows Removed by Filter'] ?? 0) }
}

/** Scans that deliver rows of the table, several if it is partitioned; excludes those of subqueries in policies. */
const scansOf = (node: PlanNode): PlanNode[] => {
  if (node['Relation Name'] !== undefined) return [node]
  const inputs = (node.Plans ?? []).filter((plan) => !['InitPlan', 'SubPlan'].includes(plan['Parent Relationship'] ?? ''))
  return inputs.flatMap(scansOf)
}
