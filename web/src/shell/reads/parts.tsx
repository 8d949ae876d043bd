import { Button, Group } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const PART = 50

interface PartOfRows<Row> {
  data: Row[]
  meta: { nextCursor: string | null }
}

/**
 * Reads a long list of one object page by page, newest first.
 * @param queryKey must be separate from the key of the plain read, because a page has another shape
 */
export const useParts = <Row,>(queryKey: QueryKey, read: (query: { perPage: number; cursor?: string }, signal: AbortSignal) => Promise<PartOfRows<Row>>) =>
  useInfiniteQuery({
    queryKey: [...queryKey, 'parts'],
    queryFn: ({ pageParam, signal }) => read({ perPage: PART, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
  })

/** All rows loaded so far. */
export const rowsOf = <Row,>({ pages }: { pages: readonly PartOfRows<Row>[] }): Row[] => pages.flatMap(({ data }) => data)

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
