import { ActionIcon, Button, Checkbox, Group, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { formatTime } from '../../../ui/dates/dates.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { IconPin, IconPinFilled, IconTrash } from '../../../ui/page-icons.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { toastError } from '../../../ui/toasts/toast.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type ApiRequest, type RunSummary, usePlace } from '../place.tsx'
import { DiffDialog } from './DiffDialog.tsx'
import classes from './runs.module.css'
import { RunState } from './RunState.tsx'

interface HistoryProps {
  request: ApiRequest
  /** The run whose response is shown. */
  shownId: string | undefined
  onShow: (runId: string) => void
}

const PER_PAGE = 20

/** Runs of a request, newest first: view, keep, delete, or compare two. */
export const History = ({ request, shownId, onShow }: HistoryProps) => {
  const { organizationId, engagementId } = usePlace()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isComparing, setComparing] = useState(false)
  // A library request has runs from several engagements.
  const where = { requestId: [request.id], ...(engagementId !== null && { engagementId }) }
  const runs = useParts(rows(organizationId, 'listRequestRuns', { query: where }), { perPage: PER_PAGE })
  /** A third choice drops the oldest of the two. */
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id].slice(-2) : before.filter((other) => other !== id)))
  const [first, second] = chosen
  return (
    <QueryView query={runs}>
      {({ pages }) => {
        const loaded = pages.flatMap(({ data }) => data)
        if (loaded.length === 0) {
          return (
            <Text size="sm" c="dimmed">
              Sent requests with user and response. Select two runs to compare them.
            </Text>
          )
        }
        const order = loaded.map(({ id }) => id)
        const [newer, older] = [first, second].toSorted((a = '', b = '') => order.indexOf(a) - order.indexOf(b))
        return (
          <>
            <ul className={classes.runs} aria-label="Runs">
              {loaded.map((run) => (
                <Row
                  key={run.id}
                  run={run}
                  isShown={run.id === shownId}
                  isChosen={chosen.includes(run.id)}
                  onShow={onShow}
                  onChoose={choose}
                />
              ))}
            </ul>
            <Group gap="xs">
              <Button variant="default" disabled={chosen.length !== 2} onClick={() => setComparing(true)}>
                Compare selected
              </Button>
              {runs.hasNextPage && (
                <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                  Older runs
                </Button>
              )}
            </Group>
            {isComparing && older !== undefined && newer !== undefined && (
              <DiffDialog a={older} b={newer} onClose={() => setComparing(false)} />
            )}
          </>
        )
      }}
    </QueryView>
  )
}

interface RowProps {
  run: RunSummary
  isShown: boolean
  isChosen: boolean
  onShow: (runId: string) => void
  onChoose: (runId: string, isChosen: boolean) => void
}

const Row = ({ run, isShown, isChosen, onShow, onChoose }: RowProps) => {
  const { organizationId, mayWrite } = usePlace()
  const [isAsked, setAsked] = useState(false)
  const params = { runId: run.id }
  const stale = [
    [organizationId, 'listRequestRuns'],
    [organizationId, 'getRequestRun'],
  ] as const
  const pin = useApiMutation(organizationId, 'updateRequestRun', {
    invalidates: stale,
    onError: (error) => toastError(messageOf(error)),
  })
  const remove = useApiMutation(organizationId, 'deleteRequestRun', {
    invalidates: [[organizationId, 'listRequestRuns']],
    onSuccess: () => setAsked(false),
  })
  const when = formatTime(run.startedAt)
  return (
    <li data-shown={isShown || undefined}>
      <Checkbox
        aria-label={`Compare the run of ${when}`}
        checked={isChosen}
        onChange={(event) => onChoose(run.id, event.currentTarget.checked)}
      />
      <UnstyledButton className={classes.show} aria-current={isShown || undefined} onClick={() => onShow(run.id)}>
        <RunState run={run} />
        <span className={classes.who}>
          <TimeAgo iso={run.startedAt} /> · {run.startedBy?.name ?? 'API key'}
          {run.sequenceId !== null && ' · in a sequence'}
        </span>
        {run.reason !== null && <span className={classes.reason}>{capitalised(run.reason)}</span>}
      </UnstyledButton>
      {mayWrite && (
        <ActionIcon
          aria-label={`Keep the run of ${when}`}
          aria-pressed={run.pinned}
          title={run.pinned ? 'Kept forever' : 'Keep forever'}
          loading={pin.isPending}
          onClick={() => pin.mutate({ params, body: { pinned: !run.pinned } })}
        >
          {run.pinned ? <IconPinFilled size={14} aria-hidden /> : <IconPin size={14} aria-hidden />}
        </ActionIcon>
      )}
      {mayWrite && (
        <ActionIcon aria-label={`Delete the run of ${when}`} onClick={() => setAsked(true)}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate({ params })}
        title="Delete this run?"
        confirmLabel="Delete run"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Request and response are deleted for everyone. Evidence made from them is kept.
      </ConfirmDialog>
    </li>
  )
}
