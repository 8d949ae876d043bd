import type { Platform } from '../../../platform/context.ts'
import type { Refusals } from '../../../platform/database/connection/refusals.ts'
import type { Metrics, Sample } from '../../../platform/metrics.ts'
import { BUILD } from '../../../platform/version.ts'
import { findDatabaseTrouble } from '../database-trouble.ts'
import { measureBackups } from './backup-metrics.ts'
import { type Facts, readDisks, rememberedFacts } from './facts.ts'

const sample = (value: number, labels: Sample['labels'] = {}): Sample => ({ value, labels })

/** Measures the whole instance: every process reports the same. No label has a name that people chose. */
export const measureInstance = (
  metrics: Metrics,
  { platform, refusals }: { platform: Platform; refusals: Refusals },
): void => {
  const facts = rememberedFacts(platform)
  const ofFacts = (name: string, help: string, read: (facts: Facts) => readonly Sample[]) =>
    metrics.gauges(name, help, async () => read(await facts()))

  metrics.gauges('sortie_build_info', 'The version and commit of the process; always 1.', async () => [
    sample(1, { version: BUILD.version, commit: BUILD.commit ?? '' }),
  ])
  measureBackups(metrics, platform)
  metrics.gauges('sortie_database_disk_full', '1 while the disk of the database is full.', async () => [
    sample((await findDatabaseTrouble(platform, refusals))?.isDiskFull ? 1 : 0),
  ])
  metrics.gauges(
    'sortie_database_refuses_changes',
    '1 while the database stores nothing, because its disk is full or because it is read-only.',
    async () => [sample((await findDatabaseTrouble(platform, refusals)) ? 1 : 0)],
  )
  metrics.gauge('sortie_storage_up', '1 while files can be written and read.', async () =>
    (await platform.storage.trouble()) === undefined ? 1 : 0,
  )
  ofFacts('sortie_database_bytes', 'Size of the database.', ({ database }) => [sample(database.bytes)])
  ofFacts(
    'sortie_database_server_connections',
    'Connections of all clients to the database server.',
    ({ database }) => [sample(database.connections)],
  )
  ofFacts('sortie_database_server_connections_max', 'Connections that the database server allows.', ({ database }) => [
    sample(database.max_connections),
  ])
  ofFacts('sortie_stored_bytes', 'What all organizations store, in files and in large rows.', ({ database }) => [
    sample(database.stored_bytes),
  ])
  const ofDisks = (name: string, help: string, value: 'free' | 'size') =>
    metrics.gauges(name, help, async () =>
      Object.entries(await readDisks(platform)).map(([disk, space]) => sample(space[value], { disk })),
    )
  ofDisks('sortie_disk_free_bytes', 'Free space of a disk.', 'free')
  ofDisks('sortie_disk_bytes', 'Size of a disk.', 'size')

  ofFacts('sortie_workers', 'Processes that run jobs, by state.', ({ workers }) => [
    sample(workers.alive, { state: 'alive' }),
    sample(workers.silent.length, { state: 'silent' }),
  ])
  ofFacts('sortie_queue_waiting', 'Jobs that are due and wait for a worker.', ({ queues }) =>
    queues.map(({ kind, waiting }) => sample(waiting, { kind })),
  )
  ofFacts('sortie_queue_oldest_seconds', 'For how long the oldest waiting job has been due.', ({ queues }) =>
    queues.map(({ kind, oldest_seconds }) => sample(oldest_seconds, { kind })),
  )
  ofFacts('sortie_queue_failed', 'Jobs that were given up, and are still kept.', ({ queues }) =>
    queues.map(({ kind, failed }) => sample(failed, { kind })),
  )
  ofFacts('sortie_background_jobs', 'Long-running jobs; failed ones of the last day.', backgroundJobs)
  ofFacts('sortie_mails', 'Mails that wait, that wait after a failure, and that failed within a day.', ({ mails }) => [
    sample(mails.waiting, { state: 'waiting' }),
    sample(mails.troubled, { state: 'retrying' }),
    sample(mails.failed, { state: 'failed' }),
  ])
  ofFacts('sortie_webhook_deliveries', 'Deliveries of outgoing webhooks; failed ones are kept.', ({ webhooks }) => [
    sample(webhooks.pending, { state: 'pending' }),
    sample(webhooks.failed, { state: 'failed' }),
  ])
  ofFacts('sortie_webhook_endpoints_failing', 'Endpoints whose last attempt failed.', ({ webhooks }) => [
    sample(webhooks.failing_endpoints),
  ])
}

const backgroundJobs = ({ queues, backgroundJobs: counts }: Facts): Sample[] =>
  queues
    .filter(({ isLongRunning }) => isLongRunning)
    .flatMap(({ kind }) =>
      (['queued', 'running', 'failed'] as const).map((state) =>
        sample(counts.find((each) => each.kind === kind && each.state === state)?.count ?? 0, { kind, state }),
      ),
    )
