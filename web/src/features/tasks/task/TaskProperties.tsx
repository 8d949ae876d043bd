import { Group, NativeSelect, Select, TagsInput, TextInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { startTransition, useOptimistic, useState } from 'react'
import { messageOf, useCommand } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { useSeers } from '../../../shell/use-seers.ts'
import { toastError } from '../../../ui/toast.ts'
import { OUTCOME_LABELS, type Outcome, optionsOf, PRIORITY_LABELS, type Priority, STATUS_LABELS, type Status, staleReads, type Task } from '../words.tsx'
import classes from './task.module.css'

/** What is changed at once, field by field: shown before the server answers, and back again where it refuses. */
export const TaskProperties = ({ task: stored, mayChange }: { task: Task; mayChange: boolean }) => {
  const organization = useOrganization()
  const members = useSeers(stored.engagementId)
  const update = useCommand(organization.id, 'updateTask', {
    invalidates: staleReads(organization.id),
    inOrder: `task/${stored.id}`,
    onError: (error) => toastError(messageOf(error)),
  })
  const [task, show] = useOptimistic(stored, (before, change: Partial<Task>) => ({ ...before, ...change }))
  const set = (body: Input<'updateTask'>['body'], change: Partial<Task> = body as Partial<Task>) =>
    startTransition(async () => {
      show(change)
      await update.mutateAsync({ params: { taskId: stored.id }, body } as Input<'updateTask'>).catch(() => undefined)
    })
  const people = new Map(members.map(({ id, name }) => [id, name]))
  if (task.assignee) people.set(task.assignee.id, task.assignee.name)
  const disabled = !mayChange
  const setOutcome = (outcome: Outcome) => set({ outcome }, { check: task.check && { ...task.check, outcome } })
  return (
    <Group gap="sm" align="flex-start" className={classes.properties}>
      <NativeSelect
        label="Status"
        data={optionsOf(STATUS_LABELS)}
        value={task.status}
        disabled={disabled}
        onChange={({ currentTarget }) => set({ status: currentTarget.value as Status })}
      />
      <NativeSelect
        label="Priority"
        data={optionsOf(PRIORITY_LABELS)}
        value={task.priority}
        disabled={disabled}
        onChange={({ currentTarget }) => set({ priority: currentTarget.value as Priority })}
      />
      <Select
        label="Assignee"
        placeholder="Nobody"
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={task.assignee?.id ?? null}
        searchable
        clearable
        disabled={disabled}
        onChange={(assigneeId) => set({ assigneeId }, { assignee: assigneeId === null ? null : { id: assigneeId, name: people.get(assigneeId) ?? '' } })}
      />
      <Due key={task.dueOn} dueOn={task.dueOn} disabled={disabled} onChange={(dueOn) => set({ dueOn })} />
      <TagsInput label="Labels" value={task.labels} maxTags={20} disabled={disabled} onChange={(labels) => set({ labels })} />
      {task.check && (
        <NativeSelect
          label={`Outcome of ${task.check.itemKey}`}
          data={optionsOf(OUTCOME_LABELS)}
          value={task.check.outcome}
          disabled={disabled}
          onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}
        />
      )}
    </Group>
  )
}

interface DueProps {
  dueOn: string | null
  disabled: boolean
  onChange: (dueOn: string | null) => void
}

/** A day that is typed passes through days of the year 2 and 20 and 203: it is taken when the field is left, or with Enter. */
const Due = ({ dueOn, disabled, onChange }: DueProps) => {
  const [day, setDay] = useState(dueOn ?? '')
  const take = () => day !== (dueOn ?? '') && onChange(day || null)
  return (
    <TextInput
      type="date"
      label="Due"
      value={day}
      disabled={disabled}
      onChange={({ currentTarget }) => setDay(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  )
}
