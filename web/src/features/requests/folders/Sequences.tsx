import { Alert, Button, Checkbox, Group, Progress, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf, query, reportFailure, useApiMutation } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { IconPlayerPlay } from '../../../ui/page-icons.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { ChooseEngagement, type Override, useOverride } from '../override.tsx'
import { type Sequence, staleRuns, usePlace } from '../place.tsx'
import { SEQUENCE_LABELS, SEQUENCE_TONES } from '../runs/run-words.ts'
import classes from './folders.module.css'

type Summary = Omit<Sequence, 'runs'>

/** Poll interval of running sequences, in milliseconds. */
const PROGRESS_MS = 1_000

/** Runs the folder as a sequence, and shows the progress of earlier runs. */
export const Sequences = ({ folderId, environmentId }: { folderId: string; environmentId: string | undefined }) => {
  const { organizationId, engagementId, mayWrite, notSent } = usePlace()
  const override = useOverride(folderId)
  const cache = useQueryClient()
  const [isStarting, setStarting] = useState(false)
  const [goesOn, setGoesOn] = useState(false)
  const sequences = useQuery({
    ...query(organizationId, 'listRequestSequences', { query: { folderId: [folderId], perPage: 20 } }),
    refetchInterval: ({ state }) =>
      isStarting || state.data?.data.some(({ state: its }) => its === 'running') ? PROGRESS_MS : false,
  })
  // The response arrives when the sequence ends. The sequence continues if this page closes.
  const start = async (how: Override | undefined) => {
    setStarting(true)
    try {
      const body = {
        continueOnFailure: goesOn,
        ...(engagementId !== null && { engagementId }),
        ...(environmentId !== undefined && { environmentId }),
        ...(how && { override: how }),
      }
      await call(organizationId, 'executeRequestFolder', { params: { folderId }, body }, { retries: 0 })
    } catch (error) {
      reportFailure(error)
      toastError(messageOf(error))
    } finally {
      setStarting(false)
      for (const queryKey of staleRuns(organizationId)) void cache.invalidateQueries({ queryKey })
    }
  }
  return (
    <>
      {mayWrite && engagementId === null && notSent !== undefined && (
        <Alert color="gray" variant="light" p="xs">
          {notSent}
          <ChooseEngagement objectId={folderId} />
        </Alert>
      )}
      {override.dialog}
      {mayWrite && (
        <Group gap="md">
          <Button
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            loading={isStarting}
            disabled={notSent !== undefined}
            title={notSent ?? ''}
            onClick={() => override.ask((how) => void start(how))}
          >
            Run the folder
          </Button>
          <Checkbox
            label="Continue on failure"
            checked={goesOn}
            onChange={(event) => setGoesOn(event.currentTarget.checked)}
          />
        </Group>
      )}
      <QueryView query={sequences}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              Not run yet.
            </Text>
          ) : (
            <ul className={classes.order} aria-label="Sequences">
              {data.map((sequence) => (
                <SequenceRow key={sequence.id} sequence={sequence} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  )
}

const SequenceRow = ({ sequence }: { sequence: Summary }) => {
  const { addressOf } = usePlace()
  const { id, state, progress, startedBy, createdAt } = sequence
  return (
    <li>
      <StatusLabel tone={SEQUENCE_TONES[state]}>{SEQUENCE_LABELS[state]}</StatusLabel>
      <span className={classes.name}>
        <TextLink to={addressOf(id)}>
          {progress.done} of {progress.total} requests
        </TextLink>
      </span>
      {state === 'running' && <SequenceProgress sequence={sequence} />}
      <Text size="sm" c="dimmed" component="span">
        <TimeAgo iso={createdAt} /> · {startedBy?.name ?? 'API key'}
      </Text>
    </li>
  )
}

/** Progress of a running sequence, with a button to stop it. */
export const SequenceProgress = ({ sequence }: { sequence: Summary }) => {
  const { organizationId, mayWrite } = usePlace()
  const cancel = useApiMutation(organizationId, 'cancelRequestSequence', {
    invalidates: staleRuns(organizationId),
    onError: (error) => toastError(messageOf(error)),
  })
  const { done, total } = sequence.progress
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress
        className={classes.progress}
        value={(100 * done) / Math.max(1, total)}
        aria-label="Progress of the sequence"
      />
      {mayWrite && (
        <Button
          variant="default"
          size="compact-xs"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ params: { sequenceId: sequence.id } })}
        >
          Cancel
        </Button>
      )}
    </Group>
  )
}
