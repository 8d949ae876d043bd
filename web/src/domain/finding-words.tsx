import type { Output } from '@sortie/client/calls.ts'
import type { Section } from '@sortie/contract/findings/finding-fields.ts'
import { type Shape, StatusLabel, type Tone } from '../ui/feedback/StatusLabel.tsx'

export type FindingRow = Output<'listFindings'>['data'][number]
export type FindingState = FindingRow['state']
export type RemediationStatus = FindingRow['status']

/** In the order of a review. */
export const FINDING_STATE_LABELS: Record<FindingState, string> = {
  draft: 'Draft',
  in_review: 'In review',
  approved: 'Approved',
}

export const REMEDIATION_LABELS: Record<RemediationStatus, string> = {
  open: 'Open',
  partly_fixed: 'Partly fixed',
  fixed: 'Fixed',
  not_reproducible: 'Not reproducible',
  withdrawn: 'Withdrawn',
}

const STATE_TONES: Record<FindingState, Tone> = { draft: 'quiet', in_review: 'busy', approved: 'good' }
const STATE_SHAPES: Record<FindingState, Shape> = { draft: 'ring', in_review: 'half', approved: 'check' }
const REMEDIATION_TONES: Record<RemediationStatus, Tone> = {
  open: 'warn',
  partly_fixed: 'busy',
  fixed: 'good',
  not_reproducible: 'quiet',
  withdrawn: 'quiet',
}
const REMEDIATION_SHAPES: Record<RemediationStatus, Shape> = {
  open: 'ring',
  partly_fixed: 'half',
  fixed: 'check',
  not_reproducible: 'dash',
  withdrawn: 'cross',
}

/** Labels of the texts of a finding. */
export const SECTION_LABELS: Record<Section, string> = {
  summary: 'Summary',
  description: 'Description',
  impact: 'Impact',
  reproduction: 'Reproduction',
  recommendation: 'Recommendation',
}
/** What belongs into a text. */
/** Whether a name is one of the texts of a finding. */
export const isSection = (name: string): name is Section => Object.hasOwn(SECTION_LABELS, name)

export const SECTION_HINTS: Record<Section, string> = {
  summary: 'One or two sentences for management.',
  description: 'The root cause, and where it is.',
  impact: 'What an attacker gains.',
  reproduction: 'Steps that show it, with evidence.',
  recommendation: 'What to change, first step first.',
}

export const FindingStateLabel = ({ state }: { state: FindingState }) => (
  <StatusLabel tone={STATE_TONES[state]} shape={STATE_SHAPES[state]}>
    {FINDING_STATE_LABELS[state]}
  </StatusLabel>
)

/** Whether the client has fixed it: of a finding, or of one of its assets. */
export const RemediationLabel = ({
  status,
  label = REMEDIATION_LABELS[status],
}: {
  status: RemediationStatus
  label?: string
}) => (
  <StatusLabel tone={REMEDIATION_TONES[status]} shape={REMEDIATION_SHAPES[status]}>
    {label}
  </StatusLabel>
)

/** Reads that are stale after a finding or its assets changed. */
export const staleFindingReads = (organizationId: string) =>
  (
    [
      'listFindings',
      'countFindings',
      'getFinding',
      'listAffected',
      'listFindingRevisions',
      'listFindingSuggestions',
    ] as const
  ).map((name) => [organizationId, name] as const)
