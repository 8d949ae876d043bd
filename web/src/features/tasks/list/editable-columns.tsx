import type { ReactNode } from 'react'
import { type CellField, DayField, EditableCell, SelectField } from '../../../ui/grid/cells/EditableCell.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import {
  PRIORITY_LABELS,
  type Priority,
  PriorityLabel,
  STATUS_LABELS,
  type Status,
  type Task,
  TaskStatusLabel,
} from '../labels.tsx'
import { useAssignees } from '../use-assignees.ts'
import { useSetTask } from '../use-set-task.ts'
import { Due } from './columns.tsx'

const NOBODY = ''
const STATUS_OPTIONS = optionsOf(STATUS_LABELS)
const PRIORITY_OPTIONS = optionsOf(PRIORITY_LABELS)

const StatusCell = ({ stored }: { stored: Task }) => {
  const { task, set } = useSetTask(stored)
  return (
    <EditableCell
      label={`status of ${task.title}`}
      value={task.status}
      onChange={(status) => set({ status: status as Status })}
      field={(field) => <SelectField {...field} options={STATUS_OPTIONS} />}
    >
      <TaskStatusLabel status={task.status} />
    </EditableCell>
  )
}

const PriorityCell = ({ stored }: { stored: Task }) => {
  const { task, set } = useSetTask(stored)
  return (
    <EditableCell
      label={`priority of ${task.title}`}
      value={task.priority}
      onChange={(priority) => set({ priority: priority as Priority })}
      field={(field) => <SelectField {...field} options={PRIORITY_OPTIONS} />}
    >
      {task.priority !== 'none' && <PriorityLabel priority={task.priority} />}
    </EditableCell>
  )
}

const AssigneeCell = ({ stored }: { stored: Task }) => {
  const { task, set } = useSetTask(stored)
  const assign = (assignee: Task['assignee']) => set({ assigneeId: assignee?.id ?? null }, { assignee })
  return (
    <EditableCell
      label={`assignee of ${task.title}`}
      value={task.assignee?.id ?? NOBODY}
      onChange={() => undefined}
      field={(field) => <AssigneeField {...field} task={task} onAssign={assign} />}
    >
      {task.assignee && <Person name={task.assignee.name} />}
    </EditableCell>
  )
}

/** Loads members with access and agents on first use. */
const AssigneeField = ({
  task,
  onAssign,
  ...field
}: CellField & { task: Task; onAssign: (assignee: Task['assignee']) => void }) => {
  const people = new Map(useAssignees(task.engagementId).map(({ id, name }) => [id, name]))
  if (task.assignee) people.set(task.assignee.id, task.assignee.name)
  const options = [{ value: NOBODY, label: 'Unassigned' }, ...[...people].map(([value, label]) => ({ value, label }))]
  return (
    <SelectField
      {...field}
      options={options}
      onTake={(id) => onAssign(id === NOBODY ? null : { id, name: people.get(id) ?? '' })}
    />
  )
}

const DueCell = ({ stored }: { stored: Task }) => {
  const { task, set } = useSetTask(stored)
  return (
    <EditableCell
      label={`due day of ${task.title}`}
      value={task.dueOn ?? ''}
      onChange={(day) => set({ dueOn: day || null })}
      field={(field) => <DayField {...field} />}
    >
      {task.dueOn && <Due task={task} />}
    </EditableCell>
  )
}

const CELLS: Record<string, (task: Task) => ReactNode> = {
  status: (task) => <StatusCell stored={task} />,
  priority: (task) => <PriorityCell stored={task} />,
  assignee: (task) => <AssigneeCell stored={task} />,
  dueOn: (task) => <DueCell stored={task} />,
}

/** Makes the cells of the columns editable. */
export const editable = (columns: readonly GridColumn<Task>[]): GridColumn<Task>[] =>
  columns.map((column) => ({ ...column, cell: CELLS[column.id] ?? column.cell }))
