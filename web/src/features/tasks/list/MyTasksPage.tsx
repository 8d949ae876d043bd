import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { filterValues, toSearch } from '../../../ui/filters/filters.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { myTasks as route } from '../tasks.routes.ts'
import { MY_COLUMNS } from './columns.tsx'
import { FILTERS } from './task-filters.ts'
import { TaskGrid } from './TaskGrid.tsx'

/** The user's tasks in all engagements, earliest due date first. */
export const MyTasksPage = () => {
  const { slug } = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const values = { status: 'open,in_progress,blocked', ...filterValues(search, FILTERS) }
  const { sort = 'dueOn', order = 'asc' } = search
  return (
    <Page title="My tasks" layout="full">
      <TaskGrid
        name="my-tasks"
        fixed={{ assigneeId: ['me'] }}
        values={values}
        onFilter={(next) => void navigate({ search: toSearch(next) })}
        sort={{ by: sort === 'position' ? 'dueOn' : sort, order }}
        onSort={(next) =>
          void navigate({ search: (rest) => ({ ...rest, sort: next.by as typeof sort, order: next.order }) })
        }
        onOpen={({ id }) => void navigate({ href: paths.task(slug, id) })}
        columns={MY_COLUMNS}
        mayChange
        empty={<EmptyState title="Nothing to do">Tasks assigned to you in any engagement appear here.</EmptyState>}
      />
    </Page>
  )
}
