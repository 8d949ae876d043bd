import type { Engagement } from '../shell/context/engagement.tsx'
import { StatusLabel } from '../ui/feedback/StatusLabel.tsx'

export type EngagementStatus = Engagement['status']

export const STATUS_LABELS: Record<EngagementStatus, string> = { active: 'Active', completed: 'Completed', archived: 'Archived' }

export const EngagementStatusLabel = ({ status }: { status: EngagementStatus }) => (
  <StatusLabel tone={status === 'active' ? 'good' : status === 'completed' ? 'busy' : 'quiet'}>{STATUS_LABELS[status]}</StatusLabel>
)
