import { useOrganization } from '../../shell/context/organization.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { OperationLog } from './log/OperationLog.tsx'
import { ofOrganization as route } from './operation-log.routes.ts'

/** Traffic without an engagement: sent by the owner or admins, with a reason. */
export const OrganizationOperationsPage = () => {
  const { name } = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title="Operation log"
      documentTitle={`Operation log · ${name}`}
      description="Requests sent without an engagement: source, destination, time, user and reason. Each engagement has its own log."
      layout="full"
    >
      <OperationLog
        place={{ organization: true }}
        search={search}
        onSearch={(wanted, isKept) => void navigate({ search: wanted, replace: isKept })}
      />
    </Page>
  )
}
