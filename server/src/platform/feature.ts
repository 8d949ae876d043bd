import type { Platform, Route } from './http/context.ts'
import type { Webhook } from './http/webhook.ts'
import type { JobType } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MailTemplate } from './mail/template.ts'

/** The platform of a process that does jobs. */
export interface Worker extends Platform {
  mailer: Mailer
  /** Every kind of mail that the features bring. */
  mailTemplates: readonly MailTemplate[]
}

/** A kind of work, and what does it. */
export interface Job {
  type: JobType<object>
  /** Cron expression (UTC) of the moments at which it is done without being asked for. */
  cron?: string
  /** A failure is tried again, as the type says. */
  run(worker: Worker, data: object): Promise<void>
}

/** Joins a kind of work with the function that does it. */
export const job = <Data extends object>(type: JobType<Data>, run: (worker: Worker, data: Data) => Promise<void>, cron?: string): Job => ({
  type,
  run,
  ...(cron !== undefined && { cron }),
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
  mails?: readonly MailTemplate[]
  /** Empty where the configuration leaves them closed. */
  webhooks?(platform: Platform): Promise<readonly Webhook[]>
  /** Deletes what ended by time; runs every hour, in one process. */
  cleanUp?(platform: Platform): Promise<void>
}
