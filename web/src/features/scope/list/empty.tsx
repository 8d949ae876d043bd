import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconShieldCheck } from '../../../ui/icons.tsx'

export const NoRules = ({ action }: { action: ReactNode }) => (
  <EmptyState icon={<IconShieldCheck size={32} stroke={1.4} />} title="No scope yet" action={action}>
    No rule defines what may be touched yet, so every target is unknown. Paste the list from the contract: domains,
    wildcards, IPs, networks, ranges, ports and URLs. Once a rule allows something, everything that no rule covers is
    out of scope.
  </EmptyState>
)

export const NothingMatches = ({ engagementId }: { engagementId: string }) => (
  <EmptyState
    title="No rule matches these filters"
    action={
      <ButtonLink variant="default" to={paths.scope(useOrganization().slug, engagementId)}>
        Show all
      </ButtonLink>
    }
  />
)
