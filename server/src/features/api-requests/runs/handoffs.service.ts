import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { decrypt, encrypt, type Keys } from '../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import type { Platform, Writer } from '../../../platform/http/context.ts'
import type { JobType } from '../../../platform/jobs/jobs.ts'
import * as query from './handoffs.queries.ts'
import { endRun, type RunOutcome } from './perform.service.ts'
import type { Prepared, Source } from './prepare.service.ts'

/** The longest that a request may take, what is read of its answer, and room: after it nobody waits any more. */
const EXPIRES_AFTER_SECONDS = 180
/** Requests that a process sends at once: several times what one organization may (`REQUEST_RUNS_AT_ONCE`), so that one cannot take all places. */
const PER_PROCESS = 32

interface HandoffJob {
  organizationId: string
  runId: string
}

/** Never tried again: whether a request arrived is unknown where the process that sent it died. */
export const requestsJob: JobType<HandoffJob> = {
  name: 'requests',
  options: { retryLimit: 0, expireInSeconds: EXPIRES_AFTER_SECONDS, deleteAfterSeconds: 60 * 60 },
  perProcess: PER_PROCESS,
}

/** What the process that sends it needs to prepare it anew, with the rights and rules of its moment. */
export interface Handed {
  asker: Pick<Actor, 'kind' | 'id' | 'organizationId' | 'address'>
  source: Source
}

type Outcome = Pick<RunOutcome, 'hasSucceeded' | 'captured'>

const contextOf = (column: 'wanted' | 'outcome', { organizationId, runId }: HandoffJob) => `request_handoffs.${column} ${organizationId} ${runId}`

/** Both hold what people typed as variables and secrets, and what earlier requests of a sequence captured. */
const sealHanded = (keys: Keys, of: HandoffJob, handed: Handed): Buffer => encrypt(keys.encryption, JSON.stringify(handed), contextOf('wanted', of))

export const openHanded = (keys: Keys, of: HandoffJob, sealed: Buffer): Handed =>
  JSON.parse(decrypt(keys.encryption, sealed, contextOf('wanted', of))) as Handed

export const sealOutcome = (keys: Keys, of: HandoffJob, outcome: Outcome): Buffer => encrypt(keys.encryption, JSON.stringify(outcome), contextOf('outcome', of))

const openOutcome = (keys: Keys, of: HandoffJob, sealed: Buffer): Outcome => JSON.parse(decrypt(keys.encryption, sealed, contextOf('outcome', of))) as Outcome

/** Leaves a run that has begun to whoever sends requests (`npm run sortie -- worker --only requests`). */
export const handOver = async ({ keys, jobs }: Platform, tx: Transaction, actor: Actor, { source, engagementId }: Prepared, runId: string): Promise<void> => {
  const { kind, id, organizationId, address } = actor
  const handed: Handed = { asker: { kind, id, organizationId, address }, source }
  const wanted = sealHanded(keys, { organizationId, runId }, handed)
  await query.insertHandoff(tx, { run_id: runId, organization_id: organizationId, engagement_id: engagementId, wanted })
  await jobs.enqueue(tx, requestsJob, { organizationId, runId })
}

/** A process that sends requests takes the next one at once. */
const TAKEN_WITHIN_MS = 10_000
const LOOK_MS = { least: 20, most: 250 }

const NOBODY = 'No process took it: requests are sent by `npm run sortie -- worker --only requests`, and none is running, or all are busy.'

/**
 * Waits until a run that was handed over has ended.
 *
 * @param signal cancels it
 * @param onTaken from then on whoever sends it says that it is under way
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
      return found.outcome === null ? nothing : { runId, ...openOutcome(keys, { organizationId, runId }, found.outcome) }
    }
    if (found.taken_at !== null) onTaken()
    else if (clock.monotonic() - begunAt > TAKEN_WITHIN_MS && (await withdraw(writer, organizationId, engagementId, runId))) return nothing
    if (signal.aborted) await query.cancelHandoff(db, organizationId, runId, isoTime(clock.now()))
  }
}

/** @returns whether nobody sends it */
const withdraw = async (writer: Writer, organizationId: string, engagementId: string | null, runId: string): Promise<boolean> => {
  if (!(await transaction(writer.scopedTo(organizationId), (tx) => query.withdrawHandoff(tx, organizationId, runId)))) return false
  const columns = { state: 'failed' as const, reason: NOBODY, ended_at: isoTime(writer.clock.now()) }
  await endRun(writer, { organizationId }, engagementId, runId, columns, [])
  return true
}
