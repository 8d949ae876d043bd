import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useAccount } from '../../../shell/context/session.tsx'
import { alsoHere } from '../../../shell/presence/also-here.ts'
import { usePresence } from '../../../shell/presence/use-presence.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { RenderLines } from '../../../shell/renders/RenderLines.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconEdit } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import classes from '../findings.module.css'
import { finding as route } from '../findings.routes.ts'
import type { Finding } from '../labels.ts'
import { AffectedAssets } from './assets/AffectedAssets.tsx'
import { CommentsToggle } from './comments/CommentsToggle.tsx'
import { EditView } from './EditView.tsx'
import { FindingActions } from './FindingActions.tsx'
import { LibraryNotice } from './library/LibraryNotice.tsx'
import { ReadView } from './ReadView.tsx'
import { ReviewBar } from './review/ReviewBar.tsx'
import { FindingHistory } from './texts/FindingHistory.tsx'
import { Views } from './Views.tsx'

const LibraryDiff = lazyPart(() => import('./library/LibraryDiff.tsx'), 'LibraryDiff')

/** One finding: its texts, their editor, its assets or its history. */
export const FindingPage = () => {
  const organization = useOrganization()
  const { engagementId, findingId } = route.useParams()
  const read = useQuery(query(organization.id, 'getFinding', { params: { findingId } }))
  const list = paths.findings(organization.slug, engagementId)
  return (
    <WithCrumbs crumbs={[{ label: 'Findings', to: list }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data }) => (
          <UploadsProvider key={data.id} below={paths.finding(organization.slug, engagementId, data.id)}>
            <Shown finding={data} />
          </UploadsProvider>
        )}
      </QueryView>
    </WithCrumbs>
  )
}

/** Who else has the finding open, and who edits it. */
const useOthers = ({ id: findingId, engagementId }: Finding, isEditing: boolean): string => {
  const { id: organizationId } = useOrganization()
  const { id } = useAccount()
  usePresence({ id: findingId, engagementId, isEditing })
  const { data } = useQuery(query(organizationId, 'listFindingViewers', { params: { findingId } }))
  return alsoHere(data?.data, id)
}

const Shown = ({ finding }: { finding: Finding }) => {
  const { engagement, isArchived } = useEngagement()
  const { slug } = useOrganization()
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = !isArchived && finding.trashedAt === null
  const others = useOthers(finding, view === 'edit' && mayChange)
  const address = paths.finding(slug, engagement.id, finding.id)
  useVisit(finding.id)
  useShortcuts(
    mayChange && view !== 'edit'
      ? [
          {
            id: 'edit-texts',
            label: 'Edit the texts',
            group: 'This page',
            icon: IconEdit,
            shortcut: 'e',
            run: () =>
              void navigate({ search: ({ side }) => ({ view: 'edit', ...(side === 'comments' && { side }) }) }),
          },
        ]
      : [],
  )
  return (
    <Page
      title={`${finding.number} ${finding.title}`}
      documentTitle={`${finding.title} · ${engagement.name}`}
      actions={
        <>
          {view === 'edit' && <CommentsToggle finding={finding} />}
          <FindingActions finding={finding} mayChange={mayChange} isEditing={view === 'edit'} />
        </>
      }
      {...(others && { facts: others })}
      layout={view === 'edit' || view === 'assets' ? 'full' : 'list'}
    >
      <div className={classes.head}>
        <Views finding={finding} />
        <ReviewBar finding={finding} mayChange={mayChange} />
      </div>
      <RenderLines of={finding.id} />
      {view === undefined && mayChange && <LibraryNotice finding={finding} />}
      {view === 'edit' ? (
        <EditView finding={finding} mayChange={mayChange} address={address} />
      ) : view === 'assets' ? (
        <AffectedAssets finding={finding} mayChange={mayChange} />
      ) : view === 'library' ? (
        <Suspense fallback={<ListSkeleton rows={8} />}>
          <LibraryDiff finding={finding} mayChange={mayChange} />
        </Suspense>
      ) : view === 'history' ? (
        <FindingHistory finding={finding} mayRestore={mayChange} />
      ) : (
        <ReadView finding={finding} mayChange={mayChange} address={address} />
      )}
    </Page>
  )
}
