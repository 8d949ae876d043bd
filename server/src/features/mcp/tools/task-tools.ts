import { getCoverage } from '@sortie/contract/tasks/coverage.ts'
import { listMethodologies } from '@sortie/contract/tasks/methodologies.ts'
import { OUTCOMES, getTask, listTasks, updateTask } from '@sortie/contract/tasks/tasks.ts'
import { type Actor, authorOf } from '../../../platform/auth/actor.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { engagementLink } from '../resources/addresses.ts'
import { inputOf } from './input.ts'
import { listAnswer } from './pages.ts'
import type { Tool } from './tool.ts'
import { listed } from './untrusted.ts'

/** Gaps of one answer. */
const MAX_GAPS = 200

interface Coverage {
  items: { key: string; title: string; group: string }[]
  targets: { id: string; value: string | null }[]
  cells: { itemKey: string; targetId: string | null; taskId: string; status: string; outcome: string }[]
  sums: unknown
  missing: number
}

export const TASK_TOOLS: readonly Tool[] = [
  {
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Lists the tasks of an engagement with their description, checklist and, for a task of a methodology, its check and outcome. `status: ["open"]` are those to claim.',
    endpoints: [listTasks],
    input: inputOf([listTasks], { omit: ['trashed'], required: ['engagementId'] }),
    run: async ({ call, args }) => ({
      value: listAnswer('list_tasks', args, await call(listTasks, args)),
      links: engagementLink(args['engagementId'], 'brief'),
    }),
  },
  {
    name: 'claim_task',
    title: 'Claim a task',
    description:
      'Takes an open task that has no assignee or is assigned to you: you become its assignee, and its status becomes `in_progress`. Claim before you work on it; a claimed task is a conflict.',
    endpoints: [getTask, updateTask],
    required: [getTask, updateTask],
    input: inputOf([getTask]),
    run: async ({ actor, call, args }) => {
      const { data: task } = await call(getTask, args)
      const self = assigneeOf(actor)
      if (task.assignee !== null && task.assignee.id !== self) throw conflict('This task already has an assignee.')
      if (task.status !== 'open') throw conflict(`This task is ${task.status}.`)
      // Of two claims at the same time, the second was made from a task that has changed.
      const change = { ...args, status: 'in_progress', ifUpdatedAt: task.updatedAt, ...(self && { assigneeId: self }) }
      const { data } = await call(updateTask, change)
      return { value: { data }, links: engagementLink(data.engagementId, 'brief') }
    },
  },
  {
    name: 'record_outcome',
    title: 'Record an outcome',
    description:
      'Records the outcome of a check (`pass`, `fail`, `not_applicable`) on a task of a methodology, and completes the task. Only for tasks that have a `check`.',
    endpoints: [getTask, updateTask],
    required: [getTask, updateTask],
    input: inputOf([getTask], {
      add: { outcome: { type: 'string', enum: OUTCOMES.filter((outcome) => outcome !== 'untested') } },
      required: ['taskId', 'outcome'],
    }),
    run: async ({ call, args: { taskId, outcome } }) => {
      const { data: task } = await call(getTask, { taskId })
      if (task.check === null) throw invalid('taskId: this task has no check, and so no outcome')
      if (outcome === 'untested') throw invalid('outcome: must be pass, fail or not_applicable')
      const { data } = await call(updateTask, { taskId, outcome, status: 'done', ifUpdatedAt: task.updatedAt })
      return { value: { data }, links: engagementLink(data.engagementId, 'brief') }
    },
  },
  {
    name: 'coverage_gaps',
    title: 'Coverage gaps',
    description:
      'Lists the checks of a methodology that no one has an outcome for, by target, and how many have no task yet. Without methodologyId it lists the methodologies.',
    endpoints: [getCoverage, listMethodologies],
    input: inputOf([getCoverage], { omit: ['format'], required: ['engagementId'] }),
    run: async ({ call, args }) => {
      const links = engagementLink(args['engagementId'], 'brief')
      if (args['methodologyId'] === undefined) {
        const { data } = await call(listMethodologies, { perPage: 100 })
        const methodologies = data.map(({ id, name, itemCount }: Record<string, unknown>) => ({ id, name, itemCount }))
        return { value: { methodologies, hint: 'Call coverage_gaps again with one of these as methodologyId.' }, links }
      }
      const coverage = (await call(getCoverage, args)).data as Coverage
      return { value: gapsOf(coverage), links }
    },
  },
]

/** Who works with a key: its agent, or the person within whose rights it acts; null for a key of the organization. */
const assigneeOf = (actor: Actor): string | null => authorOf(actor) ?? actor.ownerId ?? null

const gapsOf = ({ items, targets, cells, sums, missing }: Coverage) => {
  const titles = new Map(items.map(({ key, title }) => [key, title]))
  const values = new Map(targets.map(({ id, value }) => [id, value]))
  const untested = cells.filter(({ outcome, status }) => outcome === 'untested' && status !== 'cancelled')
  return {
    sums,
    withoutTask: missing,
    total: untested.length,
    gaps: untested.slice(0, MAX_GAPS).map(({ itemKey, targetId, taskId, status }) =>
      listed(
        {
          itemKey,
          title: titles.get(itemKey),
          taskId,
          status,
          targetId,
          target: (targetId !== null && values.get(targetId)) || null,
        },
        ['target'],
      ),
    ),
  }
}
