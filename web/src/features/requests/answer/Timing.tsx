import { Stack, Text } from '@mantine/core'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import type { Run } from '../place.tsx'
import classes from './answer.module.css'

const PHASES = [
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['firstByte', 'First byte'],
  ['total', 'Total'],
] as const

/** Duration of each phase, and the remote side of the connection. */
export const Timing = ({ run }: { run: Run }) => {
  const { timing, response } = run
  const longest = Math.max(1, ...PHASES.map(([phase]) => timing[phase] ?? 0))
  return (
    <Stack gap="md">
      <dl className={classes.timing}>
        {PHASES.map(([phase, label]) => {
          const ms = timing[phase]
          return (
            <div key={phase}>
              <dt>{label}</dt>
              <dd>
                {/* Repeats the number only. */}
                <progress max={longest} value={ms ?? 0} aria-hidden />
                <span>{ms === null ? '–' : `${ms.toLocaleString('en')} ms`}</span>
              </dd>
            </div>
          )
        })}
      </dl>
      <Properties
        items={[
          ['Sent', <TimeAgo key="sent" iso={run.startedAt} />],
          ['By', run.startedBy?.name ?? 'an API key'],
          ...(response?.tls
            ? ([
                ['TLS', `${response.tls.version}, ${response.tls.cipher}`],
                ['Certificate of', response.tls.issuer],
                ['Valid until', <TimeAgo key="until" iso={response.tls.notAfter} never="unknown" />],
              ] as const)
            : []),
          ...(response ? ([['SHA-256 of the body', <code key="hash">{response.bodySha256}</code>]] as const) : []),
          ['Id', <CopyId key="id" id={run.id} />],
        ]}
      />
      {response === null && (
        <Text size="sm" c="dimmed">
          No response.
        </Text>
      )}
    </Stack>
  )
}
