import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../../../api/api.ts'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { SentWithout } from '../override.tsx'
import { type Run, usePlace } from '../place.tsx'
import { STATE_LABELS, toneOf } from '../runs/run-words.ts'
import classes from './answer.module.css'
import { AnswerBody } from './AnswerBody.tsx'
import { AttachDialog } from './AttachDialog.tsx'
import { Headers } from './Headers.tsx'
import { Outcomes } from './Outcomes.tsx'
import { Sent } from './Sent.tsx'
import { Timing } from './Timing.tsx'

/** Details of a run: response, request and timing. */
export const Answer = ({ run }: { run: Run }) => {
  const { response } = run
  const passed = run.assertions.filter((assertion) => assertion.passed).length
  const captured = Object.entries(run.captured ?? {})
  const tabs: readonly (readonly [string, string, ReactNode])[] = [
    ...(response
      ? ([
          ['body', 'Body', <AnswerBody key="body" runId={run.id} response={response} />],
          ['headers', `Headers (${response.headers.length})`, <Headers key="headers" headers={response.headers} />],
        ] as const)
      : []),
    ...(run.assertions.length + captured.length > 0
      ? ([
          [
            'tests',
            run.assertions.length > 0 ? `Tests (${passed} of ${run.assertions.length} passed)` : 'Captured',
            <Outcomes key="tests" assertions={run.assertions} captured={captured} />,
          ],
        ] as const)
      : []),
    ['sent', 'Sent', <Sent key="sent" run={run} />],
    ['timing', 'Timing', <Timing key="timing" run={run} />],
  ]
  const [tab, setTab] = useState<string | null>(tabs[0]?.[0] ?? null)
  return (
    <Stack gap="sm">
      <Facts run={run} />
      <SentWithout override={run.override} />
      {run.reason !== null && (
        <Alert color={run.state === 'refused' ? 'yellow' : 'red'} variant="light" p="xs">
          {capitalised(run.reason)}
        </Alert>
      )}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          {tabs.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([value, , content]) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

const Facts = ({ run }: { run: Run }) => {
  const { organizationId, mayWrite } = usePlace()
  const [isAttaching, setAttaching] = useState(false)
  const { response, timing } = run
  const problem = response?.tls?.problem
  const facts = [
    timing.total !== null && `${timing.total.toLocaleString('en')} ms`,
    response && formatBytes(response.size),
    response && `HTTP/${response.httpVersion}`,
    response?.remoteAddress,
  ].filter(Boolean)
  return (
    <Group gap="md" justify="space-between">
      <Group gap="md" role="status">
        <StatusLabel tone={toneOf(run)}>
          {response ? `${response.status} ${response.statusText}` : STATE_LABELS[run.state]}
        </StatusLabel>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {problem != null && <StatusLabel tone="warn">TLS not verified: {problem}</StatusLabel>}
      </Group>
      <Group gap="xs">
        {response && response.size > 0 && (
          <Button
            component="a"
            variant="default"
            href={linkTo(organizationId, 'getRequestRunBody', { params: { runId: run.id } })}
            download
          >
            Download body
          </Button>
        )}
        {mayWrite && run.engagementId !== null && (
          <Button variant="default" onClick={() => setAttaching(true)}>
            Use as evidence
          </Button>
        )}
      </Group>
      {isAttaching && run.engagementId !== null && (
        <AttachDialog run={run} engagementId={run.engagementId} onClose={() => setAttaching(false)} />
      )}
    </Group>
  )
}
