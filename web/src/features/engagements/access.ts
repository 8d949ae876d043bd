import type { EngagementDetails } from '../../shell/context/engagement.tsx'

/** Who can see an engagement. */
export const ACCESS_LABELS: Record<EngagementDetails['access'], string> = {
  organization: 'Everyone in the organization',
  team: 'Its lead and team, the owner and admins',
}
