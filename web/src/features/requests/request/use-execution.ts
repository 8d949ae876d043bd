import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, messageOf, query, reportFailure } from '../../../api/api.ts'
import { toast } from '../../../ui/toasts/toast.ts'
import type { Override } from '../override.tsx'
import { type ApiRequest, isNew, type Run, staleRuns, usePlace } from '../place.tsx'
import type { Unsaved } from './request-values.ts'

/** Execution state of a request. */
export interface Execution {
  /** Milliseconds since 1970; undefined if nothing is running. */
  startedAt: number | undefined
  /** Why the server refused to execute it. */
  error: string | undefined
  /**
   * @param unsaved values sent instead of the saved ones; not saved
   * @param override reason for sending without an engagement
   */
  send: (environmentId: string | undefined, unsaved?: Unsaved, override?: Override) => Promise<void>
  /** Stops waiting. The server continues, and the run appears in the history. */
  stopWaiting: () => void
}

/**
 * Sends a request once; ignores further sends until it finishes.
 * @param onEnded called with the run
 */
export const useExecution = (request: ApiRequest, onEnded: (run: Run) => void): Execution => {
  const { organizationId, engagementId } = usePlace()
  const cache = useQueryClient()
  const [startedAt, setStartedAt] = useState<number>()
  const [error, setError] = useState<string>()
  const underWay = useRef<AbortController>(undefined)
  // Leaving the page also stops waiting.
  useEffect(() => () => underWay.current?.abort(), [])

  const send = async (environmentId: string | undefined, unsaved?: Unsaved, override?: Override): Promise<void> => {
    if (underWay.current) return
    const abort = new AbortController()
    underWay.current = abort
    setStartedAt(Date.now())
    setError(undefined)
    // A library request uses the rules and hours of the engagement in which it is open.
    const how = {
      ...(engagementId !== null && { engagementId }),
      ...(environmentId !== undefined && { environmentId }),
      ...(override && { override }),
    }
    const options = { retries: 0, signal: abort.signal }
    const requestId = request.id
    try {
      const { data } = await (unsaved
        ? call(
            organizationId,
            'sendRequest',
            { body: { ...how, request: unsaved, ...(!isNew(request) && { requestId }) } },
            options,
          )
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
    toast('The server continues until the time limit. The response will be in the history.')
  }
  return { startedAt, error, send, stopWaiting }
}
