import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Conflict, DraftForm } from '../use-draft-form.ts'
import classes from './ConflictView.module.css'
import { type Difference, differences, merge, type Side, type Values } from './merge.ts'

interface FieldLabel {
  label: string
  /** Renders a value that is not text, a number, or a list of those. */
  show?: (value: never) => ReactNode
}

/** Label of each form field. */
export type FieldLabels<V> = { [F in keyof V]: string | FieldLabel }

interface ConflictViewProps<V extends Values> {
  form: DraftForm<V>
  labels: FieldLabels<V>
}

/**
 * Resolves a concurrent save by another user: shows each differing field, mine next to theirs, with a choice. Saving
 * requires a choice for each. Fields that only one side changed start with that change selected.
 */
export const ConflictView = <V extends Values>({ form, labels }: ConflictViewProps<V>) =>
  form.conflict ? <Choices key={form.conflict.version} form={form} labels={labels} conflict={form.conflict} /> : null

const Choices = <V extends Values>({ form, labels, conflict }: ConflictViewProps<V> & { conflict: Conflict<V> }) => {
  const differing = differences(conflict.base, form.values, conflict.theirs)
  const [chosen, setChosen] = useState<Partial<Record<string, Side>>>({})
  const choices: Partial<Record<string, Side>> = Object.fromEntries(
    differing.map((difference) => [difference.field, chosen[difference.field] ?? onlyChange(difference)]),
  )
  const open = differing.filter(({ field }) => choices[field] === undefined)
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Alert color="yellow" variant="light" role="alert" title="Someone else has saved this">
      <Stack gap="md">
        <div ref={heading} tabIndex={-1} className={classes.intro}>
          {differing.length === 0
            ? 'They saved the same text as you.'
            : 'Your changes are still in the form. Choose for each field below which version stays; you can continue to edit yours.'}
        </div>
        {differing.map((difference) => (
          <Choice
            key={difference.field}
            difference={difference}
            label={labels[difference.field] ?? difference.field}
            side={choices[difference.field]}
            onChoose={(side) => setChosen((before) => ({ ...before, [difference.field]: side }))}
          />
        ))}
        <Group gap="xs">
          <Button
            loading={form.isSaving}
            disabled={open.length > 0}
            onClick={() => void form.resolve(merge(form.values, conflict.theirs, choices))}
          >
            Save what I chose
          </Button>
          {open.length > 0 && (
            <Text size="xs">
              {open.length === 1 ? 'One field needs your choice.' : `${open.length} fields need your choice.`}
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

const onlyChange = ({ changedBy }: Difference): Side | undefined => (changedBy === 'both' ? undefined : changedBy)

interface ChoiceProps {
  difference: Difference
  label: string | FieldLabel
  side: Side | undefined
  onChoose: (side: Side) => void
}

const Choice = ({ difference, label, side, onChoose }: ChoiceProps) => {
  const { label: name, show = describe } = typeof label === 'string' ? { label } : label
  return (
    <Radio.Group label={name} value={side ?? null} onChange={onChoose}>
      <div className={classes.sides}>
        <Version side="mine" title="Yours" note={difference.changedBy === 'theirs' ? 'unchanged' : undefined}>
          {show(difference.mine as never)}
        </Version>
        <Version side="theirs" title="Theirs" note={difference.changedBy === 'mine' ? 'unchanged' : undefined}>
          {show(difference.theirs as never)}
        </Version>
      </div>
    </Radio.Group>
  )
}

const Version = ({
  side,
  title,
  note,
  children,
}: {
  side: Side
  title: string
  note: string | undefined
  children: ReactNode
}) => (
  <div className={classes.side}>
    <Radio value={side} label={note ? `${title}, ${note}` : title} />
    <div className={classes.value}>{children}</div>
  </div>
)

const describe = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <i>empty</i>
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
