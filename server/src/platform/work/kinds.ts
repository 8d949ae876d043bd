import type { Guard } from '@sortie/contract/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Config } from '../config.ts'
import type { Transaction } from '../database/transaction.ts'
import type { EventType } from '../events/announce.ts'
import type { Worker } from '../feature.ts'
import type { JobType } from '../jobs/jobs.ts'

/** A long work as its feature sees it. */
export interface Work {
  id: string
  kind: string
  organizationId: string
  engagementId: string | null
  /** The row of the feature that it is about. */
  subjectId: string
}

/** How a work ended. */
export interface WorkEnd<Result = unknown> {
  state: 'succeeded' | 'failed' | 'cancelled'
  /** A sentence for people; null where it succeeded. */
  reason: string | null
  /** What `run` returned; undefined where it did not. */
  result: Result | undefined
}

/** A work while it is done. */
export interface RunningWork<By extends Actor | undefined = Actor> extends Work {
  /** Counts the workers that took it up: 1, unless one died or was stopped before. */
  attempt: number
  /** About where an earlier attempt stood: for people. What is to be taken up again keeps its place in its own rows. */
  done: number
  /**
   * Aborted within 2 seconds when somebody cancels, the right to it ends, another worker has taken it up, or this process
   * stops. `run` returns or throws then; what it returns does not count.
   */
  signal: AbortSignal
  /**
   * One transaction of the work. Before `change` runs, the actor is rebuilt and held by the guard of the kind, and the
   * engagement must be visible; a worker that has been replaced commits nothing. Keep it below a second. After a deadlock
   * it runs again.
   *
   * @throws WorkStopped once `signal` is aborted
   */
  batch<T>(change: (tx: Transaction, actor: By) => Promise<T>): Promise<T>
  /**
   * Where the work stands. Call it as often as you like: it is written once a second at most.
   *
   * @param total null while nobody knows
   */
  report(done: number, total: number | null): void
}

/** `server`: acts for nobody, as a removal that must end once it was begun. Else what the requester needs, as an endpoint says it. */
export type WorkGuard = Guard | 'server'

/** How many of a kind are done at once. */
interface Places {
  perOrganization: number
  perProcess: number
}

/** A kind of long work, and what does it. */
export interface WorkKind<Result = unknown, By extends Actor | undefined = Actor> {
  /** As in `sortie worker --only`: `import`. */
  name: string
  guard: WorkGuard
  /** Whether it is taken up again where a worker died or was stopped; else it ends as failed then. */
  resumes: boolean
  /** Reaches what people name: in safe mode it ends before it runs, and so does what was asked for before a safe mode. */
  sends?: boolean
  /** As in `Job`. */
  writesNoFiles?: true
  /** Of one organization at once, in all processes; 2 by default. */
  perOrganization?: number
  /** In one process at once; 2 by default. */
  perProcess?: number
  /** Both, where a setting of the operator says it. */
  places?(config: Config): Places
  /** What is announced when its state or its progress changes, with the subject's id. */
  event?: EventType
  /** Does it. An ApiError below 500 ends the work with its message; any other error is tried again where the kind resumes. */
  run(work: RunningWork<By>, worker: Worker): Promise<Result>
  /** Brings the feature's own row in line, in the transaction that ends the work; also where it never ran. */
  onEnd?(tx: Transaction, work: Work, end: WorkEnd<Result>): Promise<void>
}

/** Declares a kind of long work that acts for whoever asked for it. */
export const workKind = <Result>(kind: WorkKind<Result> & { guard: Guard }): WorkKind => kind

/** Declares one that the server does by itself, whatever becomes of the person who caused it. */
export const serverWorkKind = <Result>(kind: Omit<WorkKind<Result, undefined>, 'guard'>): WorkKind => ({ ...kind, guard: 'server' }) as unknown as WorkKind

/** Why a work goes no further. */
export class WorkStopped extends Error {
  readonly why: 'cancelled' | 'right ended' | 'replaced' | 'process stops'

  constructor(why: WorkStopped['why'], message: string = why) {
    super(message)
    this.name = 'WorkStopped'
    this.why = why
  }
}

export interface WorkJob {
  organizationId: string
  workId: string
}

/** Works of a kind that run for an organization at once, where the kind says nothing else. */
const PER_ORGANIZATION = 2
/** Without a sign of life for this long, looked at every 15 seconds, a worker is dead: noticed within 60 seconds. */
const HEARTBEAT_SECONDS = 20
/** What the queue allows: longer work is taken up again, as after the death of a worker. */
const MAX_ATTEMPT_SECONDS = 24 * 60 * 60

export const placesOf = (
  { perOrganization = PER_ORGANIZATION, perProcess, places }: WorkKind,
  config: Config,
): { perOrganization: number; perProcess?: number } => places?.(config) ?? { perOrganization, ...(perProcess !== undefined && { perProcess }) }

/** The queue of a kind. Whether a work is tried again is decided by its row, so the queue itself never gives up. */
export const workJobType = ({ name, perOrganization = PER_ORGANIZATION, perProcess }: WorkKind): JobType<WorkJob> => ({
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
