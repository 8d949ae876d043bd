import type { Output } from '@sortie/client/calls.ts'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'

export type Task = Output<'listTasks'>['data'][number]
export type Status = Task['status']
export type Priority = Task['priority']
export type CheckOutcome = NonNullable<Task['check']>['outcome']

export const STATUS_LABELS: Record<Status, string> = {
  open: 'Open',
  in_progress: 'In progress',
  blocked: 'Blocked',
  done: 'Done',
  cancelled: 'Cancelled',
}
export const PRIORITY_LABELS: Record<Priority, string> = {
  none: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  urgent: 'Urgent',
}
export const OUTCOME_LABELS: Record<CheckOutcome, string> = {
  untested: 'Untested',
  pass: 'Pass',
  fail: 'Fail',
  not_applicable: 'Not applicable',
}

const STATUS_TONES: Record<Status, Tone> = {
  open: 'quiet',
  in_progress: 'busy',
  blocked: 'warn',
  done: 'good',
  cancelled: 'quiet',
}
const PRIORITY_TONES: Record<Priority, Tone> = {
  none: 'quiet',
  low: 'quiet',
  medium: 'busy',
  high: 'warn',
  urgent: 'bad',
}

export const TaskStatusLabel = ({ status }: { status: Status }) => (
  <StatusLabel tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</StatusLabel>
)

/** Empty for a task without a priority. */
export const PriorityLabel = ({ priority }: { priority: Priority }) =>
  priority === 'none' ? null : <StatusLabel tone={PRIORITY_TONES[priority]}>{PRIORITY_LABELS[priority]}</StatusLabel>

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `Dec 4, 2026` */
export const formatDue = (dueOn: string): string => DAY.format(new Date(`${dueOn}T00:00:00Z`))

/** The due date has passed, and the task is not done. */
export const isLate = ({ dueOn, status }: Pick<Task, 'dueOn' | 'status'>): boolean =>
  dueOn !== null && status !== 'done' && status !== 'cancelled' && dueOn < new Date().toISOString().slice(0, 10)

/** Reads that become stale when tasks change. */
export const staleReads = (organizationId: string) =>
  (['listTasks', 'getTask', 'countTasks', 'listTaskHistory', 'getEngagementOverview', 'getCoverage'] as const).map(
    (name) => [organizationId, name] as const,
  )
