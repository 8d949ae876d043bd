import { Group, Radio, Stack, Text } from '@mantine/core'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { useId } from 'react'
import { Choice } from '../../ui/fields/Choice.tsx'
import { SeverityLabel } from '../SeverityLabel.tsx'
import { METRICS, VERSIONS, type Version, withMetric, withVersion } from './cvss-metrics.ts'
import classes from './cvss.module.css'

interface CvssCalculatorProps {
  /** The vector so far; may be incomplete. */
  vector: string
  onChange: (vector: string) => void
}

/** Selects the base metrics of a vector and keeps its other metrics. */
export const CvssCalculator = ({ vector, onChange }: CvssCalculatorProps) => {
  const id = useId()
  const [first, ...parts] = vector.split('/')
  const version: Version = VERSIONS.find((known) => known === first) ?? 'CVSS:3.1'
  const chosen = new Map(parts.map((part) => part.split(':') as [string, string]))
  const score = scoreOf(vector)
  return (
    <fieldset className={classes.calculator}>
      <Text component="legend" size="sm" fw={600}>
        Base metrics
      </Text>
      <Group justify="space-between" className={classes.score}>
        <Choice
          size="xs"
          aria-label="Version of CVSS"
          data={VERSIONS.map((value) => ({ value, label: value }))}
          value={version}
          onChange={(wanted) => onChange(withVersion(vector, wanted))}
        />
        <output>
          {score === undefined ? (
            <Text size="sm" c="dimmed">
              Choose each metric.
            </Text>
          ) : (
            <Group gap="xs">
              <strong>{score.toFixed(1)}</strong>
              <SeverityLabel severity={severityOfScore(score)} />
            </Group>
          )}
        </output>
      </Group>
      <Stack gap="xs">
        {METRICS[version].map(({ name, label, values }) => (
          <Radio.Group
            key={name}
            name={`${id}-${name}`}
            label={label}
            value={chosen.get(name) ?? null}
            onChange={(value) => onChange(withMetric(vector, version, name, value))}
          >
            <Group gap="md">
              {values.map(([value, meaning]) => (
                <Radio key={value} size="xs" value={value} label={meaning} />
              ))}
            </Group>
          </Radio.Group>
        ))}
      </Stack>
    </fieldset>
  )
}
