import { Button, Menu } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import type { ReactNode } from 'react'
import { call, linkTo, messageOf, query, useCommand } from '../../api.ts'
import { GridView } from '../../shell/GridView.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { DropdownMenu } from '../../ui/DropdownMenu.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import type { FilterValues } from '../../ui/filters/filters.ts'
import type { GridSort } from '../../ui/grid/columns.ts'
import type { GridSelection } from '../../ui/grid/selection.ts'
import { useRows } from '../../ui/grid/use-rows.ts'
import { toast, toastError } from '../../ui/toast.ts'
import { COLUMNS } from './columns.tsx'
import { FILTERS } from './task-search.ts'
import { PRIORITIES, PRIORITY_LABELS, STATUS_LABELS, STATUSES, staleReads, type Task } from './words.tsx'

type Filters = NonNullable<Input<'listTasks'>['query']>
type BulkSet = NonNullable<Input<'bulkUpdateTasks'>['body']>['set']

interface TaskGridProps {
  name: string
  /** Whether filters and sort can be kept as views. */
  hasViews?: boolean
  /** Filters that always hold, beside those of the address. */
  fixed: Partial<Filters>
  values: FilterValues
  onFilter: (values: FilterValues) => void
  sort: GridSort
  onSort: (sort: GridSort) => void
  onOpen: (task: Task) => void
  /** Whether tasks can be selected and changed together. */
  mayChange: boolean
  empty: ReactNode
}

/** Tasks as a list. */
export const TaskGrid = ({ name, hasViews = false, fixed, values, onFilter, sort, onSort, onOpen, mayChange, empty }: TaskGridProps) => {
  const organization = useOrganization()
  // The server checks what a filter may say: an address with another value is answered with the reason.
  const filters = { ...(values as Filters), ...fixed }
  const ordered = { ...filters, sort: sort.by as NonNullable<Filters['sort']>, order: sort.order }
  const list = useRows({
    queryKey: [organization.id, 'listTasks', ordered],
    read: (window, signal) => call(organization.id, 'listTasks', { query: { ...ordered, ...window } }, { signal }),
  })
  return (
    <GridView
      name={name}
      {...(hasViews && { views: 'tasks' as const })}
      label="Tasks"
      nouns={['task', 'tasks']}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={onSort}
      onOpen={onOpen}
      csvHref={linkTo(organization.id, 'exportTasks', { query: { ...ordered, format: 'csv' } })}
      {...(mayChange && { bulk: (selection, clear) => <BulkActions selection={selection} filters={filters} clear={clear} /> })}
      filters={
        <FilterBar
          definitions={FILTERS.filter((filter) => !(filter.name in fixed))}
          values={values}
          onChange={onFilter}
          readCounts={(filter) => countsOf(organization.id, filter as 'status', filters)}
        />
      }
      empty={empty}
    />
  )
}

/** Of one filter, with the others as they are. */
const countsOf = (organizationId: string, name: 'status' | 'priority' | 'assigneeId' | 'outcome', { [name]: _, ...others }: Filters) => ({
  ...query(organizationId, 'countTasks', { query: { ...others, by: [name] } }),
  select: ({ data }: { data: { [K in typeof name]?: Record<string, number | null> | null } }) => data[name] ?? null,
})

const BulkActions = ({ selection, filters, clear }: { selection: GridSelection; filters: Filters; clear: () => void }) => {
  const organization = useOrganization()
  const update = useCommand(organization.id, 'bulkUpdateTasks', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data }) => {
      toast(`${data.updated} tasks were changed.`)
      clear()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const chosen = selection.kind === 'all' ? { filter: filters } : { ids: [...selection.ids] }
  const set = (values: BulkSet) => update.mutate({ body: { ...chosen, set: values } } as Input<'bulkUpdateTasks'>)
  return (
    <>
      <DropdownMenu
        position="bottom-start"
        target={
          <Button variant="default" size="compact-sm">
            Status
          </Button>
        }
      >
        {STATUSES.map((status) => (
          <Menu.Item key={status} onClick={() => set({ status })}>
            {STATUS_LABELS[status]}
          </Menu.Item>
        ))}
      </DropdownMenu>
      <DropdownMenu
        position="bottom-start"
        target={
          <Button variant="default" size="compact-sm">
            Priority
          </Button>
        }
      >
        {PRIORITIES.map((priority) => (
          <Menu.Item key={priority} onClick={() => set({ priority })}>
            {PRIORITY_LABELS[priority]}
          </Menu.Item>
        ))}
      </DropdownMenu>
    </>
  )
}
