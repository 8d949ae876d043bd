import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { KIND_LABELS, momentOf, type Operation, reachedBy } from '../labels.ts'
import classes from '../operations.module.css'

/** Details of a log entry. */
export const OperationPeek = ({ operation }: { operation: Operation }) => (
  <Stack gap="md">
    <Title order={2} pr="xl" className={classes.title}>
      {reachedBy(operation)}
    </Title>
    <Properties
      items={[
        ['Started', momentOf(operation.startedAt)],
        ['Finished', operation.endedAt ? momentOf(operation.endedAt) : 'not known'],
        ['Ports', operation.ports ?? operation.port ?? 'not known'],
        ['Protocol', operation.protocol ?? 'not known'],
        ['Source', operation.sourceAddress ?? 'not known'],
        ['Via', <Cause key="cause" operation={operation} />],
        ['By', operation.by?.name ?? 'not known'],
        ...(operation.note ? ([['Note', operation.note]] as const) : []),
        ['Id', <code key="id">{operation.id}</code>],
      ]}
    />
  </Stack>
)

const Cause = ({ operation: { kind, engagementId, scanId, runId, importId } }: { operation: Operation }): ReactNode => {
  const { slug } = useOrganization()
  if (engagementId === null)
    return runId ? <TextLink to={paths.openRequest(slug, runId)}>{KIND_LABELS[kind]}</TextLink> : KIND_LABELS[kind]
  if (scanId) return <TextLink to={paths.openScan(slug, engagementId, scanId)}>{KIND_LABELS[kind]}</TextLink>
  if (runId) return <TextLink to={paths.openEngagementRequest(slug, engagementId, runId)}>{KIND_LABELS[kind]}</TextLink>
  if (importId)
    return <TextLink to={`${paths.imports(slug, engagementId)}?peek=${importId}`}>{KIND_LABELS[kind]}</TextLink>
  return KIND_LABELS[kind]
}
