import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { findDelivery } from '../../code-hosting/code-hosting.queries.ts'
import { findEngagement, lockEngagementForShare } from '../../engagements/engagements.queries.ts'
import { consumeNumbers } from '../order/numbers.queries.ts'
import { taskOrder } from '../order/task-order.ts'
import { recordTask } from '../record-task.service.ts'
import { countTasks, insertTasks, lockTask, updateTask } from '../tasks.queries.ts'
import { completedAt, isOver, laterThan } from '../tasks.service.ts'
import { type Issue, readIssue } from './issue.ts'
import * as query from './issues.queries.ts'

interface TaskOwner {
  organizationId: string
  engagementId: string
}

type Parts = Pick<Platform, 'db' | 'scopedTo' | 'clock' | 'config' | 'log'>

/**
 * Creates a task for an opened issue, once, and closes it with the issue: for deliveries that arrive twice or late, the
 * issue's own time of its newest change decides. Without an engagement, or in an archived one, nothing happens.
 */
export const applyIssue = async (parts: Parts, { deliveryId }: { deliveryId: string }): Promise<void> => {
  const delivery = await findDelivery(parts.db, deliveryId)
  const issue = delivery?.payload && readIssue(delivery.action, delivery.payload.toString())
  if (!delivery || !issue) return
  const { organization_id: organizationId, issues_engagement_id: named } = delivery
  await transaction(parts.scopedTo(organizationId), async (tx) => {
    await acquireFairLocks(tx, { exclusive: [`issue ${organizationId} ${issue.id}`] })
    const known = await query.findIssue(tx, organizationId, issue.id)
    const engagementId = known?.engagement_id ?? named
    if (engagementId === null) return
    await lockEngagementForShare(tx, organizationId, engagementId)
    const engagement = await findEngagement(tx, organizationId, engagementId)
    if (!engagement || engagement.status === 'archived') return
    await follow(parts, tx, { organizationId, engagementId }, issue, known)
  })
}

const follow = async (
  parts: Parts,
  tx: Transaction,
  place: TaskOwner,
  issue: Issue,
  known: Awaited<ReturnType<typeof query.findIssue>>,
): Promise<void> => {
  const { organizationId, engagementId } = place
  const isNewer =
    !known ||
    issue.updatedAt > known.issue_updated_at ||
    (issue.updatedAt === known.issue_updated_at && issue.action !== 'opened')
  const status = isNewer ? issue.status : known.status
  const isFirst = issue.action === 'opened' && !known?.was_opened
  if (!isNewer && !isFirst) return
  const taskId = isFirst ? await addTask(parts, tx, place, issue, status) : (known?.task_id ?? null)
  if (!isFirst && taskId !== null) await setStatus(parts.clock, tx, place, taskId, status)
  await query.upsertIssue(tx, {
    organization_id: organizationId,
    engagement_id: engagementId,
    issue_id: issue.id,
    task_id: taskId,
    was_opened: isFirst || (known?.was_opened ?? false),
    status,
    issue_updated_at: isNewer ? issue.updatedAt : known.issue_updated_at,
  })
}

const BY = 'code hosting'

/** @returns null if the engagement is full */
const addTask = async (
  { clock, config, log }: Parts,
  tx: Transaction,
  place: TaskOwner,
  issue: Issue,
  status: Issue['status'],
): Promise<string | null> => {
  const { organizationId, engagementId } = place
  await taskOrder.lock(tx, place)
  if ((await countTasks(tx, organizationId, engagementId, config.TASK_LIMIT)) >= config.TASK_LIMIT) {
    log.warn({ engagement: engagementId }, 'no task was created for an issue: its engagement has reached TASK_LIMIT')
    return null
  }
  const [position] = await taskOrder.lastPositions(tx, place, 1)
  const now = clock.now()
  const id = newId('tsk', now)
  const { title, description, labels } = issue
  await insertTasks(tx, [
    {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      title,
      description,
      status,
      priority: 0,
      labels,
      position: position as string,
      number: await consumeNumbers(tx, organizationId, engagementId, 1),
      completed_at: isOver(status) ? isoTime(now) : null,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    },
  ])
  await recordTask(tx, { system: BY, organizationId }, clock, {
    action: 'task.created',
    change: 'created',
    taskId: id,
    engagementId,
    after: { title, status },
  })
  return id
}

const setStatus = async (
  clock: Clock,
  tx: Transaction,
  { organizationId, engagementId }: TaskOwner,
  taskId: string,
  status: Issue['status'],
): Promise<void> => {
  const task = await lockTask(tx, organizationId, taskId)
  if (!task || task.status === status) return
  await updateTask(tx, organizationId, taskId, {
    status,
    completed_at: completedAt(status, task, clock),
    updated_at: laterThan(task, clock),
  })
  const changed = { before: { status: task.status }, after: { status } }
  await recordTask(tx, { system: BY, organizationId }, clock, {
    action: 'task.changed',
    change: 'updated',
    taskId,
    engagementId,
    ...changed,
  })
}
