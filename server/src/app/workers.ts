import { recordRightEnded } from '../features/audit/ended-work.service.ts'
import type { Platform } from '../platform/context.ts'
import { transaction } from '../platform/database/transaction.ts'
import type { Job, Worker } from '../platform/feature.ts'
import type { JobLabels } from '../platform/jobs/job-labels.ts'
import { startBeats } from '../platform/jobs/worker-beats.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import { actorLocks, JOBS, kindOf, LOOPS, MAIL_TEMPLATES, resealJob } from './app.ts'

/**
 * In safe mode scheduled jobs do not run, unless they allow it. Jobs that a user caused run as far as they connect to
 * nothing.
 */
const runUnlessSafe = async (
  { cron, runsInSafeMode, run }: Job,
  worker: Worker,
  data: object,
  signal: AbortSignal,
): Promise<void> => {
  if (cron !== undefined && !runsInSafeMode && !(await worker.safeMode.isLive())) return
  await run(worker, data, signal)
}

const aboutJob = ({ type }: Job, data: { organizationId?: unknown }) => ({
  'sortie.job': kindOf(type),
  'sortie.organization_id': typeof data.organizationId === 'string' ? data.organizationId : undefined,
})

/** Starts to run jobs: of every feature, unless `SORTIE_JOBS` names some. */
export const startWorkers = async (platform: Platform, mailer: Mailer, labels: JobLabels): Promise<void> => {
  const worker: Worker = {
    ...platform,
    mailer,
    mailTemplates: MAIL_TEMPLATES,
    actors: actorLocks(platform),
    onRightEnded: recordRightEnded(platform.clock),
  }
  const { SORTIE_JOBS: chosen, SORTIE_ROLE: role } = platform.config
  const isOurs = ({ type, runsInApiProcess = true }: Job) =>
    chosen === undefined ? runsInApiProcess || role === 'worker' : chosen.includes(kindOf(type))
  const done = JOBS.filter(isOurs)
  for (const each of done) {
    await platform.jobs.work({ ...each.type, ...each.concurrency?.(platform.config) }, (data, signal) =>
      labels.run(
        () => ({ job: kindOf(each.type) }),
        () =>
          platform.traces.run({ name: `job ${kindOf(each.type)}`, kind: 'job', attributes: aboutJob(each, data) }, () =>
            runUnlessSafe(each, worker, data, signal),
          ),
      ),
    )
  }
  for (const { name, open } of LOOPS)
    if (chosen === undefined || chosen.includes(name)) platform.jobs.repeat({ name, ...open(worker) })
  await startBeats(platform.db, platform.jobs.repeat)
  for (const { type, cron } of JOBS) if (cron !== undefined) await platform.jobs.schedule(type, cron)
  if (platform.keys.encryption.length > 1 && done.some(({ type }) => type === resealJob))
    await transaction(platform.db, (tx) => platform.jobs.enqueue(tx, resealJob, {}))
}
