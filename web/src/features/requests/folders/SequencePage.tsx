import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink, TextLink } from '../../../shell/routing/links.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { SentWithout } from '../override.tsx'
import { type Sequence, usePlace } from '../place.tsx'
import { SEQUENCE_LABELS, SEQUENCE_TONES } from '../runs/run-words.ts'
import { RunState } from '../runs/RunState.tsx'
import { Frame } from '../tree/Frame.tsx'
import classes from './folders.module.css'
import { SequenceProgress } from './Sequences.tsx'

const PROGRESS_MS = 1_000

/** One sequence with its runs, in the order sent. */
export const SequencePage = ({ sequenceId }: { sequenceId: string }) => {
  const { organizationId } = usePlace()
  const read = useQuery({
    ...query(organizationId, 'getRequestSequence', { params: { sequenceId } }),
    refetchInterval: ({ state }) => (state.data?.data.state === 'running' ? PROGRESS_MS : false),
  })
  return (
    <Frame>
      <QueryView query={read}>{({ data }) => <Shown sequence={data} />}</QueryView>
    </Frame>
  )
}

const Shown = ({ sequence }: { sequence: Sequence }) => {
  const { name, addressOf } = usePlace()
  const { state, progress, reason, runs, folderId } = sequence
  return (
    <Page
      title={`Sequence of ${progress.total} ${progress.total === 1 ? 'request' : 'requests'}`}
      documentTitle={`Sequence · ${name}`}
      description={
        <>
          <TimeAgo iso={sequence.createdAt} /> · {sequence.startedBy?.name ?? 'API key'}
        </>
      }
      actions={
        <ButtonLink to={addressOf(folderId)} variant="default">
          Open the folder
        </ButtonLink>
      }
    >
      <Text component="div" size="sm" role="status">
        <StatusLabel tone={SEQUENCE_TONES[state]}>
          {SEQUENCE_LABELS[state]}: {progress.done} of {progress.total} requests
        </StatusLabel>
      </Text>
      {state === 'running' && <SequenceProgress sequence={sequence} />}
      <SentWithout override={sequence.override} />
      {reason !== null && (
        <Alert color={state === 'cancelled' ? 'gray' : 'red'} variant="light" p="xs">
          {capitalised(reason)}
        </Alert>
      )}
      <ol className={classes.order} aria-label="Runs of the sequence">
        {runs.map((run) => (
          <li key={run.id}>
            <RunState run={run} />
            <span className={classes.name}>
              <TextLink to={addressOf(run.id)} className={classes.url as string}>
                {run.method} {run.url}
              </TextLink>
            </span>
          </li>
        ))}
      </ol>
    </Page>
  )
}
