import { ENGAGEMENT_KINDS } from '@sortie/contract/engagement/engagement-details.ts'
import type { EngagementDetails } from '../../shell/context/engagement.tsx'

/** Labels of engagement kinds. */
export const KIND_LABELS: Record<EngagementDetails['kind'], string> = {
  web: 'Web application',
  network: 'Network',
  mobile: 'Mobile',
  cloud: 'Cloud',
  'red-team': 'Red team',
  social: 'Social engineering',
  recon: 'Reconnaissance',
  other: 'Other',
}

export const KIND_OPTIONS = ENGAGEMENT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))
