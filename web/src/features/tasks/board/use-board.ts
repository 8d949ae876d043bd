import { TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import type { FilterQuery } from '../../../shell/fields/custom/field-filters.ts'
import { type GridRows, useRows } from '../../../ui/grid/rows/use-rows.ts'
import { toastError } from '../../../ui/toasts/toast.ts'
import { STATUS_LABELS, type Status, type Task } from '../labels.tsx'

type Pages = InfiniteData<{ data: Task[]; meta: { nextCursor: string | null; total?: number | null } }>

const keyOf = (organizationId: string, engagementId: string, values: FilterQuery, status: Status) =>
  [organizationId, 'listTasks', { engagementId, ...values, status, sort: 'position' }] as const

/** Tasks of one column, loaded on scroll. */
const useColumn = (engagementId: string, values: FilterQuery, status: Status): GridRows<Task> => {
  const { id } = useOrganization()
  return useRows({
    queryKey: keyOf(id, engagementId, values, status),
    read: (window, signal) =>
      call(
        id,
        'listTasks',
        { query: { engagementId, ...values, status: [status], sort: 'position', order: 'asc', ...window } as object },
        { signal },
      ),
  })
}

/** Tasks of every column. */
export const useColumns = (engagementId: string, values: FilterQuery): Record<Status, GridRows<Task>> => ({
  open: useColumn(engagementId, values, 'open'),
  in_progress: useColumn(engagementId, values, 'in_progress'),
  blocked: useColumn(engagementId, values, 'blocked'),
  done: useColumn(engagementId, values, 'done'),
  cancelled: useColumn(engagementId, values, 'cancelled'),
})

/** True if no column has a task. False until the server has responded. */
export const useIsEmpty = (engagementId: string, values: FilterQuery): boolean => {
  const { id } = useOrganization()
  const counts = useQuery(query(id, 'countTasks', { query: { ...values, engagementId, by: ['status'] } })).data?.data
    .status
  return counts !== undefined && counts !== null && Object.values(counts).every((count) => count === 0)
}

/** Destination of a move: before or after another task, or a column, where the task's overall position decides. */
export interface Destination {
  status: Status
  beforeId?: string
  afterId?: string
}

/** Moves tasks optimistically; rolls back if the server refuses. */
export const useMove = (engagementId: string, values: FilterQuery, announce: (message: string) => void) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const keyOfColumn = (status: Status) => keyOf(id, engagementId, values, status)
  const move = useApiMutation(id, 'moveTask', {
    invalidates: [
      [id, 'listTasks'],
      [id, 'getTask'],
      [id, 'getEngagementOverview'],
    ],
    optimistic: (_, { params, body = {} }) => shiftTask(cache, keyOfColumn, params.taskId, body),
    onSuccess: ({ data }) =>
      announce(
        `${data.title} was moved to ${STATUS_LABELS[data.status]}${describePlace(cache.getQueryData(keyOfColumn(data.status)), data)}.`,
      ),
    onError: (error) => toastError(messageOf(error)),
  })
  return (task: Task, { status, beforeId, afterId }: Destination) => {
    if (task.id === beforeId || task.id === afterId || (!beforeId && !afterId && status === task.status)) return
    move.mutate({
      params: { taskId: task.id },
      body: { ...(status !== task.status && { status }), ...(beforeId && { beforeId }), ...(afterId && { afterId }) },
    })
  }
}

/** Moves a task in the cached pages. @returns undo function */
const shiftTask = (
  cache: QueryClient,
  keyOfColumn: (status: Status) => readonly unknown[],
  taskId: string,
  to: Partial<Destination>,
) => {
  const rowsOf = (status: Status) =>
    cache.getQueryData<Pages>(keyOfColumn(status))?.pages.flatMap(({ data }) => data) ?? []
  const task = TASK_STATUSES.flatMap(rowsOf).find(({ id }) => id === taskId)
  if (!task) return undefined
  const status = to.status ?? task.status
  const before = [...new Set([task.status, status])].map(
    (column) => [keyOfColumn(column), cache.getQueryData<Pages>(keyOfColumn(column))] as const,
  )
  cache.setQueryData<Pages>(keyOfColumn(task.status), (pages) => pages && withoutTask(pages, taskId))
  cache.setQueryData<Pages>(keyOfColumn(status), (pages) => pages && withTask(pages, { ...task, status }, to))
  return () => {
    for (const [key, pages] of before) cache.setQueryData(key, pages)
  }
}

const mapped = (pages: Pages, by: number, change: (rows: Task[], index: number) => Task[]): Pages => ({
  ...pages,
  pages: pages.pages.map(({ data, meta }, index) => ({
    data: change(data, index),
    meta: { ...meta, ...(typeof meta.total === 'number' && { total: meta.total + by }) },
  })),
})

const withoutTask = (pages: Pages, taskId: string): Pages =>
  mapped(pages, -1, (rows) => rows.filter(({ id }) => id !== taskId))

/**
 * Inserts next to the neighbour, or by position if there is none. A position after the loaded rows is left to a later
 * page.
 */
const withTask = (pages: Pages, task: Task, { beforeId, afterId }: Partial<Destination>): Pages => {
  const rows = pages.pages.flatMap(({ data }) => data)
  const neighbour = beforeId ?? afterId
  const next = neighbour === undefined ? rows.find(({ position }) => position > task.position)?.id : beforeId
  const last = pages.pages.length - 1
  const isAtEnd =
    next === undefined &&
    (afterId === undefined || !rows.some(({ id }) => id === afterId)) &&
    !pages.pages[last]?.meta.nextCursor
  return mapped(pages, 1, (part, index) => {
    const at = part.findIndex(({ id }) => id === (next ?? afterId))
    if (at >= 0) return part.toSpliced(next === undefined ? at + 1 : at, 0, task)
    return isAtEnd && index === last ? [...part, task] : part
  })
}

/** `, position 2 of 7`, by the order of the response. */
const describePlace = (pages: Pages | undefined, task: Task): string => {
  const others = pages?.pages.flatMap(({ data }) => data).filter(({ id }) => id !== task.id)
  if (!pages || !others) return ''
  const ahead = others.filter(({ position }) => position < task.position).length
  if (ahead === others.length && pages.pages.at(-1)?.meta.nextCursor) return ', below what is shown'
  const total = pages.pages[0]?.meta.total
  return `, position ${ahead + 1}${typeof total === 'number' ? ` of ${total}` : ''}`
}
