import type { Input } from '@sortie/client/calls.ts'
import { rows } from '../../api/rows.ts'
import { isUnderWay } from '../../domain/scan-states.tsx'
import { paths } from '../../paths.ts'
import { UnscopedNotice } from '../../shell/banners/UnscopedNotice.tsx'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { GridView } from '../../shell/reads/GridView.tsx'
import { useGridPage } from '../../shell/reads/use-grid-page.ts'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { useShortcuts } from '../../ui/commands/commands.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { useRows } from '../../ui/grid/rows/use-rows.ts'
import { IconPlus, IconRadar2 } from '../../ui/icons.tsx'
import { IconCalendarRepeat } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { COLUMNS } from './columns.tsx'
import { FILTERS } from './scan-filters.ts'
import { ScanPeek } from './scan/ScanPeek.tsx'
import { list as route } from './scans.routes.ts'
import { useRefresh } from './use-refresh.ts'

type Filters = Omit<NonNullable<Input<'listScans'>['query']>, 'engagementId'>

/** Scans of an engagement: scope, time and outcome. */
export const ScansPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, {
    definitions: FILTERS,
    sort: 'createdAt',
    order: 'desc',
    hasOneSort: true,
  })
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...(grid.values as Filters), engagementId: engagement.id }
  const list = useRows(rows(organizationId, 'listScans', { query: { ...filters, order: grid.ordered.order } }))
  useRefresh(list.rows.some(isUnderWay))
  const start = paths.newScan(slug, engagement.id)
  useShortcuts(
    isArchived
      ? []
      : [
          {
            id: 'create',
            label: 'New scan',
            group: 'This page',
            shortcut: 'c',
            run: () => void navigate({ to: start }),
          },
        ],
  )
  const startButton = !isArchived && (
    <ButtonLink to={start} leftSection={<IconPlus size={14} aria-hidden />}>
      New scan
    </ButtonLink>
  )
  return (
    <Page
      title="Scans"
      documentTitle={`Scans · ${engagement.name}`}
      layout="full"
      actions={
        <>
          <ButtonLink
            variant="default"
            to={paths.scanSchedules(slug, engagement.id)}
            leftSection={<IconCalendarRepeat size={14} aria-hidden />}
          >
            Schedules
          </ButtonLink>
          {startButton}
        </>
      }
    >
      <UnscopedNotice engagementId={engagement.id} />
      <GridView
        name="scans"
        views="scans"
        label="Scans"
        nouns={['scan', 'scans']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        peek={{
          id: grid.peek,
          onChange: grid.setPeek,
          render: (id) => <ScanPeek key={id} scanId={id} />,
        }}
        onOpen={({ id }) => void navigate({ to: paths.openScan(slug, engagement.id, id) })}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={
          grid.isFiltered ? <EmptyState title="No scan matches these filters" /> : <FirstScan action={startButton} />
        }
      />
    </Page>
  )
}

const FirstScan = ({ action }: { action: React.ReactNode }) => (
  <EmptyState icon={<IconRadar2 size={32} stroke={1.4} />} title="No scans yet" action={action}>
    A scan examines targets from this server: names, open ports, web servers, certificates. Findings become results
    while it runs, and the next scan shows what is new, changed or gone. It touches nothing out of scope, and nothing
    outside the testing hours.
  </EmptyState>
)
