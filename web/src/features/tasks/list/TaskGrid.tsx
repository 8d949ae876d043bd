import { useMediaQuery } from '@mantine/hooks'
import type { Input } from '@sortie/client/calls.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { linkTo, query } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useFieldColumns } from '../../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { FilterValues } from '../../../ui/filters/filters.ts'
import type { GridColumn, GridSort } from '../../../ui/grid/columns/columns.ts'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { BulkActions } from '../bulk/BulkActions.tsx'
import { TaskMenus } from '../bulk/TaskMenus.tsx'
import type { Task } from '../labels.tsx'
import { COLUMNS } from './columns.tsx'
import { editable } from './editable-columns.tsx'
import { COUNTED, useTaskFilters } from './use-task-filters.ts'

type Filters = NonNullable<Input<'listTasks'>['query']>

interface TaskGridProps {
  name: string
  /** Filters and sort can be saved as views. */
  hasViews?: boolean
  /** Filters that always apply, in addition to those of the address. */
  fixed: Partial<Filters>
  values: FilterValues
  onFilter: (values: FilterValues) => void
  sort: GridSort
  onSort: (sort: GridSort) => void
  onOpen: (task: Task) => void
  columns?: GridColumn<Task>[]
  /** Cells are editable, and tasks of one engagement can be changed in bulk. */
  mayChange: boolean
  empty: ReactNode
}

/** Tasks as a list. */
export const TaskGrid = ({
  name,
  hasViews = false,
  fixed,
  values,
  onFilter,
  sort,
  onSort,
  onOpen,
  columns = COLUMNS,
  mayChange,
  empty,
}: TaskGridProps) => {
  const organization = useOrganization()
  const { engagementId } = fixed
  const definitions = useTaskFilters(values, engagementId)
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...(withFieldQuery(values, splitsBy(definitions)) as Filters), ...fixed }
  const ordered = { ...filters, sort: sort.by as NonNullable<Filters['sort']>, order: sort.order }
  const list = useRows(rows(organization.id, 'listTasks', { query: ordered }))
  // A two-line phone row has no space to press a single value, so a press opens the task.
  const [activeId, setActiveId] = useState<string>()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const withFields = useFieldColumns('task', columns)
  const shown = useMemo(
    () => (mayChange && !isPhone ? editable(withFields) : withFields),
    [withFields, mayChange, isPhone],
  )
  return (
    <>
      {mayChange && <TaskMenus taskId={activeId} />}
      <GridView
        name={name}
        {...(hasViews && { views: 'tasks' as const })}
        label="Tasks"
        nouns={['task', 'tasks']}
        columns={shown}
        list={list}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={onSort}
        onOpen={onOpen}
        onActive={setActiveId}
        csvHref={linkTo(organization.id, 'exportTasks', { query: { ...ordered, format: 'csv' } })}
        {...(mayChange &&
          engagementId !== undefined && {
            bulk: (selection, clear) => (
              <BulkActions
                selected={
                  selection.kind === 'all' ? { filter: { ...filters, engagementId } } : { ids: [...selection.ids] }
                }
                engagementId={engagementId}
                clear={clear}
              />
            ),
          })}
        filters={
          <FilterBar
            definitions={definitions.filter((filter) => !(filter.name in fixed))}
            values={values}
            onChange={onFilter}
            readCounts={(filter) => countsOf(organization.id, filter, filters)}
          />
        }
        isFiltered={Object.keys(values).length > 0}
        empty={empty}
      />
    </>
  )
}

/** Counts for one filter, with the other filters applied. */
const countsOf = (organizationId: string, filter: string, filters: Filters) => {
  const name = COUNTED.find((counted) => counted === filter)
  if (!name) return undefined
  const { [name]: _, ...others } = filters
  return {
    ...query(organizationId, 'countTasks', { query: { ...others, by: [name] } }),
    select: ({ data }: { data: { [K in typeof name]?: Record<string, number | null> | null } }) => data[name] ?? null,
  }
}
