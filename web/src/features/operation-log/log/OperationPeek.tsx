import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { OPERATION_KIND_LABELS, momentOf, type Operation, reachedBy } from '../../../domain/operations.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
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
        ['By', operation.by ? <Person key="by" name={operation.by.name} /> : 'not known'],
        ...(operation.command ? ([['Command', <code key="command">{operation.command}</code>]] as const) : []),
        ...(operation.exitCode === null ? [] : ([['Exit code', operation.exitCode]] as const)),
        ...(operation.overrideReason ? ([['Override', operation.overrideReason]] as const) : []),
        ...(operation.note ? ([['Note', operation.note]] as const) : []),
        ['Id', <CopyId key="id" id={operation.id} />],
      ]}
    />
  </Stack>
)

const Cause = ({ operation: { kind, engagementId, scanId, runId, importId } }: { operation: Operation }): ReactNode => {
  const { slug } = useOrganization()
  if (engagementId === null)
    return runId ? (
      <TextLink to={paths.openRequest(slug, runId)}>{OPERATION_KIND_LABELS[kind]}</TextLink>
    ) : (
      OPERATION_KIND_LABELS[kind]
    )
  if (scanId) return <TextLink to={paths.openScan(slug, engagementId, scanId)}>{OPERATION_KIND_LABELS[kind]}</TextLink>
  if (runId)
    return (
      <TextLink to={paths.openEngagementRequest(slug, engagementId, runId)}>{OPERATION_KIND_LABELS[kind]}</TextLink>
    )
  if (importId)
    return (
      <TextLink to={`${paths.imports(slug, engagementId)}?peek=${importId}`}>{OPERATION_KIND_LABELS[kind]}</TextLink>
    )
  return OPERATION_KIND_LABELS[kind]
}
