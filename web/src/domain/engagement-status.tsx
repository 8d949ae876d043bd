import type { Output } from '@sortie/client/calls.ts'
import { StatusLabel } from '../ui/feedback/StatusLabel.tsx'

export type EngagementStatus = Output<'getEngagement'>['data']['status']

export const STATUS_LABELS: Record<EngagementStatus, string> = {
  active: 'Active',
  completed: 'Completed',
  archived: 'Archived',
}

export const EngagementStatusLabel = ({ status }: { status: EngagementStatus }) => (
  <StatusLabel tone={status === 'active' ? 'good' : status === 'completed' ? 'busy' : 'quiet'}>
    {STATUS_LABELS[status]}
  </StatusLabel>
)
