import { Button } from '@mantine/core'
import type { EngagementStatus } from '../../../domain/engagement-status.tsx'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useStatusChange } from './use-status-change.ts'

/**
 * Transitions that each status allows, labelled by their effect. The banner reopens an archived engagement.
 */
const STEPS: Record<EngagementStatus, readonly { to: EngagementStatus; label: string }[]> = {
  active: [{ to: 'completed', label: 'Complete' }],
  completed: [
    { to: 'active', label: 'Reopen' },
    { to: 'archived', label: 'Archive' },
  ],
  archived: [],
}

export const StatusButtons = () => {
  const { engagement } = useEngagement()
  const change = useStatusChange()
  return STEPS[engagement.status].map(({ to, label }) => (
    <Button key={to} variant="default" disabled={change.isPending} onClick={() => change.to(engagement, to)}>
      {label}
    </Button>
  ))
}
