import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconPlus, IconWorld } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { ClaimDomainDialog } from './ClaimDomainDialog.tsx'
import type { Domain } from './domain.ts'
import { settingsPage as route } from './domains.routes.ts'
import { DomainSection } from './DomainSection.tsx'
import { RemoveDomainDialog } from './RemoveDomainDialog.tsx'

export const DomainsPage = () => {
  const organization = useOrganization()
  const { claim = false } = route.useSearch()
  const navigate = route.useNavigate()
  const [removing, setRemoving] = useState<Domain>()
  const list = useQuery(query(organization.id, 'listDomains'))
  const setClaiming = (wanted: boolean) => void navigate({ search: wanted ? { claim: true } : {}, replace: true })
  const claimButton = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setClaiming(true)}>
      Claim a domain
    </Button>
  )
  return (
    <Page
      title="Domains"
      layout="form"
      description={
        <>
          People with an address at a verified domain may join without an invitation: see{' '}
          <TextLink to={paths.security(organization.slug)}>Security</TextLink>.
        </>
      }
      actions={list.data && list.data.data.length > 0 && claimButton}
    >
      <QueryView query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<IconWorld size={32} stroke={1.4} />} title="No domains yet" action={claimButton}>
              Enter the domain of your addresses, add one TXT record to its DNS, and check it. A claim without the
              record has no effect.
            </EmptyState>
          ) : (
            data.map((domain) => <DomainSection key={domain.id} domain={domain} onRemove={() => setRemoving(domain)} />)
          )
        }
      </QueryView>
      <ClaimDomainDialog opened={claim} onClose={() => setClaiming(false)} />
      <RemoveDomainDialog
        domain={removing}
        isLastProved={isLastProved(list.data?.data ?? [], removing)}
        onClose={() => setRemoving(undefined)}
      />
    </Page>
  )
}

const isLastProved = (domains: readonly Domain[], domain: Domain | undefined): boolean =>
  domain?.proved === true && domains.filter(({ proved }) => proved).length === 1
