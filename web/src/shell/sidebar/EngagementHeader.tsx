import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { query } from '../../api/api.ts'
import { describeDays } from '../../domain/engagement-days.ts'
import { EngagementStatusLabel } from '../../domain/engagement-status.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { useOrganization } from '../context/organization.tsx'
import classes from './Sidebar.module.css'

/** Not needed by the first page: what it chooses from is large. */
const EngagementSwitcher = lazyPart(() => import('./EngagementSwitcher.tsx'), 'EngagementSwitcher')

/** The open engagement, its status, and the days left. */
export const EngagementHeader = ({ engagementId }: { engagementId: string }) => {
  const organization = useOrganization()
  const params = { engagementId }
  const engagement = useQuery({
    ...query(organization.id, 'getEngagement', { params }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const details = useQuery({
    ...query(organization.id, 'getEngagementDetails', { params }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const data = engagement.data?.data
  const days = data?.status === 'active' && details.data ? describeDays(details.data.data) : undefined
  return (
    <div className={classes.engagement}>
      <Suspense fallback={<div className={classes.switcherPlace}>{data?.name}</div>}>
        <EngagementSwitcher name={data?.name ?? 'Engagement'} currentId={engagementId} />
      </Suspense>
      <div className={classes.state}>
        {data && <EngagementStatusLabel status={data.status} />}
        {days && <span>{days}</span>}
      </div>
    </div>
  )
}
