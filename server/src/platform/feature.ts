import type { Actor } from './auth/actor.ts'
import type { Config } from './config.ts'
import type { Transaction } from './database/transaction.ts'
import type { Platform, Route } from './http/context.ts'
import type { Webhook } from './http/webhook.ts'
import type { JobType } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MailTemplate } from './mail/template.ts'
import type { SearchPart } from './search/part.ts'
import type { TitleSource } from './titles.ts'
import type { Work, WorkKind } from './work/kinds.ts'

/** Who asked for a work. */
export type Asker = Pick<Actor, 'id' | 'organizationId' | 'address'>

/** Rebuilds actors for works; the features know keys and members. Undefined: not there any more. */
export interface ActorLocks {
  /** The key as it is now; nobody deletes it until the transaction ends. */
  lockKey(tx: Transaction, key: Asker): Promise<Actor | undefined>
  /** The member as the role is now; nobody takes it away until the transaction ends. */
  lockMember(tx: Transaction, member: Asker): Promise<Actor | undefined>
}

/** The platform of a process that does jobs. */
export interface Worker extends Platform {
  mailer: Mailer
  /** Every kind of mail that the features bring. */
  mailTemplates: readonly MailTemplate[]
  actors: ActorLocks
  /** Notes in the audit log that a work ended with the right of whoever asked for it. */
  onRightEnded(tx: Transaction, work: Work, reason: string): Promise<void>
}

/** A kind of work, and what does it. */
export interface Job {
  type: JobType<object>
  /** Cron expression (UTC) of the moments at which it is done without being asked for. */
  cron?: string
  /** Of one with a cron expression: it is done in safe mode, too, since it keeps rows in order and reaches nobody. */
  runsInSafeMode?: true
  /** How many are done at once, where settings say it; else the type does. */
  places?(config: Config): Pick<JobType<object>, 'perOrganization' | 'perProcess'>
  /** It neither stores nor removes files: a worker for such kinds alone need not be able to write to STORAGE_PATH. */
  writesNoFiles?: true
  /** False where a process that also answers requests leaves it to others, unless `SORTIE_JOBS` names it. */
  isOfAnsweringProcess?: boolean
  /**
   * A failure is tried again, as the type says.
   *
   * @param signal aborted when the job is another worker's by now, and when this process stops
   */
  run(worker: Worker, data: object, signal: AbortSignal): Promise<void>
}

/** Joins a kind of work with the function that does it. */
export const job = <Data extends object>(type: JobType<Data>, run: (worker: Worker, data: Data, signal: AbortSignal) => Promise<void>, cron?: string): Job => ({
  type,
  run,
  ...(cron !== undefined && { cron }),
})

/** The same for what keeps rows in order and reaches nobody: it is done in safe mode, too. */
export const housekeepingJob = <Data extends object>(type: JobType<Data>, run: (worker: Worker, data: Data) => Promise<void>, cron: string): Job => ({
  ...job(type, run, cron),
  runsInSafeMode: true,
})

/**
 * What a feature brings to the server: each is mounted, started and scheduled because it is named here.
 *
 * @typeParam Parts what is made once at start and handed to its routes
 */
export interface Feature<Parts = object> {
  name: string
  routes?(parts: Parts): readonly Route[]
  jobs?: readonly Job[]
  /** Long works, each with a row, progress and cancelling; see docs/long-work.md. */
  works?: readonly WorkKind[]
  mails?: readonly MailTemplate[]
  /** Empty where the configuration leaves them closed. */
  webhooks?(platform: Platform): Promise<readonly Webhook[]>
  /** Its objects, where others can link to them. */
  titles?: TitleSource
  /** Its objects, where they can be searched for. */
  search?: SearchPart
  /** Deletes what ended by time; runs every hour, in one process. */
  cleanUp?(platform: Platform): Promise<void>
}
