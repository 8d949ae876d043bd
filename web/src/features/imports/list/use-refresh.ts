import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { REFRESH_MS } from '../states.ts'

/** Polls the imports while one runs, then invalidates the reads that imports change. */
export const useRefresh = (isAnyRunning: boolean): void => {
  const organization = useOrganization()
  const cache = useQueryClient()
  useEffect(() => {
    if (!isAnyRunning) return undefined
    const read = (name: string) => void cache.invalidateQueries({ queryKey: [organization.id, name] })
    const timer = setInterval(() => read('listImports'), REFRESH_MS)
    return () => {
      clearInterval(timer)
      for (const name of ['getImport', 'listRejections', 'listResults', 'countResults']) read(name)
    }
  }, [isAnyRunning, organization.id, cache])
}
