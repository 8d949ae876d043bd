import { TagsInput } from '@mantine/core'
import { useRef } from 'react'
import { writtenOf } from '../../../shell/fields/custom/custom-fields.ts'
import { CustomFields } from '../../../shell/fields/custom/CustomFields.tsx'
import { PeopleChoices } from '../../../shell/fields/PeopleChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { MenuField } from '../../../ui/fields/MenuField.tsx'
import { IconTag } from '../../../ui/page-icons.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import {
  ASSIGNEE_SHORTCUT,
  OUTCOME_SHORTCUT,
  OutcomeChoices,
  PRIORITY_SHORTCUT,
  PriorityChoices,
  STATUS_SHORTCUT,
  StatusChoices,
} from '../bulk/TaskMenus.tsx'
import { type CheckOutcome, OutcomeLabel, PriorityLabel, type Task, TaskStatusLabel } from '../labels.tsx'
import { useAssignees } from '../use-assignees.ts'
import { useSetTask } from '../use-set-task.ts'
import classes from './task.module.css'

/** Properties of a task, saved one by one. Optimistic; rolls back if the server refuses. */
export const TaskProperties = ({ task: stored, mayChange }: { task: Task; mayChange: boolean }) => {
  const { task, set } = useSetTask(stored)
  const members = useAssignees(stored.engagementId)
  const people = new Map(members.map(({ id, name }) => [id, name]))
  if (task.assignee) people.set(task.assignee.id, task.assignee.name)
  const disabled = !mayChange
  const setOutcome = (outcome: CheckOutcome) => set({ outcome }, { check: task.check && { ...task.check, outcome } })
  const assign = (assigneeId: string | null) =>
    set(
      { assigneeId },
      { assignee: assigneeId === null ? null : { id: assigneeId, name: people.get(assigneeId) ?? '' } },
    )
  const due = useRef<HTMLInputElement>(null)
  const labels = useRef<HTMLInputElement>(null)
  useAssignToMe({ id: 'task-mine', group: 'Tasks', isOffered: mayChange, onAssign: assign })
  useShortcuts(
    mayChange
      ? [
          { id: 'task-due', label: 'Set the due date', group: 'Tasks', shortcut: 'd', run: () => due.current?.focus() },
          {
            id: 'task-labels',
            label: 'Add a label',
            group: 'Tasks',
            icon: IconTag,
            shortcut: 'l',
            run: () => labels.current?.focus(),
          },
        ]
      : [],
  )
  return (
    <div className={classes.properties}>
      <MenuField
        label="Status"
        shortcut={STATUS_SHORTCUT}
        disabled={disabled}
        value={<TaskStatusLabel status={task.status} />}
      >
        <StatusChoices set={(change) => set(change)} />
      </MenuField>
      <MenuField
        label="Priority"
        shortcut={PRIORITY_SHORTCUT}
        disabled={disabled}
        value={task.priority !== 'none' && <PriorityLabel priority={task.priority} />}
      >
        <PriorityChoices set={(change) => set(change)} />
      </MenuField>
      <MenuField
        label="Assignee"
        placeholder="Unassigned"
        shortcut={ASSIGNEE_SHORTCUT}
        disabled={disabled}
        value={task.assignee && <Person name={task.assignee.name} />}
      >
        <PeopleChoices people={[...people].map(([id, name]) => ({ id, name }))} onChoose={assign} />
      </MenuField>
      {task.check && (
        <MenuField
          label={`Outcome of ${task.check.itemKey}`}
          shortcut={OUTCOME_SHORTCUT}
          disabled={disabled}
          value={<OutcomeLabel outcome={task.check.outcome} />}
        >
          <OutcomeChoices set={setOutcome} />
        </MenuField>
      )}
      <DateField
        savesEach
        ref={due}
        label="Due"
        value={task.dueOn}
        disabled={disabled}
        onChange={(dueOn) => set({ dueOn: dueOn || null })}
      />
      <TagsInput
        ref={labels}
        label="Labels"
        value={task.labels}
        maxTags={20}
        disabled={disabled}
        onChange={(labels) => set({ labels })}
      />
      <CustomFields
        objectType="task"
        values={writtenOf(task.fields)}
        savesEach
        disabled={disabled}
        onChange={(key, value) => set({ fields: { [key]: value } }, {})}
      />
    </div>
  )
}
