import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../shell/reads/skeletons.tsx'
import { TaskPage } from './task/page/TaskPage.tsx'
import { task as route } from './tasks.routes.ts'

/**
 * Leads from an address with only the id of a task into its engagement. Without the right to open engagements it is
 * shown here.
 */
export const OpenTask = () => {
  const { id, slug, permissions } = useOrganization()
  const { taskId } = route.useParams()
  const hash = useLocation({ select: (location) => location.hash })
  const task = useQuery(query(id, 'getTask', { params: { taskId } }))
  if (!permissions.readEngagements) return <TaskPage taskId={taskId} />
  return (
    <QueryView query={task} skeleton={<PageSkeleton />}>
      {({ data: { engagementId } }) => (
        <Navigate
          to="/o/$slug/engagements/$engagementId/tasks/$taskId"
          params={{ slug, engagementId, taskId }}
          hash={hash}
          replace
        />
      )}
    </QueryView>
  )
}
