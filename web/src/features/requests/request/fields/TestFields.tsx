import { ActionIcon, Button, Checkbox, Stack, Text, TextInput, Title } from '@mantine/core'
import { addLine } from '../../../../ui/fields/add-line.ts'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { IconX } from '../../../../ui/page-icons.tsx'
import type { Assertion, Capture } from '../request-values.ts'
import classes from '../request.module.css'

const SUBJECTS: readonly { value: Assertion['subject']; label: string }[] = [
  { value: 'status', label: 'Status' },
  { value: 'time', label: 'Time in ms' },
  { value: 'header', label: 'Header' },
  { value: 'json', label: 'JSON' },
  { value: 'body', label: 'Body' },
]
export const OPERATOR_LABELS: Record<Assertion['operator'], string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  matches: 'matches',
  exists: 'exists',
  less_than: 'is less than',
  greater_than: 'is more than',
}
const OPERATORS = Object.entries(OPERATOR_LABELS).map(([value, label]) => ({ value, label }))
const SOURCES: readonly { value: Capture['from']; label: string }[] = [
  { value: 'json', label: 'JSON' },
  { value: 'header', label: 'Header' },
  { value: 'regex', label: 'Regular expression' },
  { value: 'status', label: 'Status' },
]
const PATHS: Partial<Record<string, string>> = {
  json: '$.users[0].id',
  header: 'Content-Type',
  regex: 'csrf" value="([^"]+)',
}

interface TestFieldsProps {
  assertions: Assertion[]
  captures: Capture[]
  onAssertions: (assertions: Assertion[]) => void
  onCaptures: (captures: Capture[]) => void
}

/** Assertions on the response, and values captured for the next request of a sequence. */
export const TestFields = ({ assertions, captures, onAssertions, onCaptures }: TestFieldsProps) => (
  <Stack gap="lg">
    <section className={classes.list}>
      <Title order={3}>Assertions</Title>
      <Text size="sm" c="dimmed">
        Conditions on the response. A sequence stops at the first that fails.
      </Text>
      <ul className={classes.rows}>
        {assertions.map((assertion, index) => (
          <AssertionRow
            // oxlint-disable-next-line react/no-array-index-key -- lines have no id
            key={index}
            number={index + 1}
            value={assertion}
            onChange={(next) => onAssertions(assertions.with(index, next))}
            onRemove={() => onAssertions(assertions.filter((_, other) => other !== index))}
          />
        ))}
      </ul>
      <AddButton
        onAdd={() => onAssertions([...assertions, { subject: 'status', operator: 'equals', path: '', value: '200' }])}
      >
        Add an assertion
      </AddButton>
    </section>
    <section className={classes.list}>
      <Title order={3}>Captures</Title>
      <Text size="sm" c="dimmed">
        Values from the response, as variables for the next requests of a sequence, or kept in the environment.
      </Text>
      <ul className={classes.rows}>
        {captures.map((capture, index) => (
          <CaptureRow
            // oxlint-disable-next-line react/no-array-index-key -- lines have no id
            key={index}
            number={index + 1}
            value={capture}
            onChange={(next) => onCaptures(captures.with(index, next))}
            onRemove={() => onCaptures(captures.filter((_, other) => other !== index))}
          />
        ))}
      </ul>
      <AddButton onAdd={() => onCaptures([...captures, { variable: '', from: 'json', path: '' }])}>
        Add a capture
      </AddButton>
    </section>
  </Stack>
)

const AddButton = ({ onAdd, children }: { onAdd: () => void; children: string }) => (
  <Button
    variant="default"
    className={classes.add}
    leftSection={<IconPlus size={14} aria-hidden />}
    onClick={(event) => addLine(event.currentTarget.closest('section'), onAdd)}
  >
    {children}
  </Button>
)

interface RowProps<T> {
  number: number
  value: T
  onChange: (value: T) => void
  onRemove: () => void
}

const AssertionRow = ({ number, value, onChange, onRemove }: RowProps<Assertion>) => (
  <li className={classes.test}>
    <Choice
      aria-label={`Subject of assertion ${number}`}
      data={SUBJECTS}
      value={value.subject}
      onChange={(chosen) => onChange({ ...value, subject: chosen })}
    />
    {(value.subject === 'header' || value.subject === 'json') && (
      <TextInput
        aria-label={`Path of assertion ${number}`}
        placeholder={PATHS[value.subject] ?? ''}
        spellCheck={false}
        maxLength={1_000}
        value={value.path}
        onChange={(event) => onChange({ ...value, path: event.currentTarget.value })}
      />
    )}
    <Choice
      aria-label={`Comparison of assertion ${number}`}
      data={OPERATORS}
      value={value.operator}
      onChange={(chosen) => onChange({ ...value, operator: chosen as Assertion['operator'] })}
    />
    {value.operator !== 'exists' && (
      <TextInput
        aria-label={`Value of assertion ${number}`}
        spellCheck={false}
        maxLength={10_000}
        value={value.value}
        onChange={(event) => onChange({ ...value, value: event.currentTarget.value })}
      />
    )}
    <RemoveButton label={`Remove assertion ${number}`} onClick={onRemove} />
  </li>
)

const CaptureRow = ({ number, value, onChange, onRemove }: RowProps<Capture>) => (
  <li className={classes.test}>
    <TextInput
      aria-label={`Variable of capture ${number}`}
      placeholder="Variable"
      spellCheck={false}
      maxLength={64}
      value={value.variable}
      onChange={(event) => onChange({ ...value, variable: event.currentTarget.value })}
    />
    <Choice
      aria-label={`Source of capture ${number}`}
      data={SOURCES}
      value={value.from}
      onChange={(chosen) => onChange({ ...value, from: chosen })}
    />
    {value.from !== 'status' && (
      <TextInput
        aria-label={`Path of capture ${number}`}
        placeholder={PATHS[value.from] ?? ''}
        spellCheck={false}
        maxLength={1_000}
        value={value.path ?? ''}
        onChange={(event) => onChange({ ...value, path: event.currentTarget.value })}
      />
    )}
    <Checkbox
      label="Keep in the environment"
      aria-label={`Keep capture ${number} in the environment`}
      checked={value.keep === true}
      onChange={({ currentTarget: { checked } }) => {
        const { keep: _, ...rest } = value
        onChange(checked ? { ...rest, keep: true } : rest)
      }}
    />
    <RemoveButton label={`Remove capture ${number}`} onClick={onRemove} />
  </li>
)

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon aria-label={label} onClick={onClick}>
    <IconX size={14} aria-hidden />
  </ActionIcon>
)
