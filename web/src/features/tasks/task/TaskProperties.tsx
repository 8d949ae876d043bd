import { Group, NativeSelect, Select, TagsInput, TextInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { messageOf, useCommand } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { useMembers } from '../../../shell/use-members.ts'
import { toastError } from '../../../ui/toast.ts'
import { OUTCOME_LABELS, type Outcome, optionsOf, PRIORITY_LABELS, type Priority, STATUS_LABELS, type Status, staleReads, type Task } from '../words.tsx'
import classes from './task.module.css'

/** What is changed at once, field by field. */
export const TaskProperties = ({ task, mayChange }: { task: Task; mayChange: boolean }) => {
  const organization = useOrganization()
  const members = useMembers()
  const update = useCommand(organization.id, 'updateTask', {
    invalidates: staleReads(organization.id),
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (body: Input<'updateTask'>['body']) => update.mutate({ params: { taskId: task.id }, body } as Input<'updateTask'>)
  const people = new Map((members.data ?? []).map(({ id, name }) => [id, name]))
  if (task.assignee) people.set(task.assignee.id, task.assignee.name)
  const disabled = !mayChange || update.isPending
  return (
    <Group gap="sm" align="flex-end" className={classes.properties}>
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
        onChange={(assigneeId) => set({ assigneeId })}
      />
      <TextInput
        type="date"
        label="Due"
        value={task.dueOn ?? ''}
        disabled={disabled}
        onChange={({ currentTarget }) => set({ dueOn: currentTarget.value || null })}
      />
      <TagsInput label="Labels" value={task.labels} maxTags={20} disabled={disabled} onChange={(labels) => set({ labels })} />
      {task.check && (
        <NativeSelect
          label={`Outcome of ${task.check.itemKey}`}
          data={optionsOf(OUTCOME_LABELS)}
          value={task.check.outcome}
          disabled={disabled}
          onChange={({ currentTarget }) => set({ outcome: currentTarget.value as Outcome })}
        />
      )}
    </Group>
  )
}
