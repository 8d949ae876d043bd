import type { Person } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Worker } from '../../platform/feature.ts'
import { newId } from '../../platform/ids.ts'
import { hastenJobs, type Jobs, type JobType, PERSISTENT, PutOff } from '../../platform/jobs/jobs.ts'
import { renderMail } from '../../platform/mail/layout.ts'
import type { SafeMode } from '../../platform/safe-mode/safe-mode.ts'
import { recordAudit } from '../audit/audit.service.ts'
import * as query from './mails.queries.ts'

/** How long a mail server may be down before a mail fails. */
export const MAIL_DEADLINE_MS = 7 * 24 * 60 * 60 * 1000

/** Retention of sent, failed and cancelled mails. */
const MAIL_RETENTION_MS = 90 * 24 * 60 * 60 * 1000
/** Keeps each statement short, however many there are. */
const DELETED_AT_ONCE = 1_000

/** Retried so often that a recovered mail server is noticed within a minute. */
export const deliverMail: JobType<{ mailId: string }> = {
  name: 'deliver-mail',
  options: { ...PERSISTENT, retryLimit: 20_000 },
}

/** Fields that mails of one kind to several recipients share. */
interface SharedByMails {
  organizationId: string | null
  kind: string
  /** Delay; undefined sends at once. */
  afterSeconds?: number
  /** Reason why they are held back, for instance administrators. To the user who caused them, they look sent. */
  heldBack?: string
}

interface OneMail {
  recipient: string
  /** The object that the mail is about. */
  subjectId: string | null
  /** Values that the template cannot look up; never a secret. */
  data: Record<string, unknown>
}

export type NewMail = SharedByMails & OneMail

/** Adds a mail to the outbox: it is sent if and only if `tx` commits. */
export const queueMail = (tx: Transaction, jobs: Jobs, clock: Clock, mail: NewMail): Promise<void> =>
  queueMails(tx, jobs, clock, mail, [mail])

/** Mails to a former address of an account that are not sent yet go to its new one. */
export const forwardWaitingMails = (tx: Transaction, from: string, to: string): Promise<void> =>
  query.forwardMails(tx, from, to)

/** Adds several mails, in two statements. */
export const queueMails = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  { organizationId, kind, afterSeconds, heldBack }: SharedByMails,
  all: readonly OneMail[],
): Promise<void> => {
  if (all.length === 0) return
  const now = clock.now()
  const rows = all.map(({ recipient, subjectId, data }) => ({
    id: newId('mal', now),
    recipient,
    subject_id: subjectId,
    data: JSON.stringify({ ...data, ...(heldBack !== undefined && { heldBack }) }),
  }))
  await query.insertMails(tx, { organization_id: organizationId, kind, created_at: isoTime(now) }, rows)
  const work = rows.map(({ id }) => ({ mailId: id }))
  await jobs.enqueueAll(tx, deliverMail, work, afterSeconds)
}

/** Adds a line to the `lines` of those of these mails that were not sent. @returns the ids of those */
export const appendLine = async (
  tx: Transaction,
  mailIds: readonly string[],
  line: string,
): Promise<ReadonlySet<string>> => new Set(mailIds.length === 0 ? [] : await query.appendLine(tx, mailIds, line))

/**
 * Requeues a failed mail at an instance administrator's request.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for a mail that has not failed, and in safe mode
 */
export const retryMail = async (
  { change, clock, jobs, safeMode }: Writer,
  person: Person,
  mailId: string,
): Promise<void> => {
  await safeMode.requireLive()
  return change(async (tx) => {
    const mail = await query.lockMail(tx, mailId)
    if (!mail) throw notFound()
    if (mail.status !== 'failed') throw conflict(`This email is ${mail.status}: only a failed one can be sent again.`)
    await query.updateMail(tx, mailId, { status: 'queued', attempts: 0, last_error: null })
    await jobs.enqueue(tx, deliverMail, { mailId })
    await recordAudit(tx, { person }, clock, {
      action: 'mail.retried',
      object: { type: 'mail', id: mailId },
      before: { status: 'failed' },
      after: { status: 'queued' },
    })
  })
}

/**
 * Makes one delivery attempt. Skips a mail that was sent, cancelled or failed, so that a job that runs twice sends it
 * once. Its message id never changes: if the server dies after the mail was accepted, a repetition is recognisable.
 *
 * @throws to be retried later; in safe mode, it always throws
 */
