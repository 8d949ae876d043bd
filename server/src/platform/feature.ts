import type { FastifyInstance } from 'fastify'
import type { Actor } from './auth/actor.ts'
import type { Config } from './config.ts'
import type { Platform } from './context.ts'
import type { Transaction } from './database/transaction.ts'
import type { Dispatcher } from './http/routes/dispatch.ts'
import type { AuthGate } from './http/routes/doors.ts'
import type { Route } from './http/routes/route.ts'
import type { Webhook } from './http/routes/webhook.ts'
import type { JobType, Repeated } from './jobs/jobs.ts'
import type { BackgroundJob, LongRunningJob } from './jobs/kinds.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MailTemplate } from './mail/template.ts'
import type { SearchPart } from './search/part.ts'
import type { TitleSource } from './text/titles.ts'

/** The requester of a job. Without `ownerId`, the owner of a key is looked up. */
export type Requester = Pick<Actor, 'id' | 'organizationId' | 'address' | 'ownerId'>

/** Rebuilds actors for jobs; the features know keys and members. Undefined if it no longer exists. */
export interface ActorLocks {
  /** The key as it is now, locked against deletion until the transaction ends. */
  lockKey(tx: Transaction, key: Requester): Promise<Actor | undefined>
  /** The member with the current role, locked against revocation until the transaction ends. */
  lockMember(tx: Transaction, member: Requester): Promise<Actor | undefined>
}

/** The platform of a process that runs jobs. */
export interface Worker extends Platform {
  mailer: Mailer
  /** All mail templates of the features. */
  mailTemplates: readonly MailTemplate[]
  actors: ActorLocks
  /** Records in the audit log that a job ended because its requester lost the right to it. */
  onRightEnded(tx: Transaction, work: BackgroundJob, reason: string): Promise<void>
}

/** A kind of job, with the function that does it. */
export interface Job {
  type: JobType<object>
  /** Cron expression (UTC) of the times at which it runs by itself. */
  cron?: string
  /**
   * For one with a cron expression: it also runs in safe mode, because it only maintains rows and connects to nothing.
   */
  runsInSafeMode?: true
  /** Concurrency limits from the settings; without it, those of the type apply. */
  concurrency?(config: Config): Pick<JobType<object>, 'perOrganization' | 'perProcess'>
  /** It neither stores nor removes files: a worker for such kinds only does not need write access to STORAGE_PATH. */
  writesNoFiles?: true
  /** False if a process that also answers requests leaves it to others, unless `SORTIE_JOBS` names it. */
  runsInApiProcess?: boolean
  /**
   * A failed run is retried, as the type defines.
   *
   * @param signal aborted when another worker has taken over the job, and when this process stops
   */
  run(worker: Worker, data: object, signal: AbortSignal): Promise<void>
}

/** Work that every process with jobs repeats; `SORTIE_JOBS` can name it like a kind of job. */
export interface Loop {
  name: string
  open(worker: Worker): Omit<Repeated, 'name'>
}

/** Joins a kind of job with the function that does it. */
export const job = <Data extends object>(
  type: JobType<Data>,
  run: (worker: Worker, data: Data, signal: AbortSignal) => Promise<void>,
  cron?: string,
): Job => ({
  type,
  run,
  ...(cron !== undefined && { cron }),
})

/** Declares a job that only maintains rows and connects to nothing: it also runs in safe mode. */
export const housekeepingJob = <Data extends object>(
  type: JobType<Data>,
  run: (worker: Worker, data: Data) => Promise<void>,
  cron: string,
): Job => ({
  ...job(type, run, cron),
  runsInSafeMode: true,
})

/**
 * The parts that a feature adds to the server: each is mounted, started and scheduled because it is named here.
 *
 * @typeParam Parts made once at start and passed to its routes
 */
export interface Feature<Parts = object> {
  name: string
  routes?(parts: Parts): readonly Route[]
  jobs?: readonly Job[]
  loops?: readonly Loop[]
  /** Long-running jobs, each with a row, progress and cancelling; see docs/platform/background-jobs.md. */
  longRunningJobs?: readonly LongRunningJob[]
  mails?: readonly MailTemplate[]
  /** Empty if the configuration leaves them closed. */
  webhooks?(platform: Platform): Promise<readonly Webhook[]>
  /**
   * Opens another protocol at the door of the API keys. It calls endpoints of all features, each as a request with the
   * same key does.
   */
  mountProtocol?(http: FastifyInstance, platform: Platform, gate: AuthGate, dispatcher: Dispatcher): void
  /** Its objects that others can link to. */
  titles?: TitleSource
  /** Its objects that can be searched. */
  search?: SearchPart
  /** Deletes expired rows; runs every hour, in one process. */
  /** Encrypts with the newest `SESSION_SECRET` what the former one encrypted. */
  reseal?(platform: Platform): Promise<void>
  cleanUp?(platform: Platform): Promise<void>
}
