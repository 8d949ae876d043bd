import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../auth/actor.ts'
import { requirementOf, requirePermission } from '../auth/guard.ts'
import { EVERY_ROW } from '../database/scope/tenant-scope.ts'
import { enterView, type Transaction, transaction } from '../database/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Worker } from '../feature.ts'
import { announceBackgroundJob, toBackgroundJob } from './end.ts'
import { type RunningJob, type LongRunningJob, JobStopped } from './kinds.ts'
import {
  type Claim,
  findClaim,
  isBackgroundJobVisible,
  lockClaimForShare,
  type BackgroundJobRow,
  writeProgress,
} from './rows.ts'

/** Interval between checks of the row, each of which may write the progress. */
const LOOK_INTERVAL_MS = 1_000

interface Progress {
  done: number
  total: number | null
}

interface Claimed extends Claim, Progress {
  row: BackgroundJobRow
}

/** One attempt at a job: checks every second that it is still needed, and writes its progress. */
export class BackgroundJobSession {
  readonly #worker: Worker
  readonly #kind: LongRunningJob
  readonly #claimed: Claimed
  readonly #stopper = new AbortController()
  readonly signal: AbortSignal
  #current: Progress
  #written: Progress

  /** @param claimSignal aborted when the job is no longer this worker's, or its process stops */
  constructor(worker: Worker, kind: LongRunningJob, claimed: Claimed, claimSignal: AbortSignal) {
    this.#worker = worker
    this.#kind = kind
    this.#claimed = claimed
    this.#current = { done: claimed.done, total: claimed.total }
    this.#written = this.#current
    this.signal = this.#stopper.signal
    const onClaimLost = () => this.stop(new JobStopped('process stops'))
    if (claimSignal.aborted) onClaimLost()
    else claimSignal.addEventListener('abort', onClaimLost, { once: true })
  }

  /** The argument of the kind's `run`. */
  get handle(): RunningJob<Actor | undefined> {
    const { row, attempt, done } = this.#claimed
    return {
      ...toBackgroundJob(row),
      attempt,
      done,
      signal: this.signal,
      batch: (change) => this.#batch(change),
      report: (done, total) => {
        this.#current = { done, total }
      },
    }
  }

  /** Reports whether this attempt got further than earlier ones. */
  get gotFurther(): boolean {
    return this.#written.done > Number(this.#claimed.row.furthest)
  }

  stop(reason: JobStopped): void {
    this.#stopper.abort(reason)
  }

  /** Checks the row every second until the session stops or `ended` is aborted; then once more. */
  async watch(ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !this.signal.aborted) {
      await sleep(LOOK_INTERVAL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
      try {
        await this.#look()
      } catch (error) {
        // By the next check or batch, the database may answer again.
        this.#worker.log.warn({ err: error, work: this.#claimed.id }, 'a running job could not be checked')
      }
    }
  }

  /** Writes and announces the progress, if it has changed. */
  async #look(): Promise<void> {
    const db = this.#worker.scopedTo(this.#claimed.row.organization_id, EVERY_ROW)
    const { done, total } = this.#current
    if (done === this.#written.done && total === this.#written.total)
      return this.#stopIfEnded(await findClaim(db, this.#claimed))
    const claim = await transaction(db, async (tx) => {
      const written = await writeProgress(tx, this.#claimed, done, total)
      if (written) await announceBackgroundJob(tx, this.#kind, toBackgroundJob(this.#claimed.row))
      return written
    })
    this.#written = { done, total }
    this.#stopIfEnded(claim)
  }

  #stopIfEnded(claim: { cancel_requested_at: string | null } | undefined): void {
    if (!claim) this.stop(new JobStopped('replaced'))
    else if (claim.cancel_requested_at !== null) this.stop(new JobStopped('cancelled'))
  }

  async #batch<T>(change: (tx: Transaction, actor: Actor | undefined) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted()
    try {
      return await transaction(this.#worker.scopedTo(this.#claimed.row.organization_id), async (tx) => {
        const actor = await this.#authorize(tx)
        const result = await change(tx, actor)
        // In whatever view: the row of a job in an engagement that was just deleted says that it was cancelled.
        if (this.#claimed.row.engagement_id !== null) await enterView(tx, EVERY_ROW)
        // Last in the lock order: nothing commits for a worker that has been replaced, or a job that was cancelled.
        this.#stopIfEnded(await lockClaimForShare(tx, this.#claimed))
        this.signal.throwIfAborted()
        return result
      })
    } catch (error) {
      if (error instanceof JobStopped) this.stop(error)
      throw error
    }
  }

  /**
   * The actor with its current rights, locked until the transaction ends, in the actor's own view.
   *
   * @throws JobStopped if the right has ended
   */
  async #authorize(tx: Transaction): Promise<Actor | undefined> {
    const { row } = this.#claimed
    const { guard } = this.#kind
    if (guard === 'server') return undefined
    const actor = await this.#findActor(tx, row)
    if (!actor) throw rightEnded(`${row.actor_name} no longer has access to the organization.`)
    try {
      requirePermission(actor, requirementOf(guard, this.#worker.config))
    } catch (error) {
      throw error instanceof ApiError ? rightEnded(`${row.actor_name} may no longer do this.`) : error
    }
    await enterView(tx, actor.viewer)
    if (!(await isBackgroundJobVisible(tx, row.id)))
      throw rightEnded(`${row.actor_name} no longer sees the engagement.`)
    return actor
  }

  async #findActor(tx: Transaction, row: BackgroundJobRow): Promise<Actor | undefined> {
    if (row.actor_kind === null || row.actor_id === null) return undefined
    const asker = { id: row.actor_id, organizationId: row.organization_id, address: row.actor_address ?? '' }
    return row.actor_kind === 'key' ? this.#worker.actors.lockKey(tx, asker) : this.#worker.actors.lockMember(tx, asker)
  }
}

const rightEnded = (message: string) => new JobStopped('right ended', message)