export const deliver = async (worker: Omit<Worker, 'actors' | 'onRightEnded'>, mailId: string): Promise<void> => {
  const { db, clock, config, log, mailer, mailTemplates, safeMode } = worker
  if (!(await isLiveNow(safeMode))) throw new PutOff()
  const mail = await query.findMail(db, mailId)
  if (mail?.status !== 'queued') return
  const template = mailTemplates.find(({ kind }) => kind === mail.kind)
  if (!template) throw new Error(`there is no template for mails of kind ${mail.kind}`)
  const content = await template.render(worker, mail)
  const attempts = mail.attempts + 1
  if (!content) {
    await query.updateMail(db, mailId, { status: 'cancelled', last_error: null })
    return
  }
  const { heldBack } = mail.data as { heldBack?: string }
  if (heldBack !== undefined) {
    // With the time at which it would have been sent.
    await query.updateMail(db, mailId, { status: 'cancelled', last_error: heldBack, sent_at: isoTime(clock.now()) })
    return
  }
  try {
    const host = new URL(config.FRONTEND_URL).hostname
    const destination = await mailer.send({
      messageId: `<${mailId}@${host}>`,
      to: mail.recipient,
      ...renderMail(content),
    })
    await query.updateMail(db, mailId, { status: 'sent', attempts, last_error: null, sent_at: isoTime(clock.now()) })
    log.info({ mail: mailId, kind: mail.kind, destination }, 'mail sent')
  } catch (error) {
    const reason = reasonOf(error)
    const final = isRefusal(error) || clock.now() - Date.parse(mail.created_at) > MAIL_DEADLINE_MS
    await query.updateMail(db, mailId, { status: final ? 'failed' : 'queued', attempts, last_error: reason })
    log.warn({ mail: mailId, kind: mail.kind, attempts, reason, final }, 'mail not sent')
    if (!final) throw error
  }
}

/**
 * Checks again without the cache: go-live starts waiting jobs while the cached state of a second ago may still be
 * "safe", and they would then wait for up to a minute.
 */
const isLiveNow = async (safeMode: SafeMode): Promise<boolean> => {
  if (await safeMode.isLive()) return true
  safeMode.forget()
  return safeMode.isLive()
}

/** 5xx for the recipient or the content: the server will never accept this mail. Refused credentials may be fixed. */
const isRefusal = (error: unknown): boolean => {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return (
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode < 600 &&
    (code === 'EENVELOPE' || code === 'EMESSAGE')
  )
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)

export const deleteOldMails = async (db: Database, clock: Clock): Promise<void> => {
  const before = isoTime(clock.now() - MAIL_RETENTION_MS)
  while ((await query.deleteMailsBefore(db, before, DELETED_AT_ONCE)) === DELETED_AT_ONCE) continue
}

/** Shown in the outbox for a mail that came from a backup or a copy. */
const HELD =
  'It was waiting when the backup was made, or when safe mode began, and may have been sent since. If it was not, send it again.'

/**
 * Holds waiting mails: they count as failed, and are sent if an instance administrator retries them.
 *
 * @param before only those created before this time (ISO 8601); undefined holds all
 * @returns how many waited
 */
export const holdWaitingMails = (tx: Transaction, before?: string): Promise<number> =>
  query.failWaitingMails(tx, HELD, before)

/** Requeues held mails. @returns how many */
export const releaseHeldMails = (tx: Transaction): Promise<number> => query.requeueMails(tx, HELD)

/** @param since when safe mode started (ISO 8601): `older` and held mails are from before it */
export const countWaitingMails = (db: Database, since: string) => query.countWaitingMails(db, since, HELD)

/** Makes waiting mails due now, including those that have waited for longer than the queue keeps a job. */
export const hastenMails = async (tx: Transaction, jobs: Jobs): Promise<void> => {
  const known = new Set((await hastenJobs(tx, deliverMail)).map(({ mailId }) => mailId))
  const lost = (await query.listWaitingIds(tx)).filter((id) => !known.has(id))
  await jobs.enqueueAll(
    tx,
    deliverMail,
    lost.map((mailId) => ({ mailId })),
  )
}

/** Mails that wait for an address are not sent. */
export const cancelWaitingMailsTo = (tx: Transaction, recipient: string): Promise<void> =>
  query.cancelWaitingMails(tx, recipient)
