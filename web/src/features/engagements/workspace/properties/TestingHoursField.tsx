import { ActionIcon, Button, Checkbox, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { TimeField } from '../../../../ui/dates/DateField.tsx'
import { addLine } from '../../../../ui/fields/add-line.ts'
import { IconPlus } from '../../../../ui/icons.tsx'
import { IconTrash } from '../../../../ui/page-icons.tsx'
import { ownTimeZone, TIME_ZONES } from '../../../../ui/values/time-zones.ts'
import { type TestingHours, WEEKDAYS } from '../../testing-hours.ts'
import classes from './properties.module.css'

interface TestingHoursFieldProps {
  value: TestingHours | null
  onChange: (hours: TestingHours | null) => void
  error?: React.ReactNode
}

type Window = TestingHours['windows'][number]

const WORKING_HOURS: Window = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const MAX_WINDOWS = 20

/** Testing hours: any time, or weekly windows. */
export const TestingHoursField = ({ value, onChange, error }: TestingHoursFieldProps) => (
  <fieldset className={classes.fieldset}>
    <legend>Testing hours</legend>
    <Stack gap="sm">
      <Switch
        label="Only at certain hours"
        checked={value !== null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { timeZone: ownTimeZone(), windows: [WORKING_HOURS] } : null)
        }
      />
      {value && <Windows hours={value} onChange={onChange} />}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  </fieldset>
)

const Windows = ({ hours, onChange }: { hours: TestingHours; onChange: (hours: TestingHours | null) => void }) => {
  const change = (index: number, changes: Partial<Window>) =>
    onChange({
      ...hours,
      windows: hours.windows.map((window, at) => (at === index ? { ...window, ...changes } : window)),
    })
  return (
    <>
      <Select
        label="Time zone"
        data={TIME_ZONES}
        searchable
        value={hours.timeZone}
        onChange={(timeZone) => timeZone && onChange({ ...hours, timeZone })}
      />
      {hours.windows.map((window, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- hours have no id, and its fields hold no state
        <div key={index} className={classes.window} role="group" aria-label={`Hours ${index + 1}`}>
          <Group gap="xs">
            {WEEKDAYS.map((name, at) => (
              <Checkbox
                key={name}
                size="xs"
                label={name}
                checked={window.days.includes(at + 1)}
                disabled={window.days.length === 1 && window.days[0] === at + 1}
                onChange={(event) =>
                  change(index, {
                    days: event.currentTarget.checked
                      ? [...window.days, at + 1].toSorted((a, b) => a - b)
                      : window.days.filter((day) => day !== at + 1),
                  })
                }
              />
            ))}
          </Group>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TimeField label="From" value={window.from} onChange={(from) => from && change(index, { from })} />
            <TimeField
              label={window.to <= window.from ? 'To (next day)' : 'To'}
              value={window.to}
              onChange={(to) => to && change(index, { to })}
            />
            {hours.windows.length > 1 && (
              <ActionIcon
                size="lg"
                aria-label={`Remove hours ${index + 1}`}
                onClick={() => onChange({ ...hours, windows: hours.windows.filter((_, at) => at !== index) })}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </div>
      ))}
      {hours.windows.length < MAX_WINDOWS && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={(event) =>
              addLine(event.currentTarget.closest('fieldset'), () =>
                onChange({ ...hours, windows: [...hours.windows, WORKING_HOURS] }),
              )
            }
          >
            Add hours
          </Button>
        </div>
      )}
    </>
  )
}
