import type { Input } from '@sortie/client/calls.ts'
import { TASK_PRIORITIES, TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { PeopleChoices } from '../../../shell/fields/PeopleChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { ChoiceItem, type MenuShortcut } from '../../../ui/dialogs/DropdownMenu.tsx'
import { RowMenu } from '../../../ui/grid/cells/RowMenu.tsx'
import { IconFlag, IconUser } from '../../../ui/icons.tsx'
import { IconCheckbox, IconTag } from '../../../ui/page-icons.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import {
  type CheckOutcome,
  OutcomeLabel,
  type Priority,
  PriorityLabel,
  type Status,
  staleReads,
  TaskStatusLabel,
} from '../labels.tsx'

type BulkSet = NonNullable<Input<'bulkUpdateTasks'>['body']>['set']

const shortcut = (field: string, key: string, icon: NonNullable<MenuShortcut['icon']>): MenuShortcut => ({
  id: `task-${field}`,
  label: `Set ${field}`,
  group: 'Tasks',
  icon,
  key,
})

/** The same letters as for results. */
export const STATUS_SHORTCUT = shortcut('status', 's', IconFlag)
export const PRIORITY_SHORTCUT = shortcut('priority', 'v', IconTag)
export const ASSIGNEE_SHORTCUT = shortcut('assignee', 'a', IconUser)
export const OUTCOME_SHORTCUT = shortcut('outcome', 'o', IconCheckbox)

const STATUS_KEYS: Record<Status, string> = { open: 'O', in_progress: 'P', blocked: 'B', done: 'D', cancelled: 'C' }
/** As in the matrix of a methodology. */
const OUTCOME_KEYS: Record<CheckOutcome, string> = { untested: 'U', pass: 'P', fail: 'F', not_applicable: 'N' }
const PRIORITY_KEYS: Record<Priority, string> = { none: '0', low: '1', medium: '2', high: '3', urgent: '4' }

export const StatusChoices = ({ set }: { set: (change: { status: Status }) => void }) =>
  TASK_STATUSES.map((status) => (
    <ChoiceItem key={status} hint={STATUS_KEYS[status]} onClick={() => set({ status })}>
      <TaskStatusLabel status={status} />
    </ChoiceItem>
  ))

export const PriorityChoices = ({ set }: { set: (change: { priority: Priority }) => void }) =>
  TASK_PRIORITIES.map((priority) => (
    <ChoiceItem key={priority} hint={PRIORITY_KEYS[priority]} onClick={() => set({ priority })}>
      {priority === 'none' ? 'None' : <PriorityLabel priority={priority} />}
    </ChoiceItem>
  ))

export const OutcomeChoices = ({ set }: { set: (outcome: CheckOutcome) => void }) =>
  OUTCOMES.map((outcome) => (
    <ChoiceItem key={outcome} hint={OUTCOME_KEYS[outcome]} onClick={() => set(outcome)}>
      <OutcomeLabel outcome={outcome} />
    </ChoiceItem>
  ))

export const AssigneeChoices = ({ set }: { set: (change: { assigneeId: string | null }) => void }) => (
  <PeopleChoices onChoose={(assigneeId) => set({ assigneeId })} />
)

/** Menus of the active row: S its status, V its priority, A its assignee, I assigns it to the user. */
export const TaskMenus = ({ taskId }: { taskId: string | undefined }) => {
  const organization = useOrganization()
  const update = useApiMutation(organization.id, 'bulkUpdateTasks', {
    invalidates: staleReads(organization.id),
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (values: BulkSet) => {
    if (taskId === undefined) return toastError('No task is selected. Move to one with J and K.')
    return update.mutate({ body: { ids: [taskId], set: values } })
  }
  useAssignToMe({ id: 'task-mine', group: 'Tasks', onAssign: (assigneeId) => set({ assigneeId }) })
  return (
    <>
      <RowMenu shortcut={STATUS_SHORTCUT}>
        <StatusChoices set={set} />
      </RowMenu>
      <RowMenu shortcut={PRIORITY_SHORTCUT}>
        <PriorityChoices set={set} />
      </RowMenu>
      <RowMenu shortcut={ASSIGNEE_SHORTCUT}>
        <AssigneeChoices set={set} />
      </RowMenu>
    </>
  )
}
