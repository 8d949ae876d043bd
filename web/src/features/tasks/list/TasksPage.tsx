import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { SavedViews } from '../../../shell/views/SavedViews.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { type FilterValues, toSearch } from '../../../ui/filters/filters.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { Board } from '../board/Board.tsx'
import { ChecksHidden, OnlyChecks, useHiddenChecks, usuallyWithoutChecks } from '../board/checks-hidden.tsx'
import type { Status, Task } from '../labels.tsx'
import { tasksOfEngagement as route } from '../tasks.routes.ts'
import { FirstTask } from './FirstTask.tsx'
import { FILTERS } from './task-filters.ts'
import { TaskGrid } from './TaskGrid.tsx'
import classes from './tasks.module.css'
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
  const { view = 'board', create = false, checks: showsChecks = false } = search
  const { values, sorting } = useGridPage(search, navigate, { definitions: FILTERS, sort: 'position', order: 'asc' })
  const [column, setColumn] = useState<Status>('open')
  const setCreating = (wanted: boolean, status: Status = 'open') => {
    setColumn(status)
    void navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  }
  const setFilters = (next: Parameters<typeof toSearch>[0]) =>
    void navigate({
      search: ({ view: shown, checks }) => ({
        ...toSearch(next),
        ...(shown && { view: shown }),
        ...(checks && { checks }),
      }),
    })
  const showChecks = (wanted: boolean) =>
    void navigate({ search: ({ checks: _, ...rest }) => (wanted ? { ...rest, checks: true as const } : rest) })
  const { taskId } = useParams({ strict: false })
  // The list stays as it is, with its filters; another task takes the place of the open one in the history.
  const open = ({ id }: Task) =>
    void navigate({
      to: '/o/$slug/engagements/$engagementId/tasks/$taskId',
      params: { slug: organization.slug, engagementId, taskId: id },
      search: (current) => current,
      replace: taskId !== undefined,
    })
  useShortcuts(
    mayChange
      ? [{ id: 'create', label: 'Create a task', group: 'This page', shortcut: 'c', run: () => setCreating(true) }]
      : [],
  )
  const opened = useQuery({
    ...query(organization.id, 'getTask', { params: { taskId: taskId ?? '' } }),
    enabled: taskId !== undefined,
  })
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
  const boardValues = view === 'board' ? withoutStatusOf(values) : values
  const hiddenChecks = useHiddenChecks(engagementId, boardValues, showsChecks || view === 'list')
  const empty =
    hiddenChecks !== 0 ? (
      <OnlyChecks onShow={() => showChecks(true)} />
    ) : isFiltered ? (
      <EmptyState title="No task matches these filters" />
    ) : (
      <FirstTask
        coverage={paths.engagementCoverage(organization.slug, engagementId)}
        {...(mayChange && { onCreate: () => setCreating(true) })}
      />
    )
  const withoutStatus = useTaskFilters(values, engagementId).filter(({ name }) => name !== 'status')
  if (taskId !== undefined && search.full) return <Outlet />
  return (
    <Page
      title="Tasks"
      documentTitle={opened.data?.data.title ?? `Tasks · ${engagement.data?.data.name ?? ''}`}
      actions={actions}
      layout="full"
    >
      {view === 'board' ? (
        <>
          <Group justify="space-between" gap="sm">
            <div className={classes.filters}>
              <FilterBar definitions={withoutStatus} values={values} onChange={setFilters} />
            </div>
            <ChecksHidden hidden={hiddenChecks} showsChecks={showsChecks} onChange={showChecks} />
            <SavedViews list="tasks" chosenId={viewId} onChoose={setViewId} />
          </Group>
          <Board
            engagementId={engagementId}
            values={withFieldQuery(usuallyWithoutChecks(boardValues, showsChecks), splitsBy(withoutStatus))}
            mayChange={mayChange}
            openedId={taskId}
            onOpen={open}
            onCreate={(status) => setCreating(true, status)}
            empty={empty}
          />
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
      <Outlet />
      <Suspense>
        {create && mayChange && (
          <QuickEntry engagementId={engagementId} status={column} onClose={() => setCreating(false)} />
        )}
      </Suspense>
    </Page>
  )
}

/** Each column is one status. */
const withoutStatusOf = ({ status: _, ...values }: FilterValues): FilterValues => values
