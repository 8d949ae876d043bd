import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, messageOf, query, reportFailure } from '../../../api.ts'
import { toast } from '../../../ui/toast.ts'
import type { Override } from '../override.tsx'
import { type ApiRequest, isNew, type Run, staleRuns, usePlace } from '../place.tsx'
import type { Unsaved } from './request-values.ts'

/** What happens to a request that is sent. */
export interface Execution {
  /** When it was sent, in milliseconds since 1970; undefined while nothing is under way. */
  startedAt: number | undefined
  /** Why the server did not take it up. */
  error: string | undefined
  /**
   * @param unsaved what is sent in place of what is saved; nothing of it is saved
   * @param override why it is sent without an engagement
   */
  send: (environmentId: string | undefined, unsaved?: Unsaved, override?: Override) => Promise<void>
  /** The server sends on, and its run comes into the history. */
  stopWaiting: () => void
}

/**
 * Sends a request, once. While it is under way a second one is not sent.
 *
 * @param onEnded told of the run
 */
export const useExecution = (request: ApiRequest, onEnded: (run: Run) => void): Execution => {
  const { organizationId, engagementId } = usePlace()
  const cache = useQueryClient()
  const [startedAt, setStartedAt] = useState<number>()
  const [error, setError] = useState<string>()
  const underWay = useRef<AbortController>(undefined)
  // Whoever leaves the page does not wait any longer either.
  useEffect(() => () => underWay.current?.abort(), [])

  const send = async (environmentId: string | undefined, unsaved?: Unsaved, override?: Override): Promise<void> => {
    if (underWay.current) return
    const abort = new AbortController()
    underWay.current = abort
    setStartedAt(Date.now())
    setError(undefined)
    // A request of the organization takes the rules and hours of the engagement that it is opened in.
    const how = { ...(engagementId !== null && { engagementId }), ...(environmentId !== undefined && { environmentId }), ...(override && { override }) }
    const options = { retries: 0, signal: abort.signal }
    const requestId = request.id
    try {
      const { data } = await (unsaved
        ? call(organizationId, 'sendRequest', { body: { ...how, request: unsaved, ...(!isNew(request) && { requestId }) } }, options)
        : call(organizationId, 'executeApiRequest', { params: { requestId }, body: how }, options))
      cache.setQueryData(query(organizationId, 'getRequestRun', { params: { runId: data.id } }).queryKey, { data })
      onEnded(data)
    } catch (thrown) {
      if (!abort.signal.aborted) {
        reportFailure(thrown)
        setError(messageOf(thrown))
      }
    } finally {
      underWay.current = undefined
      setStartedAt(undefined)
      for (const queryKey of staleRuns(organizationId)) void cache.invalidateQueries({ queryKey })
    }
  }
  const stopWaiting = () => {
    underWay.current?.abort()
    toast('The server goes on until the time limit. The answer will be in the history.')
  }
  return { startedAt, error, send, stopWaiting }
}
