import { Group, Select, Text, TextInput } from '@mantine/core'
import { TimeField } from '../../../ui/dates/DateField.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { TIME_ZONES } from '../../../ui/values/time-zones.ts'
import classes from '../scans.module.css'
import { describeTiming, type Timing, toCron, WEEKDAYS } from './cron.ts'

interface TimingFieldProps {
  values: Timing & { timeZone: string }
  onChange: (changes: Partial<Timing & { timeZone: string }>) => void
  errors: { cron?: React.ReactNode; timeZone?: React.ReactNode }
}

/** Times of a schedule: presets, or a cron expression. */
export const TimingField = ({ values, onChange, errors }: TimingFieldProps) => (
  <fieldset className={classes.fieldset}>
    <legend>When</legend>
    <Group gap="xs" align="flex-end">
      <Choice
        label="Repeats"
        value={values.repeats}
        onChange={(chosen) => onChange({ cron: toCron(values), repeats: chosen })}
        data={[
          { value: 'daily', label: 'Every day' },
          { value: 'weekdays', label: 'Every weekday' },
          { value: 'weekly', label: 'Every week' },
          { value: 'cron', label: 'Cron expression' },
        ]}
      />
      {values.repeats === 'weekly' && (
        <Choice
          label="On"
          value={values.weekday}
          onChange={(chosen) => onChange({ weekday: chosen })}
          data={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: WEEKDAYS[day] ?? '' }))}
        />
      )}
      {values.repeats === 'cron' ? (
        <TextInput
          label="Cron"
          description="Minute, hour, day, month, day of the week."
          maxLength={100}
          spellCheck={false}
          value={values.cron}
          error={errors.cron}
          onChange={({ currentTarget }) => onChange({ cron: currentTarget.value })}
        />
      ) : (
        <TimeField label="At" value={values.time} onChange={(time) => time && onChange({ time })} />
      )}
    </Group>
    <Select
      label="Time zone"
      data={TIME_ZONES}
      searchable
      value={values.timeZone}
      error={errors.timeZone}
      onChange={(timeZone) => timeZone && onChange({ timeZone })}
    />
    <Text size="sm" role="status">
      {describeTiming(toCron(values), values.timeZone)}.
    </Text>
  </fieldset>
)
