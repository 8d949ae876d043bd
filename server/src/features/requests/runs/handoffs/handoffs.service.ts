import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { isoTime } from '../../../../platform/clock.ts'
import type { Platform, Writer } from '../../../../platform/context.ts'
import { decrypt, encrypt, type Keys } from '../../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../../platform/database/transaction.ts'
import type { JobType } from '../../../../platform/jobs/jobs.ts'
import { endRun, type RunOutcome } from '../execute/perform.service.ts'
import type { Prepared, RequestSource } from '../execute/prepare.service.ts'
import * as query from './handoffs.queries.ts'

/** Maximum time of a request and of reading its response, plus a margin. Afterwards no caller waits. */
const EXPIRES_AFTER_SECONDS = 180
/**
 * Simultaneous requests per process: several times the limit of an organization (`REQUEST_RUNS_AT_ONCE`), so that one
 * organization cannot use all slots.
 */
const PER_PROCESS = 32

interface HandoffJob {
  organizationId: string
  runId: string
}

/** Never retried: if the sending process dies, it is unknown whether the request arrived. */
export const requestsJob: JobType<HandoffJob> = {
  name: 'requests',
  options: { retryLimit: 0, expireInSeconds: EXPIRES_AFTER_SECONDS, deleteAfterSeconds: 60 * 60 },
  perProcess: PER_PROCESS,
}

/** The data from which the sending process prepares the request again, with its current permissions and rules. */
export interface Handed {
  asker: Pick<Actor, 'kind' | 'id' | 'organizationId' | 'address'>
  source: RequestSource
}

type HandoffOutcome = Pick<RunOutcome, 'hasSucceeded' | 'captured'>

const contextOf = (column: 'wanted' | 'outcome', { organizationId, runId }: HandoffJob) =>
  `request_handoffs.${column} ${organizationId} ${runId}`

/** Both contain entered variables and secrets, and captures of earlier requests of a sequence. */
const sealHanded = (keys: Keys, of: HandoffJob, handed: Handed): Buffer =>
  encrypt(keys.encryption, JSON.stringify(handed), contextOf('wanted', of))

export const openHanded = (keys: Keys, of: HandoffJob, sealed: Buffer): Handed =>
  JSON.parse(decrypt(keys.encryption, sealed, contextOf('wanted', of))) as Handed

export const sealOutcome = (keys: Keys, of: HandoffJob, outcome: HandoffOutcome): Buffer =>
  encrypt(keys.encryption, JSON.stringify(outcome), contextOf('outcome', of))

const openOutcome = (keys: Keys, of: HandoffJob, sealed: Buffer): HandoffOutcome =>
  JSON.parse(decrypt(keys.encryption, sealed, contextOf('outcome', of))) as HandoffOutcome

/** Hands a started run over to the processes that send requests (`npm run operator -- worker --only requests`). */
export const handOver = async (
  { keys, jobs }: Platform,
  tx: Transaction,
  actor: Actor,
  { source, engagementId }: Prepared,
  runId: string,
): Promise<void> => {
  const { kind, id, organizationId, address } = actor
  const handed: Handed = { asker: { kind, id, organizationId, address }, source }
  const wanted = sealHanded(keys, { organizationId, runId }, handed)
  await query.insertHandoff(tx, { run_id: runId, organization_id: organizationId, engagement_id: engagementId, wanted })
  await jobs.enqueue(tx, requestsJob, { organizationId, runId })
}

/** Such a process normally claims a run at once. */
const TAKEN_WITHIN_MS = 10_000
const LOOK_MS = { least: 20, most: 250 }

const NOBODY =
  'No process took it: requests are sent by `npm run operator -- worker --only requests`, and none is running, or all are busy.'

/**
 * Waits until a handed-over run has ended.
 *
 * @param signal cancels the run
 * @param onTaken called once a process has claimed the run and keeps it alive
 */
export const waitForHandoff = async (
  writer: Writer,
  { organizationId }: Actor,
  engagementId: string | null,
  runId: string,
  signal: AbortSignal,
  onTaken: () => void,
): Promise<RunOutcome> => {
  const { clock, keys } = writer
  const db = writer.scopedTo(organizationId)
  const nothing = { runId, hasSucceeded: false, captured: {} }
  const begunAt = clock.monotonic()
  for (let pause = LOOK_MS.least; ; pause = Math.min(LOOK_MS.most, pause * 1.2)) {
    await sleep(pause)
    const found = await query.findHandoff(db, organizationId, runId)
    if (!found) return nothing
    if (found.outcome !== null || found.has_ended) {
      await query.deleteHandoff(db, organizationId, runId)
      return found.outcome === null
        ? nothing
        : { runId, ...openOutcome(keys, { organizationId, runId }, found.outcome) }
    }
    if (found.taken_at !== null) onTaken()
    else if (
      clock.monotonic() - begunAt > TAKEN_WITHIN_MS &&
      (await withdraw(writer, organizationId, engagementId, runId))
    )
      return nothing
    if (signal.aborted) await query.cancelHandoff(db, organizationId, runId, isoTime(clock.now()))
  }
}

/** @returns true if no process sends it */
const withdraw = async (
  writer: Writer,
  organizationId: string,
  engagementId: string | null,
  runId: string,
): Promise<boolean> => {
  if (!(await transaction(writer.scopedTo(organizationId), (tx) => query.withdrawHandoff(tx, organizationId, runId))))
    return false
  const columns = { state: 'failed' as const, reason: NOBODY, ended_at: isoTime(writer.clock.now()) }
  await endRun(writer, { organizationId }, engagementId, runId, columns, [])
  return true
}
