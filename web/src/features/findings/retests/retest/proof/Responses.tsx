import { Alert, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../../../api/api.ts'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { ListSkeleton } from '../../../../../ui/feedback/ListSkeleton.tsx'
import { pairsOf } from '../../../../../ui/text-merge/line-pairs.ts'
import { LinePairs } from '../../../../../ui/text-merge/LinePairs.tsx'
import { capitalised } from '../../../../../ui/text/capitalised.ts'
import { TimeAgo } from '../../../../../ui/values/TimeAgo.tsx'
import classes from '../../retests.module.css'
import { useResponseText } from './use-response-text.ts'

type Run = Output<'getRequestRun'>['data']

/** Lines of a recorded response; the comparison shows more. */
const MAX_LINES = 60

const useRun = (runId: string) => {
  const { id } = useOrganization()
  return useQuery({ ...query(id, 'getRequestRun', { params: { runId } }), staleTime: 60_000, retry: false }).data?.data
}

/** A run that was recorded as a proof. */
export const RecordedRun = ({ runId }: { runId: string }) => {
  const run = useRun(runId)
  const text = useResponseText(run)
  if (!run) return <Gone />
  const lines = text?.split('\n')
  return (
    <>
      <Caption label="Recorded" run={run} />
      <pre className={classes.response} aria-label="Recorded response">
        {lines ? lines.slice(0, MAX_LINES).join('\n') : '…'}
        {lines && lines.length > MAX_LINES && `\n… ${(lines.length - MAX_LINES).toLocaleString('en')} more lines`}
      </pre>
    </>
  )
}

/** Runs of a request that are looked through. */
const MAX_RUNS = 100

/** The last run of a saved request before the retest was planned: the one that the next is compared with. */
export const RecordedRequest = ({ requestId, plannedAt }: { requestId: string; plannedAt: string }) => {
  const { id } = useOrganization()
  const { data } = useQuery({
    ...query(id, 'listRequestRuns', { query: { requestId: [requestId], perPage: MAX_RUNS } }),
    retry: false,
  })
  const last = data?.data.find(({ createdAt }) => createdAt < plannedAt) ?? data?.data[0]
  if (last) return <RecordedRun runId={last.id} />
  return (
    <Text size="sm" c="dimmed">
      {data ? 'This request has not been sent yet: there is no recorded response.' : '…'}
    </Text>
  )
}

/** The recorded response next to the new one. */
export const ComparedRuns = ({ recordedId, runId }: { recordedId: string | null; runId: string }) => {
  const now = useRun(runId)
  if (!now) return <ListSkeleton rows={4} height={20} />
  if (now.response === null) {
    return (
      <>
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          title={now.state === 'refused' ? 'Nothing was sent' : 'No response'}
          mb="xs"
        >
          {capitalised(now.reason ?? 'The server did not answer.')}
        </Alert>
        {recordedId !== null && <RecordedRun runId={recordedId} />}
      </>
    )
  }
  if (recordedId === null) return <RecordedRun runId={runId} />
  return <SideBySide recordedId={recordedId} now={now} />
}

const SideBySide = ({ recordedId, now }: { recordedId: string; now: Run }) => {
  const recorded = useRun(recordedId)
  const before = useResponseText(recorded)
  const after = useResponseText(now)
  const pairs = useMemo(
    () => (before === undefined || after === undefined ? undefined : pairsOf(before, after)),
    [before, after],
  )
  if (!recorded) return <RecordedRun runId={now.id} />
  return (
    <>
      <Text size="sm" fw={500} mb={6} role="status">
        {differenceOf(recorded, now)}
      </Text>
      {pairs ? (
        <LinePairs
          pairs={pairs}
          label="Responses"
          before={<Caption label="Recorded" run={recorded} />}
          after={<Caption label="Now" run={now} />}
        />
      ) : (
        <ListSkeleton rows={4} height={20} />
      )}
    </>
  )
}

/** `Status 200 became 404. The body differs.` */
const differenceOf = ({ response: before }: Run, { response: after }: Run): string => {
  if (!before || !after) return before ? 'There is no response now.' : 'There was no response then.'
  const status =
    before.status === after.status
      ? `Status ${after.status}, as recorded.`
      : `Status ${before.status} became ${after.status}.`
  return `${status} ${before.bodySha256 === after.bodySha256 ? 'The body is the same.' : 'The body differs.'}`
}

const Caption = ({ label, run }: { label: string; run: Run }) => (
  <div className={classes.caption}>
    <b>{label}</b> <TimeAgo iso={run.startedAt} />{' '}
    <span className="mono">
      {run.method} {run.url}
    </span>
  </div>
)

const Gone = () => (
  <Text size="sm" c="dimmed">
    The recorded run can't be read. Runs are kept for 90 days unless they are pinned.
  </Text>
)
