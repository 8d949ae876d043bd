import { hashKey, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keepPrevious } from '../../lists/keep-previous.ts'
import { isLive } from './live-reads.ts'

const WINDOW = 100

/** A server list as far as it is loaded. */
export interface GridRows<Row> {
  rows: readonly Row[]
  /** Matching rows; null above the server's count limit, undefined while unknown. */
  total: number | null | undefined
  hasMore: boolean
  /** Nothing is loaded yet. */
  isPending: boolean
  /** Another filter or sort is loading; the rows still belong to the previous one. */
  isStale: boolean
  /** The next window is loading. */
  isReading: boolean
  readMore: () => void
  /** Identity of the list: changes with filter and sort. */
  key: string
  /** The data was read because of a change by another user, and not because the user asked. */
  isLive: boolean
  /** Query state for the loading and error views. */
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
      return {
        ...(await read({ perPage: WINDOW, ...(pageParam && { cursor: pageParam }) }, signal)),
        isLive: isLiveRead,
      }
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
