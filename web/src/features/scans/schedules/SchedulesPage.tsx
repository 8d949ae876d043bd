import { Button } from '@mantine/core'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { IconCalendarRepeat } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { schedules as route } from '../scans.routes.ts'
import { COLUMNS } from './columns.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { SchedulePeek } from './SchedulePeek.tsx'

/** Scans that start by themselves. */
export const SchedulesPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { sort: 'createdAt', order: 'desc', hasOneSort: true })
  const { peek, setPeek } = grid
  const { add = false } = search
  const list = useRows(
    rows(organizationId, 'listScanSchedules', { query: { engagementId: engagement.id, order: grid.ordered.order } }),
  )
  const setAdding = (wanted: boolean) =>
    void navigate({ search: ({ add: _, ...rest }) => (wanted ? { ...rest, add: true as const } : rest), replace: true })
  useShortcuts(
    isArchived
      ? []
      : [{ id: 'create', label: 'New schedule', group: 'This page', shortcut: 'c', run: () => setAdding(true) }],
  )
  const addButton = !isArchived && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      New schedule
    </Button>
  )
  return (
    <WithCrumbs crumbs={[{ label: 'Scans', to: paths.scans(slug, engagement.id) }]}>
      <Page title="Schedules" documentTitle={`Schedules · ${engagement.name}`} layout="full" actions={addButton}>
        <GridView
          name="scan-schedules"
          label="Schedules"
          nouns={['schedule', 'schedules']}
          columns={COLUMNS}
          list={list}
          rowKey={({ id }) => id}
          {...grid.sorting}
          peek={{
            id: peek,
            onChange: setPeek,
            render: (id) => <SchedulePeek key={id} scheduleId={id} onGone={() => setPeek(undefined)} />,
          }}
          empty={
            <EmptyState
              icon={<IconCalendarRepeat size={32} stroke={1.4} />}
              title="No schedules yet"
              action={addButton}
            >
              A schedule repeats a scan, such as every weekday at two. It selects its targets again each time. A run
              outside the testing hours, or while the previous one is still running, is skipped and reported.
            </EmptyState>
          }
        />
        {!isArchived && add && <ScheduleDialog onClose={() => setAdding(false)} />}
      </Page>
    </WithCrumbs>
  )
}
