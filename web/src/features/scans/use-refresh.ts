import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SCAN_REFRESH_MS } from '../../domain/scan-states.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'

/** Polls the scans while one runs. */
export const useRefresh = (isAnyRunning: boolean): void => {
  const organization = useOrganization()
  const cache = useQueryClient()
  useEffect(() => {
    if (!isAnyRunning) return undefined
    const timer = setInterval(
      () => void cache.invalidateQueries({ queryKey: [organization.id, 'listScans'] }),
      SCAN_REFRESH_MS,
    )
    return () => clearInterval(timer)
  }, [isAnyRunning, organization.id, cache])
}
