import { Stack, Title } from '@mantine/core'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import type { Run } from '../place.tsx'
import { OPERATOR_LABELS } from '../request/fields/TestFields.tsx'
import classes from './answer.module.css'

type Assertion = Run['assertions'][number]

/** Assertion results and captured values. */
export const Outcomes = ({
  assertions,
  captured,
}: {
  assertions: readonly Assertion[]
  captured: readonly (readonly [string, string])[]
}) => (
  <Stack gap="md">
    {assertions.length > 0 && (
      <ul className={classes.outcomes} aria-label="Assertions">
        {assertions.map((assertion, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- an assertion can occur twice
          <li key={index}>
            <StatusLabel tone={assertion.passed ? 'good' : 'bad'}>{assertion.passed ? 'Passed' : 'Failed'}</StatusLabel>
            <span>{describe(assertion)}</span>
            {!assertion.passed && (
              <span className={classes.actual}>
                Was {assertion.actual === null ? 'missing' : JSON.stringify(assertion.actual)}.
              </span>
            )}
          </li>
        ))}
      </ul>
    )}
    {captured.length > 0 && (
      <section>
        <Title order={3}>Captured</Title>
        <Properties items={captured.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
      </section>
    )}
  </Stack>
)

const SUBJECTS: Record<Assertion['subject'], string> = {
  status: 'The status',
  time: 'The time in ms',
  header: 'The header',
  json: 'The JSON at',
  body: 'The body',
}

/** `The header Content-Type contains "json"` */
const describe = ({ subject, path, operator, value }: Assertion): string =>
  [SUBJECTS[subject], path, OPERATOR_LABELS[operator], operator !== 'exists' && JSON.stringify(value)]
    .filter(Boolean)
    .join(' ')
