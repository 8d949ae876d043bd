import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { identityQuery } from '../../shell/session.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Page } from '../../ui/Page.tsx'
import { DomainAutoJoin } from './DomainAutoJoin.tsx'
import { RequireTwoFactor } from './RequireTwoFactor.tsx'
import { SingleSignOn } from './SingleSignOn.tsx'

export type Settings = Output<'getOrganization'>['data']['settings']
export type Overview = Output<'getSecurityOverview'>['data']

export const SecurityPage = () => (
  <Page title="Security" layout="form" description="What the organization demands of its members, and how people get in.">
    <Switches />
  </Page>
)

const Switches = () => {
  const { id } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  const overview = useQuery(query(id, 'getSecurityOverview'))
  const domains = useQuery(query(id, 'listDomains'))
  const identity = useQuery(identityQuery())
  const reads = [organization, overview, domains, identity]
  const failed = reads.find(({ isError }) => isError)
  if (failed?.error) return <QueryFailed error={failed.error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />
  if (!organization.data || !overview.data || !domains.data || !identity.data) return <ListSkeleton rows={6} />
  const { settings } = organization.data.data
  return (
    <>
      <RequireTwoFactor settings={settings} overview={overview.data.data} />
      <DomainAutoJoin settings={settings} domains={domains.data.data} />
      <SingleSignOn settings={settings} overview={overview.data.data} identity={identity.data.data} />
    </>
  )
}
