import { Alert, Group } from '@mantine/core'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import type { Task } from '../labels.tsx'

/** Offers to create a vulnerability from a failed check, until one is linked. */
export const FailedCheck = ({ task }: { task: Task }) => {
  const { slug } = useOrganization()
  if (task.check?.outcome !== 'fail' || task.links.some(({ type, deleted }) => type === 'result' && !deleted))
    return null
  return (
    <Alert color="yellow" title="This check failed">
      <Group justify="space-between">
        Record the finding as a vulnerability; it is linked to this task.
        <ButtonLink size="xs" to={`${paths.results(slug, task.engagementId)}?write=true&task=${task.id}`}>
          Add vulnerability
        </ButtonLink>
      </Group>
    </Alert>
  )
}
