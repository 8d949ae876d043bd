import { type Actor, authorOf, isAgentId } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { listRecentMails } from '../account-emails/account-emails.queries.ts'
import { appendLine, queueMails } from '../mails/mails.service.ts'
import * as query from './notifications.queries.ts'

/** An event, with the object that it is about. */
type Event =
  | { kind: 'mention' | 'comment'; engagementId: string; object: query.NoticeObject; commentId: string }
  | { kind: 'assignment' | 'reopened'; engagementId: string; object: query.NoticeObject; tasks: number }

/**
 * Comments are mailed to those who want mails of mentions, findings that are open again to those who want mails of
 * assignments.
 */
const PREFERENCES = {
  mention: 'notify_mentions',
  comment: 'notify_mentions',
  assignment: 'notify_assignments',
  reopened: 'notify_assignments',
} as const

export const NOTICE_MAIL = 'task-notices'
/** After a mail, further events within this time are collected into one more. */
const COLLECTING_MS = 5 * 60 * 1000
/** A mail that is due this soon collects nothing more: longer than any transaction can last. */
const CLOSING_MS = 30_000

/**
 * Notifies members of an event that concerns them, and mails those who want it: the first one at once, those of the
 * next five minutes in one mail. Members are not notified of their own actions, nor twice of one comment.
 *
 * @param assigneeIds members who see the engagement; agents among them read their tasks and get no notice
 */
export const notify = async (
  tx: Transaction,
  { jobs, clock }: Pick<Writer, 'jobs' | 'clock'>,
  by: Actor,
  assigneeIds: readonly string[],
  event: Event,
): Promise<void> => {
  const notified = 'commentId' in event ? await query.listNotified(tx, by.organizationId, event.commentId) : []
  const others = assigneeIds.filter((id) => !isAgentId(id) && id !== by.id && !notified.includes(id))
  if (others.length === 0) return
  const now = clock.now()
  const { kind, engagementId, object } = event
  const notices = others.map((userId) => ({
    id: newId('ntf', now),
    organization_id: by.organizationId,
    engagement_id: engagementId,
    user_id: userId,
    kind,
    [`${object.type}_id`]: object.id,
    comment_id: 'commentId' in event ? event.commentId : null,
    tasks: 'tasks' in event ? event.tasks : 1,
    by_id: authorOf(by),
    by_name: by.name,
    created_at: isoTime(now),
  }))
  await query.insertNotices(tx, notices)
  const recipients = await query.listMailRecipients(tx, others, PREFERENCES[kind])
  // The readers of one comment share the line that names it.
  if ('commentId' in event) return mailLine(tx, { jobs, clock }, by.organizationId, recipients, event.commentId)
  for (const { id, user_id } of notices) {
    await mailLine(
      tx,
      { jobs, clock },
      by.organizationId,
      recipients.filter((recipient) => recipient.id === user_id),
      id,
    )
  }
}

interface Recipient {
  id: string
  name: string
  email: string
}

/** The line names the mail's object; its content is read when the mail is sent. */
const mailLine = async (
  tx: Transaction,
  { jobs, clock }: Pick<Writer, 'jobs' | 'clock'>,
  organizationId: string,
  recipients: readonly Recipient[],
  line: string,
): Promise<void> => {
  if (recipients.length === 0) return
  const now = clock.now()
  const addresses = recipients.map(({ email }) => email)
  const recent = await listRecentMails(tx, organizationId, NOTICE_MAIL, addresses, isoTime(now - COLLECTING_MS))
  const collecting = recent.filter(({ due_at }) => due_at !== null && Date.parse(due_at) > now + CLOSING_MS)
  const extended = await appendLine(
    tx,
    collecting.map(({ id }) => id),
    line,
  )
  const lastOf = new Map(recent.map(({ recipient, id }) => [recipient, id]))
  const left = recipients.filter(({ email }) => !extended.has(lastOf.get(email) ?? ''))
  const mailTo = (some: typeof left, collected: { dueAt?: string }) =>
    some.map(({ id, name, email }) => ({
      recipient: email,
      subjectId: id,
      data: { name, lines: [line], ...collected },
    }))
  const first = left.filter(({ email }) => !lastOf.has(email))
  const next = left.filter(({ email }) => lastOf.has(email))
  await queueMails(tx, jobs, clock, { organizationId, kind: NOTICE_MAIL }, mailTo(first, {}))
  await queueMails(
    tx,
    jobs,
    clock,
    { organizationId, kind: NOTICE_MAIL, afterSeconds: COLLECTING_MS / 1000 },
    mailTo(next, { dueAt: isoTime(now + COLLECTING_MS) }),
  )
}

interface Chosen {
  ids?: readonly string[] | undefined
  taskId?: string | undefined
  resultId?: string | undefined
  findingId?: string | undefined
  reportId?: string | undefined
  all?: boolean | undefined
}

/**
 * @returns how many were unread. @throws ApiError VALIDATION_ERROR unless exactly one of ids, an object and `all: true`
 *   is given
 */
export const readNotices = (
  { change, clock }: Writer,
  { organizationId, id: userId }: Actor,
  { ids, taskId, resultId, findingId, reportId, all }: Chosen,
): Promise<number> => {
  const objects = Object.entries({ task: taskId, result: resultId, finding: findingId, report: reportId }).flatMap(
    ([type, id]) => (id === undefined ? [] : [{ type: type as query.NoticeObject['type'], id }]),
  )
  if ([ids !== undefined, all === true].filter(Boolean).length + objects.length !== 1) {
    throw invalid('ids: exactly one of ids, taskId, resultId, findingId, reportId and all: true is required')
  }
  return change((tx) => query.markRead(tx, organizationId, userId, ids, objects[0], isoTime(clock.now())))
}

const RETENTION_MS = 90 * 24 * 60 * 60 * 1000
const DELETED_AT_ONCE = 1_000

export const deleteOldNotices = async (db: Database, clock: Clock): Promise<void> => {
  const before = isoTime(clock.now() - RETENTION_MS)
  while ((await query.deleteNoticesBefore(db, before, DELETED_AT_ONCE)) === DELETED_AT_ONCE) continue
}
