import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { organizationsQuery } from '../context/session.tsx'

/** A read that its route's loader has just started is not sent again by the page. In milliseconds. */
const PREFETCHED_MS = 1_000

/** The two reads that every page inside an engagement needs. */
export const engagementReads = (organizationId: string, engagementId: string) => ({
  engagement: { ...query(organizationId, 'getEngagement', { params: { engagementId } }), staleTime: PREFETCHED_MS },
  details: { ...query(organizationId, 'getEngagementDetails', { params: { engagementId } }), staleTime: PREFETCHED_MS },
})

/** Starts these reads while the code of the page arrives. A read that fails is shown by the page. */
export const prefetchEngagement = (cache: QueryClient, slug: string, engagementId: string): void => {
  const organization = cache.getQueryData(organizationsQuery().queryKey)?.data.find((own) => own.slug === slug)
  if (!organization?.permissions.readEngagements) return
  const { engagement, details } = engagementReads(organization.id, engagementId)
  void cache.prefetchQuery(engagement)
  void cache.prefetchQuery(details)
}
