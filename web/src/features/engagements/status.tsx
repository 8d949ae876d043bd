import type { Output } from '@sortie/client/calls.ts'
import { StatusLabel } from '../../ui/StatusLabel.tsx'

export type Engagement = Output<'getEngagement'>['data']
export type EngagementStatus = Engagement['status']

const WORDS: Record<EngagementStatus, string> = { active: 'Active', completed: 'Completed', archived: 'Archived' }

export const EngagementStatusLabel = ({ status }: { status: EngagementStatus }) => (
  <StatusLabel tone={status === 'active' ? 'good' : status === 'completed' ? 'busy' : 'quiet'}>{WORDS[status]}</StatusLabel>
)
