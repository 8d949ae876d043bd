import { Button, Group } from '@mantine/core'
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

const PART = 50

interface PartOfRows<Row> {
  data: Row[]
  meta: { nextCursor: string | null }
}

/**
 * What hangs on one object and can grow long, read part by part, newest first.
 *
 * @param queryKey of its own: a part is no answer of the plain read
 */
export const useParts = <Row,>(queryKey: QueryKey, read: (query: { perPage: number; cursor?: string }, signal: AbortSignal) => Promise<PartOfRows<Row>>) =>
  useInfiniteQuery({
    queryKey: [...queryKey, 'parts'],
    queryFn: ({ pageParam, signal }) => read({ perPage: PART, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
  })

/** All that was read so far. */
export const rowsOf = <Row,>({ pages }: { pages: readonly PartOfRows<Row>[] }): Row[] => pages.flatMap(({ data }) => data)

interface ShowMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Below a list, while there is more of it. */
export const ShowMore = ({ list }: ShowMoreProps) =>
  list.hasNextPage && (
    <Group justify="center" mt="xs">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Show more
      </Button>
    </Group>
  )
