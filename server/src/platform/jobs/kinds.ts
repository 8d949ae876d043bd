import type { Guard } from '@sortie/contract/core/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Config } from '../config.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EventType } from '../events/announce.ts'
import type { Worker } from '../feature.ts'
import type { JobType } from './jobs.ts'

/** A long-running job as its feature sees it. */
export interface BackgroundJob {
  id: string
  kind: string
  organizationId: string
  engagementId: string | null
  /** The row of the feature that it is about. */
  subjectId: string
}

/** How a job ended. */
export interface JobEnd<Result = unknown> {
  state: 'succeeded' | 'failed' | 'cancelled'
  /** A sentence for people; null on success. */
  reason: string | null
  /** The return value of `run`; undefined if it did not return. */
  result: Result | undefined
}

/** A job while it runs. */
export interface RunningJob<By extends Actor | undefined = Actor> extends BackgroundJob {
  /** Number of workers that have started it: 1, unless one died or was stopped before. */
  attempt: number
  /**
   * Approximate progress of an earlier attempt, for display. A kind that resumes stores its position in its own rows.
   */
  done: number
  /**
   * Aborted within 2 seconds after a cancellation, the end of the right to the job, a takeover by another worker, or
   * the stop of this process. `run` then returns or throws; its return value does not count.
   */
  signal: AbortSignal
  /**
   * Runs one transaction of the job. Before `change` runs, the guard of the kind rebuilds the actor and locks its
   * right, and the engagement must be visible; a worker that has been replaced commits nothing. Keep it below a second.
   * It runs again after a deadlock.
   *
   * @throws JobStopped once `signal` is aborted
   */
  batch<T>(change: (tx: Transaction, actor: By) => Promise<T>): Promise<T>
  /**
   * Reports progress. Call it as often as you like: it is written once a second at most.
   *
   * @param total null while it is unknown
   */
  report(done: number, total: number | null): void
}

/**
 * `server`: acts for no one, for example a removal that must finish once started. Otherwise what the requester needs,
 * in an endpoint's terms.
 */
export type JobGuard = Guard | 'server'

/** How many of a kind run at the same time. */
interface Places {
  perOrganization: number
  perProcess: number
}

/** A kind of long-running job, with the function that does it. */
export interface LongRunningJob<Result = unknown, By extends Actor | undefined = Actor> {
  /** Name for `sortie worker --only`: `import`. */
  name: string
  guard: JobGuard
  /** Resumes after a worker died or was stopped; otherwise it ends as failed then. */
  resumes: boolean
  /**
   * Connects to targets of the users' choice: in safe mode it ends before it runs, as does one that was requested
   * before a safe mode.
   */
  sends?: boolean
  /** See `Job`. */
  writesNoFiles?: true
  /** Per organization, in all processes; 2 by default. */
  perOrganization?: number
  /** Per process; 2 by default. */
  perProcess?: number
  /** Both limits, if a setting of the operator defines them. */
  concurrency?(config: Config): Places
  /** The event that is announced on a change of state or progress, with the subject's id. */
  event?: EventType
  /**
   * Does the job. An ApiError below 500 ends it with its message; after any other error it is retried if the kind
   * resumes.
   */
  run(work: RunningJob<By>, worker: Worker): Promise<Result>
  /** Updates the feature's own row, in the transaction that ends the job; also if the job never ran. */
  onEnd?(tx: Transaction, work: BackgroundJob, end: JobEnd<Result>): Promise<void>
}

/** Declares a kind of long-running job that acts for its requester. */
export const longRunningJob = <Result>(kind: LongRunningJob<Result> & { guard: Guard }): LongRunningJob => kind

/** Declares a kind that the server runs by itself, whatever happens to the person who caused it. */
export const serverJob = <Result>(kind: Omit<LongRunningJob<Result, undefined>, 'guard'>): LongRunningJob =>
  ({ ...kind, guard: 'server' }) as unknown as LongRunningJob

/** Why a job does not continue. */
export class JobStopped extends Error {
  readonly why: 'cancelled' | 'right ended' | 'replaced' | 'process stops'

  constructor(why: JobStopped['why'], message: string = why) {
    super(message)
    this.name = 'JobStopped'
    this.why = why
  }
}

export interface QueuedBackgroundJob {
  organizationId: string
  backgroundJobId: string
}

/** Jobs of a kind that run for an organization at the same time, unless the kind defines it. */
const PER_ORGANIZATION = 2
/** A worker without a heartbeat for this long is dead. The check runs every 15 seconds: noticed within 60 seconds. */
const HEARTBEAT_SECONDS = 20
/** The limit of the queue: a longer job is resumed, as after the death of a worker. */
const MAX_ATTEMPT_SECONDS = 24 * 60 * 60

export const placesOf = (
  { perOrganization = PER_ORGANIZATION, perProcess, concurrency }: LongRunningJob,
  config: Config,
): { perOrganization: number; perProcess?: number } =>
  concurrency?.(config) ?? { perOrganization, ...(perProcess !== undefined && { perProcess }) }

/** The queue of a kind. The job's row decides about retries, so the queue itself never gives up. */
export const queueJobType = ({
  name,
  perOrganization = PER_ORGANIZATION,
  perProcess,
}: LongRunningJob): JobType<QueuedBackgroundJob> => ({
  name: `work-${name}`,
  options: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: MAX_ATTEMPT_SECONDS,
  },
  perOrganization,
  ...(perProcess !== undefined && { perProcess }),
})
