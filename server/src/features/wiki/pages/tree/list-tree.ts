import type { Database } from '../../../../platform/database/connection/open.ts'
import { badRequest, notFound } from '../../../../platform/errors.ts'
import { findEngagement } from '../../../engagements/engagements.queries.ts'
import { listTree, type PageRow } from '../pages.queries.ts'

/**
 * All pages of one tree, depth first: parents before children.
 *
 * @throws ApiError BAD_REQUEST unless one tree is named, NOT_FOUND for a hidden engagement
 */
export const readTree = async (
  db: Database,
  organizationId: string,
  { engagementId, organization = false }: { engagementId: string | undefined; organization: boolean | undefined },
  max: number,
): Promise<PageRow[]> => {
  if ((engagementId === undefined) !== organization)
    throw badRequest('tree: needs either engagementId or organization=true')
  const rows = await listTree(db, organizationId, engagementId ?? null, max)
  if (rows.length === 0 && engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId)))
    throw notFound()
  return depthFirst(rows)
}

/** @param rows sorted by position; a row whose parent is not among them is omitted */
export const depthFirst = <Row extends { id: string; parent_id: string | null }>(rows: readonly Row[]): Row[] => {
  const below = new Map<string | null, Row[]>()
  for (const row of rows) {
    const siblings = below.get(row.parent_id)
    if (siblings) siblings.push(row)
    else below.set(row.parent_id, [row])
  }
  const ordered: Row[] = []
  const waiting = (below.get(null) ?? []).toReversed()
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    ordered.push(row)
    waiting.push(...(below.get(row.id) ?? []).toReversed())
  }
  return ordered
}
