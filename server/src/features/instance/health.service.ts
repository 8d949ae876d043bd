import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import type { Refusals } from '../../platform/database/connection/refusals.ts'
import { countJobs, type JobType } from '../../platform/jobs/jobs.ts'
import { countWorkers } from '../../platform/jobs/worker-beats.ts'
import { BUILD } from '../../platform/version.ts'
import { getMailSummary } from '../mails/mails.queries.ts'
import {
  backupComponent,
  type Component,
  databaseComponent,
  jobsComponent,
  MAIL_MEMORY_MS,
  mailComponent,
  redisComponent,
  storageComponent,
} from './components.ts'
import { findDatabaseTrouble } from './database-trouble.ts'
import { getInstance, type InstanceRow } from './instance.queries.ts'
import { findLastBackup } from './last-backup.queries.ts'

/** What the health of the parts is read from. */
export interface HealthParts {
  platform: Platform
  /** Counts requests in Redis, unless that does not answer. */
  limiter: { readonly isDegraded: boolean }
  refusals: Refusals
  /** Job types whose queues are counted. */
  jobTypes: readonly JobType<object>[]
}

/** Reads the health of each part, with a sentence about it. */
export const readComponents = async ({
  platform,
  limiter,
  refusals,
  jobTypes,
}: HealthParts): Promise<{ instance: InstanceRow; components: Component[] }> => {
  const { db, clock, config, storage } = platform
  const askedAt = clock.monotonic()
  const instance = await getInstance(db)
  const milliseconds = clock.monotonic() - askedAt
  const [mails, queues, workers, last, trouble, storageTrouble] = await Promise.all([
    getMailSummary(db, isoTime(clock.now() - MAIL_MEMORY_MS)),
    countJobs(db, jobTypes),
    countWorkers(db),
    findLastBackup(db),
    findDatabaseTrouble(platform, refusals),
    storage.trouble(),
  ])
  const components = [
    databaseComponent(instance.postgres_version, milliseconds, trouble),
    storageComponent(storage, storageTrouble),
    mailComponent(config, mails),
    jobsComponent(clock, queues, workers),
    redisComponent(config, limiter.isDegraded),
    backupComponent(clock, last?.taken_at),
  ]
  return { instance, components }
}

/** Versions and parts for `/api/health?verbose`: `degraded` if a part does not work. */
export const describeHealth = async (parts: HealthParts) => {
  const { instance, components } = await readComponents(parts)
  const isWell = components.every(({ status }) => status === 'ok' || status === 'off')
  return {
    status: isWell ? ('ok' as const) : ('degraded' as const),
    ...BUILD,
    schema: instance.schema_version,
    components,
  }
}
