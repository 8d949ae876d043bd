import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { QueryView } from '../../../shell/QueryView.tsx'
import { ListSkeleton } from '../../../ui/ListSkeleton.tsx'
import type { Scanner } from '../words.ts'

/** A form that is about scanners, once it is known which there are. */
export const WithScanners = ({ children }: { children: (scanners: readonly Scanner[]) => ReactNode }) => {
  const organization = useOrganization()
  const scanners = useQuery({ ...query(organization.id, 'listScanners'), staleTime: 60_000 })
  return (
    <QueryView query={scanners} skeleton={<ListSkeleton rows={6} height={64} />}>
      {({ data }) => children(data)}
    </QueryView>
  )
}
