import { Button } from '@mantine/core'
import { call } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconCalendarRepeat, IconPlus } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { schedules as route } from '../scans.routes.ts'
import { COLUMNS } from './columns.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { SchedulePeek } from './SchedulePeek.tsx'

/** Scans that start by themselves. */
export const SchedulesPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const { order = 'desc', peek, add = false } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = { engagementId: engagement.id }
  const list = useRows({
    queryKey: [organizationId, 'listScanSchedules', filters, order],
    read: (window, signal) => call(organizationId, 'listScanSchedules', { query: { ...filters, ...window, order } }, { signal }),
  })
  const setPeek = (id: string | undefined) =>
    void navigate({ search: ({ peek: _, ...rest }) => (id === undefined ? rest : { ...rest, peek: id }), replace: peek !== undefined })
  const setAdding = (wanted: boolean) => void navigate({ search: ({ add: _, ...rest }) => (wanted ? { ...rest, add: true as const } : rest), replace: true })
  useShortcuts(isArchived ? [] : [{ id: 'create', label: 'New schedule', group: 'This page', shortcut: 'c', run: () => setAdding(true) }])
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
          sort={{ by: 'createdAt', order }}
          onSort={(sort) => void navigate({ search: (rest) => ({ ...rest, order: sort.order }), replace: true })}
          peek={{ id: peek, onChange: setPeek, render: (id) => <SchedulePeek key={id} scheduleId={id} onGone={() => setPeek(undefined)} /> }}
          empty={
            <EmptyState icon={<IconCalendarRepeat size={32} stroke={1.4} />} title="No schedules yet" action={addButton}>
              A schedule repeats a scan, such as every weekday at two. It selects its targets again each time. A run outside the testing hours, or while the
              previous one is still running, is skipped and reported.
            </EmptyState>
          }
        />
        {!isArchived && add && <ScheduleDialog onClose={() => setAdding(false)} />}
      </Page>
    </WithCrumbs>
  )
}
