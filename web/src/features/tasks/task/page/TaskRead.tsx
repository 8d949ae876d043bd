import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { query } from '../../../../api/api.ts'
import { paths } from '../../../../paths.ts'
import { useReadNotices } from '../../../../shell/comments/use-read-notices.ts'
import { type OwnOrganization, useOrganization } from '../../../../shell/context/organization.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { UploadsProvider } from '../../../../shell/uploads/uploads.tsx'
import { useVisit } from '../../../../shell/visits/use-visit.ts'
import type { Task } from '../../labels.tsx'
import type { TaskState } from './task-state.ts'

/** Where the page is: without the right to open engagements, outside of them. */
const addressOf = ({ slug, permissions }: OwnOrganization, { id, engagementId }: Task): string =>
  permissions.readEngagements ? paths.engagementTask(slug, engagementId, id) : paths.task(slug, id)

interface TaskReadProps {
  taskId: string
  skeleton: ReactNode
  children: (task: Task, state: TaskState) => ReactNode
}

/** Reads a task with what its page and its panel need. */
export const TaskRead = ({ taskId, skeleton, children }: TaskReadProps) => {
  const organization = useOrganization()
  const task = useQuery(query(organization.id, 'getTask', { params: { taskId } }))
  return (
    <QueryView query={task} skeleton={skeleton}>
      {({ data }) => (
        <UploadsProvider key={data.id} below={addressOf(organization, data)}>
          <OpenedTask task={data}>{children}</OpenedTask>
        </UploadsProvider>
      )}
    </QueryView>
  )
}

const OpenedTask = ({ task, children }: { task: Task; children: TaskReadProps['children'] }) => {
  const organization = useOrganization()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId: task.engagementId } }))
  const [isEditing, setEditing] = useState(false)
  useReadNotices({ type: 'task', id: task.id })
  useVisit(task.id)
  return children(task, { mayChange: engagement.data?.data.status !== 'archived', isEditing, setEditing })
}
