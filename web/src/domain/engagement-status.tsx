import type { Output } from '@sortie/client/calls.ts'
import { type Shape, StatusLabel } from '../ui/feedback/StatusLabel.tsx'

export type EngagementStatus = Output<'getEngagement'>['data']['status']

export const STATUS_LABELS: Record<EngagementStatus, string> = {
  active: 'Active',
  completed: 'Completed',
  archived: 'Archived',
}

const SHAPES: Record<EngagementStatus, Shape> = { active: 'half', completed: 'check', archived: 'dash' }

export const EngagementStatusLabel = ({ status }: { status: EngagementStatus }) => (
  <StatusLabel tone={status === 'active' ? 'good' : status === 'completed' ? 'busy' : 'quiet'} shape={SHAPES[status]}>
    {STATUS_LABELS[status]}
  </StatusLabel>
)
