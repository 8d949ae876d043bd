import { hashKey, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keepPrevious } from '../keep-previous.ts'
import { isLive } from './live-reads.ts'

const WINDOW = 100

/** A list of the server as far as it has been read. */
export interface GridRows<Row> {
  rows: readonly Row[]
  /** Rows that match; null above what the server counts, undefined while it is not known. */
  total: number | null | undefined
  hasMore: boolean
  /** Nothing has been read yet. */
  isPending: boolean
  /** Another filter or sort is being read; the rows are still those before. */
  isStale: boolean
  /** More is being read. */
  isReading: boolean
  readMore: () => void
  /** Which list it is: another filter or sort is another. */
  key: string
  /** What is shown was read because somebody changed something, and not because the person asked. */
  isLive: boolean
  /** What to show while nothing has been read, or nothing can be. */
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
}

interface RowSource<Row> {
  queryKey: QueryKey
  /** Reads a window: the first one without a cursor. */
  read: (
    window: { perPage: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<{ data: Row[]; meta: { nextCursor: string | null; total?: number | null } }>
}

/** Rows read by cursor, a hundred at a time, as one scrolls. */
export const useRows = <Row>({ queryKey, read }: RowSource<Row>): GridRows<Row> => {
  const key = hashKey(queryKey)
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const isLiveRead = isLive(key)
      return { ...(await read({ perPage: WINDOW, ...(pageParam && { cursor: pageParam }) }, signal)), isLive: isLiveRead }
    },
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: keepPrevious(queryKey),
  })
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  return {
    rows,
    total: list.data?.pages[0]?.meta.total,
    hasMore: list.hasNextPage,
    isPending: list.isPending,
    isStale: list.isPlaceholderData,
    isReading: list.isFetchingNextPage,
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
    },
    key,
    isLive: list.data?.pages[0]?.isLive ?? false,
    query: { data: list.data, error: list.error, isFetching: list.isFetching, refetch: list.refetch },
  }
}
