import path from 'node:path'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { type DiskSpace, readDiskSpace } from '../../../platform/files/disk-space.ts'
import { type QueueLoad, readQueueLoads } from '../../../platform/jobs/queue-counts.ts'
import { countWorkers, type WorkerCounts } from '../../../platform/jobs/worker-beats.ts'
import { getMailSummary } from '../../mails/mails.queries.ts'
import {
  type BackgroundJobCount,
  countBackgroundJobs,
  countWebhooks,
  type DatabaseUse,
  readDatabaseUse,
  type WebhookCounts,
} from './facts.queries.ts'

/** What the database says of the instance. */
export interface Facts {
  database: DatabaseUse
  workers: WorkerCounts
  queues: readonly QueueLoad[]
  backgroundJobs: readonly BackgroundJobCount[]
  mails: Awaited<ReturnType<typeof getMailSummary>>
  webhooks: WebhookCounts
}

/** However often it is scraped, a process asks the database no more often than this. */
const LIFETIME_MS = 15_000
/** After a failure. */
const RETRY_MS = 2_000
/** Older failures are not counted. */
const DAY_MS = 24 * 60 * 60 * 1000

/** Remembers the result of `read` for some seconds. While a read is under way, all callers wait for it. */
const remembered = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined
  let endsAt = 0
  return () => {
    if (known === undefined || performance.now() >= endsAt) {
      endsAt = Number.POSITIVE_INFINITY
      known = read()
      known.then(
        () => (endsAt = performance.now() + LIFETIME_MS),
        () => (endsAt = performance.now() + RETRY_MS),
      )
    }
    return known
  }
}

/** One statement after the other: metrics take no connections from requests. */
export const rememberedFacts = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): (() => Promise<Facts>) =>
  remembered(async () => {
    const since = isoTime(clock.now() - DAY_MS)
    return {
      workers: await countWorkers(db),
      queues: await readQueueLoads(db),
      backgroundJobs: await countBackgroundJobs(db, since),
      mails: await getMailSummary(db, since),
      webhooks: await countWebhooks(db),
      database: await readDatabaseUse(db),
    }
  })

/** The disks whose space this process sees. */
export const readDisks = async ({
  config,
  storage: files,
}: Pick<Platform, 'config' | 'storage'>): Promise<Record<string, DiskSpace>> => {
  const storage = files.kind === 'directory' ? await readDiskSpace(files.name) : undefined
  const database = config.DATABASE_URL ? undefined : await readDiskSpace(path.join(config.DATA_DIR, 'postgres'))
  return { ...(storage && { storage }), ...(database && { database }) }
}
