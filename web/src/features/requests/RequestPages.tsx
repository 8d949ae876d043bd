import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../shell/context/organization.tsx'
import { NotFoundPage } from '../../shell/routing/pages.tsx'
import { EnvironmentPage } from './environments/EnvironmentPage.tsx'
import { EnvironmentsPage } from './environments/EnvironmentsPage.tsx'
import { FolderPage } from './folders/FolderPage.tsx'
import { SequencePage } from './folders/SequencePage.tsx'
import { HomePage } from './HomePage.tsx'
import { PlaceProvider } from './place.tsx'
import { NewRequestPage, RequestPage } from './request/RequestPage.tsx'
import { RunPage } from './runs/RunPage.tsx'
import { RunsPage } from './runs/RunsPage.tsx'

/** The organization's library. Without an engagement only the owner and admins can send, and must state a reason. */
export const OrganizationRequests = () => {
  const organization = useOrganization()
  const needsReason = isAdmin(organization)
  const notSent = needsReason
    ? undefined
    : 'Requests are sent from an engagement: its scope, testing hours and operation log apply.'
  return (
    <PlaceProvider value={{ engagementId: null, name: organization.name, mayWrite: true, needsReason, notSent }}>
      <Opened />
    </PlaceProvider>
  )
}

/** Requests of an engagement. */
export const EngagementRequests = () => {
  const { engagement, isArchived } = useEngagement()
  const notSent = engagement.status === 'active' ? undefined : 'This engagement is not active: nothing is sent from it.'
  return (
    <PlaceProvider value={{ engagementId: engagement.id, name: engagement.name, mayWrite: !isArchived, notSent }}>
      <Opened />
    </PlaceProvider>
  )
}

/** Page of the open object, chosen by the prefix of its id. */
const Opened = () => {
  const { objectId } = useParams({ strict: false })
  const { run } = useSearch({ strict: false })
  const navigate = useNavigate()
  // The request form stays mounted, so that no discard question is asked.
  const showRun = (runId: string | undefined) =>
    void navigate({ to: '.', search: runId === undefined ? {} : { run: runId }, replace: true, ignoreBlocker: true })
  if (objectId === undefined) return <HomePage />
  if (objectId === 'environments') return <EnvironmentsPage />
  if (objectId === 'runs') return <RunsPage />
  if (objectId === 'new') return <NewRequestPage />
  switch (objectId.slice(0, 4)) {
    case 'fld_':
      return <FolderPage key={objectId} folderId={objectId} />
    case 'env_':
      return <EnvironmentPage key={objectId} environmentId={objectId} />
    case 'run_':
      return <RunPage key={objectId} runId={objectId} />
    case 'seq_':
      return <SequencePage key={objectId} sequenceId={objectId} />
    case 'req_':
      return <RequestPage key={objectId} requestId={objectId} runId={run} onShowRun={showRun} />
    default:
      return <NotFoundPage />
  }
}
