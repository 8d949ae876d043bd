import { REMEDIATION_STATUSES, type RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'

export type StatusCounts = Record<RemediationStatus, number>

/** Fills in the statuses that no asset has. */
export const wholeCounts = (counts: Partial<StatusCounts>): StatusCounts =>
  Object.fromEntries(REMEDIATION_STATUSES.map((status) => [status, counts[status] ?? 0])) as StatusCounts

/**
 * The status of a finding, which follows from its assets; withdrawn ones are ignored.
 *
 * @returns undefined without assets: the status that was set applies
 */
export const statusFrom = ({ withdrawn, ...counts }: StatusCounts): RemediationStatus | undefined => {
  const { open, partly_fixed: partly, fixed, not_reproducible: gone } = counts
  const all = open + partly + fixed + gone
  if (all === 0) return withdrawn > 0 ? 'withdrawn' : undefined
  const [agreed] = Object.entries(counts).flatMap(([status, count]) =>
    count === all ? [status as RemediationStatus] : [],
  )
  if (agreed !== undefined) return agreed
  if (fixed + partly > 0 && open + partly > 0) return 'partly_fixed'
  return open + partly === 0 ? 'fixed' : 'open'
}
