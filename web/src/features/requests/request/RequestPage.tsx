import { Button, Group, Loader, Splitter, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { ShownRun } from '../answer/ShownRun.tsx'
import { type ValueActions, ValueActionsContext } from '../answer/values/value-actions.ts'
import { EnvironmentChoice } from '../environments/EnvironmentChoice.tsx'
import { useChosenEnvironment } from '../environments/use-environments.ts'
import { type ApiRequest, isNew, NEW_REQUEST, usePlace } from '../place.tsx'
import { History } from '../runs/History.tsx'
import { Frame } from '../tree/Frame.tsx'
import classes from './request.module.css'
import { RequestForm } from './RequestForm.tsx'
import { RequestMenu } from './RequestMenu.tsx'
import { useExecution } from './use-execution.ts'

interface RequestPageProps {
  requestId: string
  /** The run in the address; undefined for the newest. */
  runId: string | undefined
  onShowRun: (runId: string | undefined) => void
}

/** A saved request with its response and history. */
export const RequestPage = ({ requestId, ...props }: RequestPageProps) => {
  const { organizationId, isFromLibrary } = usePlace()
  const read = useQuery(query(organizationId, 'getApiRequest', { params: { requestId } }))
  useVisit(requestId)
  const folderId = read.data && !isFromLibrary(read.data.data) ? read.data.data.folderId : null
  return (
    <Frame folderId={folderId} requestId={requestId}>
      <QueryView query={read}>{({ data }) => <OpenRequest request={data} {...props} />}</QueryView>
    </Frame>
  )
}

/** An unsaved request: it can be sent, and exists only as a draft in this browser until it is saved. */
export const NewRequestPage = () => {
  const { addressOf } = usePlace()
  const navigate = useNavigate()
  return (
    <Frame>
      <OpenRequest
        request={NEW_REQUEST}
        runId={undefined}
        onShowRun={() => undefined}
        onCreated={(id) => void navigate({ to: addressOf(id) })}
      />
    </Frame>
  )
}

interface OpenRequestProps extends Omit<RequestPageProps, 'requestId'> {
  request: ApiRequest
  onCreated?: (requestId: string) => void
}

const OpenRequest = ({ request, runId, onShowRun, onCreated }: OpenRequestProps) => {
  const { name, mayWrite, isFromLibrary } = usePlace()
  const [sizes, setSizes] = useLocalStorage({
    key: 'sortie.request-split',
    defaultValue: [50, 50],
    getInitialValueInEffect: false,
  })
  const valueActions = useRef<ValueActions>(undefined)
  const onActions = useCallback((next: ValueActions) => {
    valueActions.current = next
  }, [])
  const actions = useMemo<ValueActions>(
    () => ({
      capture: (value) => valueActions.current?.capture(value),
      assert: (value) => valueActions.current?.assert(value),
    }),
    [],
  )
  const environments = useChosenEnvironment()
  // Runs of other members appear in the history, but do not replace the response on display.
  const [latestId, setLatestId] = useState(request.lastRun?.id)
  const execution = useExecution(request, (run) => {
    setLatestId(run.id)
    onShowRun(undefined)
  })
  // What was read first may come from the cache: a sequence may have sent the request since.
  const shownId = runId ?? latestId ?? request.lastRun?.id
  return (
    <Page
      title={request.name}
      documentTitle={`${request.name} · ${name}`}
      layout="list"
      actions={
        <>
          <EnvironmentChoice {...environments} />
          {!isNew(request) && <RequestMenu request={request} />}
        </>
      }
    >
      {isFromLibrary(request) && (
        <Text size="sm" c="dimmed" mb="sm">
          From the library of the organization: changes apply to all engagements. It is sent from {name}, under its
          scope and testing hours, with its environments.
        </Text>
      )}
      <ValueActionsContext value={mayWrite ? actions : undefined}>
        <Splitter
          className={classes.columns}
          classNames={{ pane: classes.pane as string, handle: classes.divider as string }}
          attributes={{ handle: { 'aria-label': 'Width of the request' } }}
          sizes={sizes}
          onSizeChange={(next) => setSizes(next.map(Number))}
          step={2}
        >
          <Splitter.Pane defaultSize={50} min={25}>
            <RequestForm
              request={request}
              execution={execution}
              environment={environments.environment}
              onActions={onActions}
              {...(onCreated && { onCreated })}
            />
          </Splitter.Pane>
          <Splitter.Pane defaultSize={50} min={25}>
            <div className={classes.answers}>
              <Section title="Response">
                {execution.startedAt === undefined ? (
                  execution.error !== undefined && runId === undefined ? (
                    <Text size="sm" c="dimmed">
                      Not sent. Earlier responses are in the history.
                    </Text>
                  ) : shownId === undefined ? (
                    <Text size="sm" c="dimmed">
                      Not sent yet. Ctrl+Enter sends it.
                    </Text>
                  ) : (
                    <ShownRun runId={shownId} />
                  )
                ) : (
                  <Waiting
                    startedAt={execution.startedAt}
                    limitMs={request.options.timeoutMs}
                    onStop={execution.stopWaiting}
                  />
                )}
              </Section>
              {!isNew(request) && (
                <Section title="History">
                  <History request={request} shownId={shownId} onShow={onShowRun} />
                </Section>
              )}
            </div>
          </Splitter.Pane>
        </Splitter>
      </ValueActionsContext>
    </Page>
  )
}

const Waiting = ({ startedAt, limitMs, onStop }: { startedAt: number; limitMs: number; onStop: () => void }) => {
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <Group gap="sm">
      <Loader size="xs" aria-hidden />
      <Text size="sm" role="status" className={classes.elapsed}>
        <span className={classes.hidden}>Waiting for the response</span>
        <span aria-hidden>
          {(Math.max(0, now - startedAt) / 1_000).toFixed(1)} s of at most {limitMs / 1_000} s
        </span>
      </Text>
      <Button variant="default" onClick={onStop}>
        Stop waiting
      </Button>
    </Group>
  )
}
