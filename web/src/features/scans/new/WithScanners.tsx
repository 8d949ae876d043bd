import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import type { Scanner } from '../labels.ts'

/** Renders a form once the scanners are loaded. */
export const WithScanners = ({ children }: { children: (scanners: readonly Scanner[]) => ReactNode }) => {
  const organization = useOrganization()
  const scanners = useQuery({ ...query(organization.id, 'listScanners'), staleTime: 60_000 })
  return (
    <QueryView query={scanners} skeleton={<ListSkeleton rows={6} height={64} />}>
      {({ data }) => children(data)}
    </QueryView>
  )
}
