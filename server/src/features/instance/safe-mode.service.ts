import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import { requireSoleUse } from '../../platform/files/beat.ts'
import type { SafeModeState } from '../../platform/safe-mode/safe-mode.ts'
import { endSafeMode, lockSafeMode } from '../../platform/safe-mode/state.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { countWaitingMails, hastenMails, holdWaitingMails, releaseHeldMails } from '../mails/mails.service.ts'
import { countPending } from './instance.queries.ts'

/** Counts of what `go-live` would start, and what it would not. */
export interface Pending {
  /** Written since safe mode started: they are sent. */
  newMails: number
  /** From before: they are held unless requested. */
  oldMails: number
  /** Scan schedules, which start scans again from their next time on. */
  schedules: number
  /** Unfinished scans from before: they end without running. */
  scans: number
}

export interface SafeModeReport {
  isOn: boolean
  isForced: boolean
  reason: string | null
  since: string | null
  pending: Pending
}

/** The state of the instance, for the decision to go live. */
export const reportSafeMode = async ({ db, safeMode }: Pick<Platform, 'db' | 'safeMode'>): Promise<SafeModeReport> => {
  const state = await safeMode.find()
  const pending = await countAll(db, state)
  if (!state?.isOn) return { isOn: false, isForced: false, reason: null, since: null, pending }
  const { isForced, reason, since } = state
  return { isOn: true, isForced, reason, since, pending }
}

const countAll = async (db: Platform['db'], state: SafeModeState | undefined): Promise<Pending> => {
  const { older, newer, held } = await countWaitingMails(db, state?.since ?? isoTime(0))
  return { newMails: newer, oldMails: older + held, ...(await countPending(db)) }
}

export interface WentLive {
  heldMails: number
  releasedMails: number
}

/**
 * Ends safe mode. Mails from before it are held, unless `sendWaitingMail`; those written during it are sent. Does
 * nothing if the instance is already live.
 *
 * @throws ApiError CONFLICT if `SAFE_MODE=true` enforces it, and while another server uses the same file directory
 */
export const goLive = async (writer: Writer, by: AuditedBy, sendWaitingMail: boolean): Promise<WentLive> => {
  const { change, clock, config, jobs } = writer
  if (config.SAFE_MODE)
    throw conflict(
      'SAFE_MODE=true keeps this instance in safe mode: remove it from the settings, and restart every process.',
    )
  await requireSoleUse(writer)
  const wentLive = await change(async (tx) => {
    const state = await lockSafeMode(tx)
    if (!state) return { heldMails: 0, releasedMails: 0 }
    const releasedMails = sendWaitingMail ? await releaseHeldMails(tx) : 0
    const heldMails = sendWaitingMail ? 0 : await holdWaitingMails(tx, state.since)
    await endSafeMode(tx, isoTime(clock.now()))
    await hastenMails(tx, jobs)
    await recordAudit(tx, by, clock, {
      action: 'instance.went-live',
      object: { type: 'instance', id: 'instance' },
      before: { safeModeSince: state.since, reason: state.reason },
      after: { heldMails, releasedMails },
    })
    return { heldMails, releasedMails }
  })
  writer.safeMode.forget()
  return wentLive
}
