import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { SavedViews } from '../../../shell/views/SavedViews.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { toSearch } from '../../../ui/filters/filters.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { Board } from '../board/Board.tsx'
import type { Task } from '../labels.tsx'
import { tasksOfEngagement as route } from '../tasks.routes.ts'
import { FirstTask } from './FirstTask.tsx'
import { FILTERS } from './task-search.ts'
import { TaskGrid } from './TaskGrid.tsx'
import { useTaskFilters } from './use-task-filters.ts'

/** With the fields and drafts of forms. */
const QuickEntry = lazyPart(() => import('./QuickEntry.tsx'), 'QuickEntry')

/** Tasks of an engagement, as a board or a list. */
export const TasksPage = () => {
  const organization = useOrganization()
  const { engagementId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId } }))
  const mayChange = engagement.data !== undefined && engagement.data.data.status !== 'archived'
  const { view = 'board', create = false } = search
  const { values, sorting } = useGridPage(search, navigate, { definitions: FILTERS, sort: 'position', order: 'asc' })
  const setCreating = (wanted: boolean) =>
    void navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  const setFilters = (next: Parameters<typeof toSearch>[0]) =>
    void navigate({ search: ({ view: shown }) => ({ ...toSearch(next), ...(shown && { view: shown }) }) })
  const open = ({ id }: Task) => void navigate({ href: paths.task(organization.slug, id) })
  useShortcuts(
    mayChange
      ? [{ id: 'create', label: 'Create a task', group: 'This page', shortcut: 'c', run: () => setCreating(true) }]
      : [],
  )
  const [viewId, setViewId] = useState<string>()
  const actions = (
    <>
      <SegmentedControl
        aria-label="Show tasks as"
        size="xs"
        value={view}
        onChange={(next) =>
          void navigate({
            search: ({ view: _, ...rest }) => (next === 'list' ? { ...rest, view: 'list' as const } : rest),
            replace: true,
          })
        }
        data={[
          { value: 'board', label: 'Board' },
          { value: 'list', label: 'List' },
        ]}
      />
      {mayChange && (
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setCreating(true)}>
          New task
        </Button>
      )}
    </>
  )
  const isFiltered = Object.keys(values).some((name) => view === 'list' || name !== 'status')
  const empty = isFiltered ? (
    <EmptyState title="No task matches these filters" />
  ) : (
    <FirstTask
      coverage={paths.engagementCoverage(organization.slug, engagementId)}
      {...(mayChange && { onCreate: () => setCreating(true) })}
    />
  )
  const withoutStatus = useTaskFilters(values, engagementId).filter(({ name }) => name !== 'status')
  return (
    <Page title="Tasks" documentTitle={`Tasks · ${engagement.data?.data.name ?? ''}`} actions={actions} layout="full">
      {view === 'board' ? (
        <>
          <Group justify="space-between" wrap="nowrap">
            <FilterBar definitions={withoutStatus} values={values} onChange={setFilters} />
            <SavedViews list="tasks" chosenId={viewId} onChoose={setViewId} />
          </Group>
          <Board engagementId={engagementId} values={values} mayChange={mayChange} onOpen={open} empty={empty} />
        </>
      ) : (
        <TaskGrid
          name="tasks"
          hasViews
          fixed={{ engagementId }}
          values={values}
          onFilter={setFilters}
          {...sorting}
          onOpen={open}
          mayChange={mayChange}
          empty={empty}
        />
      )}
      <Suspense>
        {create && mayChange && <QuickEntry engagementId={engagementId} onClose={() => setCreating(false)} />}
      </Suspense>
    </Page>
  )
}
