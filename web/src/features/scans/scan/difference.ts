import type { Scan } from '../../../domain/scan-states.tsx'
import { paths } from '../../../paths.ts'

/**
 * Address of the diff for a scan. Sightings of a scan count from its start, so the state before is one millisecond
 * earlier.
 */
export const differenceAddress = (slug: string, { id, engagementId, createdAt, startedAt }: Scan): string => {
  const before = new Date(Date.parse(startedAt ?? createdAt) - 1).toISOString()
  return `${paths.resultsDiff(slug, engagementId)}?from=${before}&to=${id}`
}
