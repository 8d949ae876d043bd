import type { COMPONENT_STATUSES, COMPONENTS } from '@sortie/contract/organization/instance.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Storage } from '../../platform/files/storage.ts'
import type { QueueCounts } from '../../platform/jobs/jobs.ts'
import type { WorkerCounts } from '../../platform/jobs/worker-beats.ts'
import type { DatabaseTrouble } from './database-trouble.ts'

/** The health of a part of the instance. */
export interface Component {
  name: (typeof COMPONENTS)[number]
  status: (typeof COMPONENT_STATUSES)[number]
  message: string
}

const HOUR_MS = 60 * 60 * 1000
/** A due job starts within seconds: after this time no worker is running it. */
const LATE_MS = 5 * 60 * 1000
/** Older failed mails are ignored. */
export const MAIL_MEMORY_MS = 24 * HOUR_MS

interface MailSummary {
  waiting: number
  troubled: number
  failed: number
  last_error: string | null
}

/** @param trouble why files cannot be written and read now */
export const storageComponent = (storage: Pick<Storage, 'name'>, trouble: string | undefined): Component => ({
  name: 'storage',
  status: trouble === undefined ? 'ok' : 'degraded',
  message: trouble === undefined ? `Files can be written to ${storage.name} and read.` : `${trouble}.`,
})

/** The outbox shows if mails get through: a separate probe could succeed while mails fail. */
export const mailComponent = (
  { SMTP_URL, DATA_DIR }: Pick<Config, 'SMTP_URL' | 'DATA_DIR'>,
  mails: MailSummary,
): Component => {
  const destination = SMTP_URL
    ? `Mails go to ${new URL(SMTP_URL).host}.`
    : `SMTP_URL is not set: mails are written to files in ${DATA_DIR}/mail.`
  if (mails.troubled > 0)
    return {
      name: 'mail',
      status: 'unavailable',
      message: `${destination} ${mails.troubled} are waiting for a retry: ${mails.last_error}`,
    }
  if (mails.failed > 0)
    return {
      name: 'mail',
      status: 'degraded',
      message: `${destination} ${mails.failed} failed within a day: ${mails.last_error}`,
    }
  return {
    name: 'mail',
    status: 'ok',
    message: `${destination} ${mails.waiting === 0 ? 'None waiting.' : `${mails.waiting} waiting.`}`,
  }
}

export const jobsComponent = (clock: Clock, queues: readonly QueueCounts[], workers: WorkerCounts): Component => {
  if (workers.alive === 0)
    return { name: 'jobs', status: 'degraded', message: 'No process runs jobs: scans, imports and mails wait.' }

  const late = queues.filter(
    ({ oldest_waiting_at }) => oldest_waiting_at !== null && oldest_waiting_at < isoTime(clock.now() - LATE_MS),
  )
  if (late.length > 0)
    return {
      name: 'jobs',
      status: 'degraded',
      message: `Waiting for more than five minutes: ${late.map(({ name }) => name).join(', ')}.`,
    }
  if (workers.silent.length > 0)
    return {
      name: 'jobs',
      status: 'degraded',
      message: `Jobs run, but not in every process; these died or hang: ${workers.silent.join(', ')}.`,
    }
  return { name: 'jobs', status: 'ok', message: 'Jobs run when they are due.' }
}

export const redisComponent = (config: Pick<Config, 'REDIS_URL'>, isDegraded: boolean): Component => {
  if (!config.REDIS_URL)
    return { name: 'redis', status: 'off', message: 'REDIS_URL is not set: each server counts rate limits for itself.' }
  if (isDegraded)
    return {
      name: 'redis',
      status: 'unavailable',
      message: 'Redis does not answer: each server counts rate limits for itself until it does.',
    }
  return { name: 'redis', status: 'ok', message: 'Rate limits are shared between processes.' }
}

/** @param trouble why it stores nothing, if it answers and does not (O13) */
export const databaseComponent = (
  version: string,
  milliseconds: number,
  trouble: DatabaseTrouble | undefined,
): Component => ({
  name: 'database',
  status: trouble ? 'degraded' : 'ok',
  message: trouble?.message ?? `Postgres ${version} answered within ${Math.max(1, Math.round(milliseconds))} ms.`,
})

/** A daily backup is never this old. */
const LATE_BACKUP_MS = 48 * HOUR_MS

export const backupComponent = (clock: Clock, takenAt: string | undefined): Component => {
  const name = 'backup'
  if (takenAt === undefined)
    return { name, status: 'off', message: 'No backup of this database was made with "npm run operator -- backup".' }
  const hours = Math.max(0, Math.floor((clock.now() - Date.parse(takenAt)) / HOUR_MS))
  const message = `The last backup holds the state of ${takenAt.slice(0, 16).replace('T', ' ')} UTC, ${hours} hours ago.`
  return { name, status: clock.now() - Date.parse(takenAt) > LATE_BACKUP_MS ? 'degraded' : 'ok', message }
}
