import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconFocus2 } from '../../../ui/icons.tsx'

export const NoTargets = ({ action, isArchived }: { action: ReactNode; isArchived: boolean }) => (
  <EmptyState icon={<IconFocus2 size={32} stroke={1.4} />} title="No targets yet" action={action}>
    {isArchived
      ? 'No targets were added before the engagement was archived.'
      : 'A target is what is tested: a name, an address, a network, a URL or a service. Paste the list of the client, one per line. The scope shows immediately which of them may be touched. Imports and scans add what they find.'}
  </EmptyState>
)

export const NothingMatches = ({ engagementId }: { engagementId: string }) => (
  <EmptyState
    title="No target matches these filters"
    action={
      <ButtonLink variant="default" to={paths.targets(useOrganization().slug, engagementId)}>
        Show all
      </ButtonLink>
    }
  />
)
