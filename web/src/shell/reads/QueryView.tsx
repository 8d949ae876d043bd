import { Alert, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRefused, messageOf } from '../../api/api.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { QueryFailed } from '../routing/pages.tsx'
import classes from './QueryView.module.css'

/** The parts of useQuery and useInfiniteQuery that a view needs. */
export interface Read<T> {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  /** The data belongs to the previous query while the new one loads. */
  isPlaceholderData?: boolean
  refetch: () => unknown
}

interface QueryViewProps<T> {
  query: Read<T>
  /** Placeholder for the data. */
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * Chooses between skeleton, data and error. Data that was shown stays: if a refetch fails, a notice appears above it
 * and nothing below unmounts. An error replaces the content only if there is no data.
 */
export const QueryView = <T,>({ query, skeleton = <ListSkeleton />, children }: QueryViewProps<T>) => {
  if (query.data === undefined)
    return query.error ? <QueryFailed error={query.error} onRetry={() => void query.refetch()} /> : skeleton
  return (
    <>
      {query.error && <Stale query={query} error={query.error} />}
      <Awaited isAwaiting={query.isPlaceholderData === true}>{children(query.data)}</Awaited>
    </>
  )
}

/** Combines reads: has data once all have it, and the first error. */
export const together = <T extends Record<string, unknown>>(reads: { [K in keyof T]: Read<T[K]> }): Read<T> => {
  const all = Object.entries<Read<unknown>>(reads)
  const isComplete = all.every(([, { data }]) => data !== undefined)
  return {
    data: isComplete ? (Object.fromEntries(all.map(([name, { data }]) => [name, data])) as T) : undefined,
    error: all.find(([, { error }]) => error)?.[1].error ?? null,
    isFetching: all.some(([, { isFetching }]) => isFetching),
    isPlaceholderData: all.some(([, { isPlaceholderData }]) => isPlaceholderData),
    refetch: () => Promise.all(all.map(([, { refetch }]) => refetch())),
  }
}

const Stale = ({ query, error }: { query: Read<unknown>; error: Error }) => (
  <Alert color="yellow" variant="light" role="status" p="xs" className={classes.stale}>
    <Group justify="space-between" gap="xs">
      <span>{describe(error)}</span>
      <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Group>
  </Alert>
)

const describe = (error: Error): string => {
  if (isRefused(error, 'NOT_FOUND'))
    return 'This no longer exists, or you no longer have access. You are viewing an earlier state.'
  if (isRefused(error, 'FORBIDDEN')) return `${error.message} You are viewing an earlier state.`
  return `This may be out of date. ${messageOf(error)}`
}

/** A new filter, sort or page is loading: the shown data is outdated. */
const Awaited = ({ isAwaiting, children }: { isAwaiting: boolean; children: ReactNode }) => (
  <div className={classes.awaited} aria-busy={isAwaiting} data-awaiting={isAwaiting || undefined}>
    {isAwaiting && <span role="status" aria-label="Loading" className={classes.line} />}
    {children}
  </div>
)
