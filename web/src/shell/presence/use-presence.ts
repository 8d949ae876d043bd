import { useEffect } from 'react'
import { linkTo } from '../../api/api.ts'
import { useOrganization } from '../context/organization.tsx'
import { openStreams } from '../live/open-streams.ts'

interface Viewed {
  /** A wiki page or a finding. */
  id: string
  engagementId: string | null
  isEditing: boolean
}

/**
 * Reports presence at an object while its tab is visible. Only then, because a browser has few connections per server
 * and each stream holds one. Changes arrive on the stream that all tabs share.
 */
export const usePresence = ({ id, engagementId, isEditing }: Viewed): void => {
  const organization = useOrganization()
  useEffect(() => {
    let stream: EventSource | undefined
    const close = () => {
      stream?.close()
      stream = undefined
    }
    const query = { viewing: id, ...(isEditing && { editing: true }), ...(engagementId !== null && { engagementId }) }
    const follow = () => {
      if (document.visibilityState !== 'visible') close()
      else stream ??= new EventSource(linkTo(organization.id, 'streamEvents', { query }))
    }
    const ending = new AbortController()
    ending.signal.addEventListener('abort', close)
    document.addEventListener('visibilitychange', follow, { signal: ending.signal })
    openStreams.add(ending)
    follow()
    return () => {
      ending.abort()
      openStreams.delete(ending)
    }
  }, [organization.id, id, engagementId, isEditing])
}
