import { paths } from '../../../paths.ts'
import type { Scan } from '../../../ui/scan-states.tsx'

/** Where it stands what a scan changed. What it sees counts as seen when it began: the state before is that of the millisecond before. */
export const differenceAddress = (slug: string, { id, engagementId, createdAt, startedAt }: Scan): string => {
  const before = new Date(Date.parse(startedAt ?? createdAt) - 1).toISOString()
  return `${paths.resultsDiff(slug, engagementId)}?from=${before}&to=${id}`
}
