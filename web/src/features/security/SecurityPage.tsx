import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { identityQuery } from '../../shell/context/session.tsx'
import { QueryView, together } from '../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { DomainAutoJoin } from './DomainAutoJoin.tsx'
import { RequireTwoFactor } from './RequireTwoFactor.tsx'
import { SingleSignOn } from './SingleSignOn.tsx'

export const SecurityPage = () => (
  <Page
    title="Security"
    layout="form"
    description="What the organization requires of its members, and how people join."
  >
    <Switches />
  </Page>
)

const Switches = () => {
  const { id } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  const overview = useQuery(query(id, 'getSecurityOverview'))
  const domains = useQuery(query(id, 'listDomains'))
  const identity = useQuery(identityQuery())
  return (
    <QueryView query={together({ organization, overview, domains, identity })} skeleton={<ListSkeleton rows={6} />}>
      {(reads) => {
        const { settings } = reads.organization.data
        return (
          <>
            <RequireTwoFactor settings={settings} overview={reads.overview.data} />
            <DomainAutoJoin settings={settings} domains={reads.domains.data} />
            <SingleSignOn settings={settings} overview={reads.overview.data} identity={reads.identity.data} />
          </>
        )
      }}
    </QueryView>
  )
}
