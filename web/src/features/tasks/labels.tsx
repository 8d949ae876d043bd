import type { Output } from '@sortie/client/calls.ts'
import { type Level, LevelLabel } from '../../ui/feedback/LevelLabel.tsx'
import { type Shape, StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'

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
const STATUS_SHAPES: Record<Status, Shape> = {
  open: 'ring',
  in_progress: 'half',
  blocked: 'alert',
  done: 'check',
  cancelled: 'cross',
}

export const TaskStatusLabel = ({ status }: { status: Status }) => (
  <StatusLabel tone={STATUS_TONES[status]} shape={STATUS_SHAPES[status]}>
    {STATUS_LABELS[status]}
  </StatusLabel>
)

const OUTCOME_TONES: Record<CheckOutcome, Tone> = {
  untested: 'quiet',
  pass: 'good',
  fail: 'bad',
  not_applicable: 'quiet',
}
const OUTCOME_SHAPES: Record<CheckOutcome, Shape> = {
  untested: 'ring',
  pass: 'check',
  fail: 'cross',
  not_applicable: 'dash',
}

export const OutcomeLabel = ({ outcome }: { outcome: CheckOutcome }) => (
  <StatusLabel tone={OUTCOME_TONES[outcome]} shape={OUTCOME_SHAPES[outcome]}>
    {OUTCOME_LABELS[outcome]}
  </StatusLabel>
)

const LEVELS: Record<Exclude<Priority, 'none'>, Level> = { low: 1, medium: 2, high: 3, urgent: 4 }

/** Empty for a task without a priority. */
export const PriorityLabel = ({ priority }: { priority: Priority }) =>
  priority === 'none' ? null : <LevelLabel level={LEVELS[priority]}>{PRIORITY_LABELS[priority]}</LevelLabel>

/** The due date has passed, and the task is not done. */
export const isLate = ({ dueOn, status }: Pick<Task, 'dueOn' | 'status'>): boolean =>
  dueOn !== null && status !== 'done' && status !== 'cancelled' && dueOn < new Date().toISOString().slice(0, 10)

/** Reads that become stale when tasks change. */
export const staleReads = (organizationId: string) =>
  (['listTasks', 'getTask', 'countTasks', 'listTaskHistory', 'getEngagementOverview', 'getCoverage'] as const).map(
    (name) => [organizationId, name] as const,
  )
