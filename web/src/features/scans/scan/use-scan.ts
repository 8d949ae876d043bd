import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { query, type WebCall } from '../../../api/api.ts'
import { isUnderWay, SCAN_REFRESH_MS } from '../../../domain/scan-states.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'

/** Reads that become stale when a scan ends. */
const CHANGED: readonly WebCall[] = ['listScans', 'listScanLog', 'listResults', 'countResults', 'diffResults']

/** Reads a scan; polls it while it runs. */
export const useScan = (scanId: string) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const read = useQuery({
    ...query(organization.id, 'getScan', { params: { scanId } }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data.data) ? SCAN_REFRESH_MS : false),
  })
  const isRunning = read.data !== undefined && isUnderWay(read.data.data)
  useEffect(() => {
    if (!isRunning) return undefined
    return () => {
      for (const name of CHANGED) void cache.invalidateQueries({ queryKey: [organization.id, name] })
    }
  }, [isRunning, organization.id, cache])
  return read
}
