import { Alert, Button, Group, Kbd, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../../../api/api.ts'
import { paths } from '../../../../../paths.ts'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../../../ui/commands/commands.ts'
import { IconPlayerPlay } from '../../../../../ui/page-icons.tsx'
import type { Finding } from '../../../labels.ts'
import type { Retest, RetestItem } from '../../retest-words.tsx'
import classes from '../../retests.module.css'
import { ComparedRuns, RecordedRequest, RecordedRun } from './Responses.tsx'
import type { Started } from './run-item.ts'
import { ScanProof } from './ScanProof.tsx'

interface ProofSectionProps {
  finding: Finding
  item: RetestItem
  retest: Retest
  mayChange: boolean
  started: Started | undefined
  onStarted: (started: Started) => void
}

const TYPES = { request: 'Request', run: 'Run', scan: 'Scan' } as const

/** The recorded proof of a finding, and what came when it was run again for an item. */
export const ProofSection = ({ finding, item, retest, mayChange, started, onStarted }: ProofSectionProps) => {
  const organization = useOrganization()
  const [proofId, setProofId] = useState(finding.proofs[0]?.id)
  const [refusal, setRefusal] = useState<string>()
  const proof = finding.proofs.find(({ id }) => id === proofId) ?? finding.proofs[0]
  const run = useApiMutation(organization.id, 'runRetestItem', {
    invalidates: [
      [organization.id, 'listRequestRuns'],
      [organization.id, 'listScans'],
    ],
    onSuccess: ({ data }) => onStarted(data),
    onError: (error) => setRefusal(messageOf(error)),
  })
  const mayRun = mayChange && retest.state === 'running' && proof !== undefined
  const send = () => {
    if (!proof || run.isPending) return
    setRefusal(undefined)
    run.mutate({ params: { retestId: retest.id, itemId: item.id }, body: { proofId: proof.id } })
  }
  useShortcuts(
    mayRun ? [{ id: 'run-again', label: 'Run the proof again', group: 'This page', shortcut: 'r', run: send }] : [],
  )
  return (
    <section aria-label="Proof">
      <Group justify="space-between" mb={6}>
        <Title order={3} size="h5">
          Proof
        </Title>
        {mayRun && (
          <Button
            variant="default"
            size="compact-md"
            loading={run.isPending}
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            rightSection={
              <Kbd size="xs" className={classes.hint} aria-hidden>
                R
              </Kbd>
            }
            onClick={send}
          >
            Run again
          </Button>
        )}
      </Group>
      {finding.proofs.length > 1 && (
        <Button.Group aria-label="Proof shown" mb="xs">
          {finding.proofs.map(({ type, id }, index) => (
            <Button
              key={id}
              size="compact-sm"
              variant={id === proof?.id ? 'light' : 'default'}
              aria-pressed={id === proof?.id}
              onClick={() => setProofId(id)}
            >
              {index + 1} {TYPES[type]}
            </Button>
          ))}
        </Button.Group>
      )}
      {proof !== undefined && mayChange && retest.state === 'planned' && (
        <Text size="sm" c="dimmed" mb={6}>
          Start the retest to run the proof again.
        </Text>
      )}
      {refusal !== undefined && (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          title="Nothing was sent"
          mb="xs"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setRefusal(undefined)}
        >
          {refusal}
        </Alert>
      )}
      {proof === undefined ? (
        <Text size="sm" c="dimmed">
          This finding has no proof that can be run again.{' '}
          <TextLink to={paths.finding(organization.slug, finding.engagementId, finding.id)}>
            Add a request, a run or a scan to it
          </TextLink>
          .
        </Text>
      ) : proof.type === 'scan' ? (
        <ScanProof scanId={proof.id} againId={started?.scanId ?? undefined} />
      ) : started?.runId ? (
        <ComparedRuns recordedId={started.recordedRunId} runId={started.runId} />
      ) : proof.type === 'run' ? (
        <RecordedRun runId={proof.id} />
      ) : (
        <RecordedRequest requestId={proof.id} plannedAt={retest.createdAt} />
      )}
    </section>
  )
}
