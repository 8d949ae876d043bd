import { Group, NativeSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMembersWithAccess } from '../../../shell/context/use-members-with-access.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import {
  OUTCOME_LABELS,
  type CheckOutcome,
  PRIORITY_LABELS,
  type Priority,
  STATUS_LABELS,
  type Status,
  type Task,
} from '../labels.tsx'
import { useSetTask } from '../use-set-task.ts'
import classes from './task.module.css'

/** Properties of a task, saved one by one. Optimistic; rolls back if the server refuses. */
export const TaskProperties = ({ task: stored, mayChange }: { task: Task; mayChange: boolean }) => {
  const { task, set } = useSetTask(stored)
  const members = useMembersWithAccess(stored.engagementId)
  const people = new Map(members.map(({ id, name }) => [id, name]))
  if (task.assignee) people.set(task.assignee.id, task.assignee.name)
  const disabled = !mayChange
  const setOutcome = (outcome: CheckOutcome) => set({ outcome }, { check: task.check && { ...task.check, outcome } })
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
        placeholder="Unassigned"
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={task.assignee?.id ?? null}
        searchable
        clearable
        disabled={disabled}
        onChange={(assigneeId) =>
          set(
            { assigneeId },
            { assignee: assigneeId === null ? null : { id: assigneeId, name: people.get(assigneeId) ?? '' } },
          )
        }
      />
      <Due key={task.dueOn} dueOn={task.dueOn} disabled={disabled} onChange={(dueOn) => set({ dueOn })} />
      <TagsInput
        label="Labels"
        value={task.labels}
        maxTags={20}
        disabled={disabled}
        onChange={(labels) => set({ labels })}
      />
      {task.check && (
        <NativeSelect
          label={`Outcome of ${task.check.itemKey}`}
          data={optionsOf(OUTCOME_LABELS)}
          value={task.check.outcome}
          disabled={disabled}
          onChange={({ currentTarget }) => setOutcome(currentTarget.value as CheckOutcome)}
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

/** Typing a date passes through the years 2, 20 and 203, so the value is saved on blur or Enter. */
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
