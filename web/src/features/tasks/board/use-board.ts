import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf, query, useCommand } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import type { FilterValues } from '../../../ui/filters/filters.ts'
import { useRows } from '../../../ui/grid/use-rows.ts'
import { toastError } from '../../../ui/toast.ts'
import { STATUS_LABELS, type Status, type Task } from '../words.tsx'

type Pages = InfiniteData<{ data: Task[]; meta: { total?: number | null } }>

const keyOf = (organizationId: string, engagementId: string, values: FilterValues, status: Status) =>
  [organizationId, 'listTasks', { engagementId, ...values, status, sort: 'position' }] as const

/** The tasks of one column, read as one scrolls. */
export const useColumn = (engagementId: string, values: FilterValues, status: Status) => {
  const { id } = useOrganization()
  return useRows({
    queryKey: keyOf(id, engagementId, values, status),
    read: (window, signal) =>
      call(id, 'listTasks', { query: { engagementId, ...values, status: [status], sort: 'position', order: 'asc', ...window } as object }, { signal }),
  })
}

/** Whether no column has a task. Not known before the server has answered. */
export const useIsEmpty = (engagementId: string, values: FilterValues): boolean => {
  const { id } = useOrganization()
  const counts = useQuery(query(id, 'countTasks', { query: { ...values, engagementId, by: ['status'] } })).data?.data.status
  return counts !== undefined && counts !== null && Object.values(counts).every((count) => count === 0)
}

/** Where a task goes: into a column, and there directly before or after another task, or to its end. */
export interface Destination {
  status: Status
  beforeId?: string
  afterId?: string
}

/** Moves tasks: on the screen at once, and back again where the server refuses. */
export const useMove = (engagementId: string, values: FilterValues, announce: (message: string) => void) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const move = useCommand(id, 'moveTask', {
    invalidates: [
      [id, 'listTasks'],
      [id, 'getTask'],
      [id, 'getEngagementOverview'],
    ],
  })
  return (task: Task, destination: Destination) => {
    const { status, beforeId, afterId } = destination
    if (task.id === beforeId || task.id === afterId || (!beforeId && !afterId && status === task.status)) return
    const [from, to] = [keyOf(id, engagementId, values, task.status), keyOf(id, engagementId, values, status)]
    const before = [from, to].map((key) => [key, cache.getQueryData<Pages>(key)] as const)
    cache.setQueryData<Pages>(from, (pages) => pages && withoutTask(pages, task.id))
    cache.setQueryData<Pages>(to, (pages) => pages && withTask(pages, { ...task, status }, destination))
    const body = { ...(status !== task.status && { status }), ...(beforeId && { beforeId }), ...(afterId && { afterId }) }
    move.mutate(
      { params: { taskId: task.id }, body },
      {
        onSuccess: () => announce(`${task.title} was moved to ${STATUS_LABELS[status]}.`),
        onError: (error) => {
          for (const [key, pages] of before) cache.setQueryData(key, pages)
          toastError(messageOf(error))
        },
      },
    )
  }
}

const mapped = (pages: Pages, by: number, change: (rows: Task[], index: number) => Task[]): Pages => ({
  ...pages,
  pages: pages.pages.map(({ data, meta }, index) => ({
    data: change(data, index),
    meta: { ...meta, ...(typeof meta.total === 'number' && { total: meta.total + by }) },
  })),
})

const withoutTask = (pages: Pages, taskId: string): Pages => mapped(pages, -1, (rows) => rows.filter(({ id }) => id !== taskId))

/** Beside its neighbour; without one, or where that has not been read, first or last of what has been. */
const withTask = (pages: Pages, task: Task, { beforeId, afterId }: Destination): Pages => {
  const last = pages.pages.length - 1
  const neighbour = beforeId ?? afterId
  const isThere = pages.pages.some(({ data }) => data.some(({ id }) => id === neighbour))
  return mapped(pages, 1, (rows, index) => {
    const at = rows.findIndex(({ id }) => id === neighbour)
    if (at >= 0) return rows.toSpliced(beforeId ? at : at + 1, 0, task)
    return !isThere && index === last ? [...rows, task] : rows
  })
}
