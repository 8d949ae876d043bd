import { Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { Comments } from '../../../shell/comments/Comments.tsx'
import { useReadNotices } from '../../../shell/comments/use-read-notices.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { FindingButton } from '../findings/FindingButton.tsx'
import { isHandWritten, KIND_LABELS, type Result } from '../labels.ts'
import classes from '../results.module.css'
import { ResultStatusLabel, VerdictLabel } from '../StatusLabels.tsx'
import { TriageFields } from '../triage/TriageFields.tsx'
import { useRestoreResults } from '../triage/use-triage.ts'
import { EditDialog } from '../vulnerability/VulnerabilityDialog.tsx'
import { Evidence } from './Evidence.tsx'
import { History } from './History.tsx'
import { Gathered, ResultLink, TargetLink } from './links.tsx'
import { Notes } from './Notes.tsx'
import { ResultData } from './ResultData.tsx'

interface ResultPeekProps {
  resultId: string
  /** The triage keys apply to this result; false while others are selected. */
  hasKeys: boolean
  /** Called after deletion. */
  onGone: () => void
}

/** Preview of a result next to the list. */
export const ResultPeek = ({ resultId, hasKeys, onGone }: ResultPeekProps) => {
  const organization = useOrganization()
  const read = useQuery(query(organization.id, 'getResult', { params: { resultId } }))
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={8} height={24} />}>
      {({ data }) => <Shown result={data} hasKeys={hasKeys} onGone={onGone} />}
    </QueryView>
  )
}

const Shown = ({ result, hasKeys, onGone }: { result: Result } & Omit<ResultPeekProps, 'resultId'>) => {
  const { isArchived } = useEngagement()
  useVisit(result.id)
  useReadNotices({ type: 'result', id: result.id })
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Title order={2} pr="xl" className={classes.title}>
          {result.title}
        </Title>
        <code className={classes.title}>{result.asset}</code>
        <Group gap="md">
          <SeverityLabel severity={result.severity} />
          <ResultStatusLabel status={result.status} state={result.state} />
          <VerdictLabel verdict={result.verdict} />
        </Group>
      </Stack>
      {!isArchived && (
        <Group gap="xs">
          <FindingButton selection={{ ids: [result.id] }} title={result.title} hasKey={hasKeys} />
        </Group>
      )}
      {!isArchived && isHandWritten(result) && <OwnActions result={result} onGone={onGone} />}
      {!isArchived && <TriageFields result={result} hasKeys={hasKeys} />}
      <ResultData result={result} />
      <Notes result={result} isReadOnly={isArchived} />
      <Evidence resultId={result.id} isReadOnly={isArchived} />
      <section aria-label="Comments">
        <Title order={3} size="h5" mb={6}>
          Comments
        </Title>
        <Comments
          parent={{ type: 'result', id: result.id, engagementId: result.engagementId }}
          mayWrite={!isArchived}
        />
      </section>
      <History resultId={result.id} />
      <Facts result={result} />
    </Stack>
  )
}

/** Edit and delete, for vulnerabilities added by hand. */
const OwnActions = ({ result, onGone }: { result: Result; onGone: () => void }) => {
  const organization = useOrganization()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const offerRestore = useRestoreResults()
  const remove = useApiMutation(organization.id, 'deleteResult', {
    invalidates: [
      [organization.id, 'listResults'],
      [organization.id, 'countResults'],
    ],
    onSuccess: () => {
      offerRestore(`Deleted ${result.title}.`, [result.id])
      onGone()
    },
  })
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setAsked('edit')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && <EditDialog result={result} onClose={() => setAsked(undefined)} />}
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        onConfirm={() => remove.mutate({ params: { resultId: result.id } })}
        title={`Delete ${result.title}?`}
        confirmLabel="Delete vulnerability"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes it with its notes and evidence, for everyone. You can undo this.
      </ConfirmDialog>
    </Group>
  )
}

const Facts = ({ result }: { result: Result }) => (
  <Properties
    items={[
      ['Kind', KIND_LABELS[result.kind]],
      ['Seen by', result.tools.length > 0 ? result.tools.join(', ') : 'added by hand'],
      ['First seen', <TimeAgo key="first" iso={result.firstSeenAt} />],
      ['Last seen', <TimeAgo key="last" iso={result.lastSeenAt} />],
      ...(result.reopenedAt ? ([['Seen again', <TimeAgo key="reopened" iso={result.reopenedAt} />]] as const) : []),
      ...(result.targetId ? ([['Target', <TargetLink key="target" targetId={result.targetId} />]] as const) : []),
      ...(result.retestOf ? ([['Retest of', <ResultLink key="retest" resultId={result.retestOf} />]] as const) : []),
      ...(result.includes.length > 0
        ? ([['Includes', <Gathered key="gathers" resultIds={result.includes} />]] as const)
        : []),
      ...(result.tags.length > 0 ? ([['Tags', result.tags.join(', ')]] as const) : []),
      ['Id', <CopyId key="id" id={result.id} />],
    ]}
  />
)
