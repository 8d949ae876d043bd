import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { paths } from '../../paths.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { OrganizationProvider, rememberOrganization } from '../context/organization.tsx'
import { lacksSecondFactor, organizationsQuery, useAccount } from '../context/session.tsx'
import { useLiveReads } from '../live/use-live-reads.ts'
import { ButtonLink } from '../routing/links.tsx'
import { NoAccessPage } from '../routing/pages.tsx'
import { organization as route } from '../routing/parents.ts'
import { Shell } from './Shell.tsx'

/** Layout below `/o/:slug`: resolves the slug among the user's organizations. */
export const OrganizationLayout = () => {
  const { slug } = route.useParams()
  const isSettings = useLocation({
    select: ({ pathname }) => pathname.startsWith(`${paths.organization(slug)}/settings/`),
  })
  const { engagementId } = useParams({ strict: false })
  const account = useAccount()
  const { data } = useQuery(organizationsQuery())
  const organization = data?.data.find((candidate) => candidate.slug === slug)
  useEffect(() => {
    if (organization) rememberOrganization(organization.slug)
  }, [organization])
  const isClosed = lacksSecondFactor(account, organization?.id)
  useLiveReads(account.id, isClosed ? undefined : organization?.id)
  if (!organization) return <NoAccessPage />
  return (
    <OrganizationProvider value={organization}>
      <Shell kind={engagementId ? { engagementId } : isSettings ? 'settings' : 'work'} title={organization.name}>
        {isClosed ? <SecondFactorNeeded name={organization.name} /> : <Outlet />}
      </Shell>
    </OrganizationProvider>
  )
}

const SecondFactorNeeded = ({ name }: { name: string }) => (
  <Notice
    title={`${name} requires two-factor authentication`}
    actions={<ButtonLink to={paths.secondFactor()}>Set up two-factor authentication</ButtonLink>}
  >
    Its pages open once you have set it up. It takes a minute and an authenticator app on your phone.
  </Notice>
)
