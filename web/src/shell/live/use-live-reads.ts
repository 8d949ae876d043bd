import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFeatures } from '../context/features.ts'
import { followersOf } from './followers.ts'
import { SILENCE_MS } from './live-message.ts'
import { openStreams } from './open-streams.ts'
import { createRefresher } from './refresh.ts'
import { hearEvents } from './shared-stream.ts'

/**
 * Keeps shown data of an organization current: reads repeat when an event reports a change. A visible tab without
 * events for 15 seconds polls every 15 seconds.
 * @param organizationId undefined: no organization is open
 */
export const useLiveReads = (userId: string, organizationId: string | undefined): void => {
  const cache = useQueryClient()
  const features = useFeatures()
  useEffect(() => {
    if (organizationId === undefined) return undefined
    const controller = new AbortController()
    const refresher = createRefresher(cache, organizationId, followersOf(features), controller.signal)
    let heardAt = performance.now()
    hearEvents(
      userId,
      organizationId,
      (message) => {
        heardAt = performance.now()
        if (message.kind === 'event') refresher.follow(message.event)
        else if (message.kind === 'reset') refresher.followAll()
      },
      controller.signal,
    )
    const asking = setInterval(() => {
      if (performance.now() - heardAt >= SILENCE_MS && document.visibilityState === 'visible') refresher.followAll()
    }, SILENCE_MS)
    controller.signal.addEventListener('abort', () => clearInterval(asking))
    openStreams.add(controller)
    return () => {
      controller.abort()
      openStreams.delete(controller)
    }
  }, [cache, features, userId, organizationId])
}
