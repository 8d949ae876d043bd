import { useEngagement } from '../../shell/context/engagement.tsx'
import { useAccount } from '../../shell/context/session.tsx'

/**
 * Permission to change the rules of the open engagement, with the reason if denied. The server enforces the same rule.
 */
export const useMayChangeScope = (): { mayChange: boolean; reason?: string } => {
  const account = useAccount()
  const { mayChange, details, isArchived } = useEngagement()
  if (isArchived) return { mayChange: false, reason: 'Reopen the engagement to change its scope.' }
  const isOnTeam = details.lead?.id === account.id || details.team.some(({ id }) => id === account.id)
  if (mayChange || isOnTeam) return { mayChange: true }
  return { mayChange: false, reason: 'Only the lead, the team, the owner and admins may change the scope.' }
}
