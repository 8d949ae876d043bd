import { Button, Group } from '@mantine/core'
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'

const PART = 50

interface PartOfRows<Row> {
  data: Row[]
  meta: { nextCursor: string | null }
}

interface PartsSource<Row> {
  /** Separate from the key of a plain read of the list, because a list in parts has another shape: see `rows`. */
  queryKey: QueryKey
  read: (window: { perPage: number; cursor?: string }, signal: AbortSignal) => Promise<PartOfRows<Row>>
}

interface PartsOptions {
  perPage?: number
  /** Poll interval in milliseconds; false to disable. */
  refetchInterval?: number | false
  /** Keeps the rows of another filter until those of this one arrive. */
  keepsPrevious?: boolean
}

/** Reads a long list part by part, each after the cursor of the one before. */
export const useParts = <Row,>(
  { queryKey, read }: PartsSource<Row>,
  { perPage = PART, refetchInterval = false, keepsPrevious = false }: PartsOptions = {},
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ perPage, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
    refetchInterval,
    ...(keepsPrevious && { placeholderData: keepPrevious<InfiniteData<PartOfRows<Row>, string>>(queryKey) }),
  })

/** All rows loaded so far. */
export const rowsOf = <Row,>({ pages }: { pages: readonly PartOfRows<Row>[] }): Row[] =>
  pages.flatMap(({ data }) => data)

interface ShowMoreProps {
  list: {
    data?: { pages: readonly unknown[] } | undefined
    hasNextPage: boolean
    isFetching: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
}

/** Button below a list that has more rows. */
export const ShowMore = ({ list }: ShowMoreProps) => {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const shown = data?.pages.length ?? 0
  const [wanted, setWanted] = useState(shown)
  const isWaiting = hasNextPage && wanted > shown && !isFetchNextPageError
  const isToBeRead = isWaiting && !isFetching
  // Also retries if a refresh replaced the read of the next page.
  useEffect(() => {
    if (isToBeRead) void fetchNextPage()
  }, [isToBeRead, fetchNextPage])
  if (!hasNextPage) return null
  const showMore = () => {
    setWanted(shown + 1)
    if (isFetchNextPageError) void fetchNextPage()
  }
  return (
    <Group justify="center" mt="xs">
      <Button variant="default" loading={isWaiting} onClick={showMore}>
        Show more
      </Button>
    </Group>
  )
}
