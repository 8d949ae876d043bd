import { ActionIcon } from '@mantine/core'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { WithCrumbs } from '../../../../shell/routing/breadcrumbs.tsx'
import { IconArrowsDiagonalMinimize2 } from '../../../../ui/page-icons.tsx'
import { taskOfEngagement as route } from '../../tasks.routes.ts'
import { TaskPage } from './TaskPage.tsx'
import { TaskPanel } from './TaskPanel.tsx'

/** A task in the panel over the tasks of its engagement, or as a page. */
export const TaskOfEngagement = () => {
  const { slug } = useOrganization()
  const { engagementId, taskId } = route.useParams()
  const { full = false } = route.useSearch()
  const navigate = route.useNavigate()
  const setFull = (wanted: boolean) =>
    void navigate({
      to: '.',
      search: ({ full: _, ...rest }) => (wanted ? { ...rest, full: true as const } : rest),
      replace: !wanted,
    })
  if (!full) {
    const close = () => navigate({ to: '..', search: (current) => current, replace: true })
    return <TaskPanel taskId={taskId} onClose={close} onExpand={() => setFull(true)} />
  }
  const back = (
    <ActionIcon aria-label="Show next to the list" title="Show next to the list" onClick={() => setFull(false)}>
      <IconArrowsDiagonalMinimize2 size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <WithCrumbs crumbs={[{ label: 'Tasks', to: paths.engagementTasks(slug, engagementId) }]}>
      <TaskPage taskId={taskId} actions={back} />
    </WithCrumbs>
  )
}
