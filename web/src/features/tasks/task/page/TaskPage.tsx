import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { PageSkeleton } from '../../../../shell/reads/skeletons.tsx'
import { Page } from '../../../../ui/page/Page.tsx'
import { TaskActions } from './TaskActions.tsx'
import { TaskBody } from './TaskBody.tsx'
import { TaskRead } from './TaskRead.tsx'

interface TaskPageProps {
  taskId: string
  /** Buttons after the others, such as the one back to the panel. */
  actions?: ReactNode
}

/** One task as a page of its own. */
export const TaskPage = ({ taskId, actions }: TaskPageProps) => {
  const navigate = useNavigate()
  const { slug } = useOrganization()
  return (
    <TaskRead taskId={taskId} skeleton={<PageSkeleton />}>
      {(task, state) => (
        <Page
          title={task.title}
          layout="list"
          actions={
            <>
              <TaskActions
                task={task}
                {...state}
                onDeleted={() => navigate({ href: paths.engagementTasks(slug, task.engagementId) })}
              />
              {actions}
            </>
          }
        >
          <TaskBody task={task} {...state} />
        </Page>
      )}
    </TaskRead>
  )
}
