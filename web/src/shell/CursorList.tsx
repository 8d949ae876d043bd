import { Button, Group } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import { QueryFailed } from './pages.tsx'

interface CursorListProps<Row> {
  label: string
  queryKey: QueryKey
  /** Reads the part after a cursor; the first one without. */
  read: (query: { perPage: number; cursor?: string }, signal: AbortSignal) => Promise<{ data: Row[]; meta: { nextCursor: string | null } }>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** In place of a list without rows. */
  empty: ReactNode
  /** On the button that reads on. */
  more: string
  /** In how many milliseconds the rows are read again; false for not at all. */
  refreshAfter?: (rows: readonly Row[]) => number | false
}

const PAGE_SIZE = 50

/** A list that is read part by part, with what stands in its place while it is read, is empty, or cannot be read. */
export const CursorList = <Row,>({ label, queryKey, read, columns, rowKey, empty, more, refreshAfter }: CursorListProps<Row>) => {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ perPage: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
    refetchInterval: ({ state }) => refreshAfter?.(rowsOf(state.data)) ?? false,
  })
  const rows = rowsOf(list.data)
  return (
    <>
      {list.isPending && <ListSkeleton rows={4} />}
      {list.isError && <QueryFailed error={list.error} onRetry={() => void list.refetch()} />}
      {rows.length > 0 && <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} />}
      {list.data && rows.length === 0 && empty}
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {more}
          </Button>
        </Group>
      )}
    </>
  )
}

const rowsOf = <Row,>(read: { pages: { data: Row[] }[] } | undefined): Row[] => read?.pages.flatMap(({ data }) => data) ?? []
