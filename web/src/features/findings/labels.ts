import type { Output } from '@sortie/client/calls.ts'
import type { FindingRow } from '../../domain/finding-words.tsx'

export type Finding = Output<'getFinding'>['data']
export type AffectedAsset = Output<'listAffected'>['data'][number]
export type ClientState = NonNullable<FindingRow['clientStatus']>['state']

export const VERIFICATION_LABELS: Record<FindingRow['verification'], string> = {
  none: 'Not verified',
  machine_found: 'Found by a tool',
  machine_verified: 'Verified by a tool',
  human_verified: 'Verified by a person',
}

/** What the client says about it. */
export const CLIENT_STATE_LABELS: Record<ClientState, string> = {
  planned: 'Fix planned',
  fixed: 'Reported fixed',
  accepted: 'Risk accepted',
  rejected: 'Rejected',
}

/** Assets of a finding that are not withdrawn. */
export const countOfAssets = ({ open, partly_fixed, fixed, not_reproducible }: FindingRow['affectedCounts']): number =>
  open + partly_fixed + fixed + not_reproducible

/** `3 of 5 open`, or how many there are if they are alike */
export const describeAssets = (counts: FindingRow['affectedCounts']): string => {
  const total = countOfAssets(counts)
  if (total === 0) return ''
  const open = counts.open + counts.partly_fixed
  return open === total ? String(total) : `${open} of ${total} open`
}
