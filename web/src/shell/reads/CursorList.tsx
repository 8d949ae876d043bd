import { Button, Group } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { QueryView } from './QueryView.tsx'

interface CursorListProps<Row> {
  label: string
  queryKey: QueryKey
  /** Reads the page after a cursor; the first one without. */
  read: (
    query: { perPage: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<{ data: Row[]; meta: { nextCursor: string | null } }>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Label of the button that loads more. */
  more: string
  /** Poll interval in milliseconds; false to disable. */
  refreshAfter?: (rows: readonly Row[]) => number | false
}

const PAGE_SIZE = 50

/** A list with cursor pagination and its loading, empty and error states. */
export const CursorList = <Row,>({
  label,
  queryKey,
  read,
  columns,
  rowKey,
  empty,
  more,
  refreshAfter,
}: CursorListProps<Row>) => {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ perPage: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: keepPrevious(queryKey),
    refetchInterval: ({ state }) => refreshAfter?.(rowsOf(state.data)) ?? false,
  })
  return (
    <QueryView query={list} skeleton={<ListSkeleton rows={4} />}>
      {(data) => {
        const rows = rowsOf(data)
        if (rows.length === 0) return empty
        return (
          <>
            <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} />
            {list.hasNextPage && (
              <Group justify="center">
                <Button
                  variant="default"
                  disabled={list.isPlaceholderData}
                  loading={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {more}
                </Button>
              </Group>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

const rowsOf = <Row,>(read: { pages: { data: Row[] }[] } | undefined): Row[] =>
  read?.pages.flatMap(({ data }) => data) ?? []
