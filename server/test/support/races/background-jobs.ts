import { keyLock } from '../../../src/features/api-keys/authenticate.ts'
import { recordRightEnded } from '../../../src/features/audit/ended-work.service.ts'
import { lockMemberActor } from '../../../src/features/organizations/members/acting-member.service.ts'
import type { Actor } from '../../../src/platform/auth/actor.ts'
import { viewerOf } from '../../../src/platform/auth/actor.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import type { Worker } from '../../../src/platform/feature.ts'
import { type Jobs, startJobs } from '../../../src/platform/jobs/jobs.ts'
import { type LongRunningJob, queueJobType } from '../../../src/platform/jobs/kinds.ts'
import { toQueueJob } from '../../../src/platform/jobs/run.ts'
import { startBackgroundJob, type JobInput } from '../../../src/platform/jobs/start.ts'
import type { TestApp, TestUser } from '../app/test-app.ts'

/** A process that does jobs of these kinds, next to the app and on its database. */
export interface JobProcess {
  jobs: Jobs
  worker: Worker
  start(kind: LongRunningJob, wanted: JobInput): Promise<string>
  stop(timeoutMs?: number): Promise<void>
}

export const startJobProcess = async (
  app: TestApp,
  kinds: readonly LongRunningJob[],
  runs = true,
): Promise<JobProcess> => {
  const jobs = await startJobs(app.settings, app.platform.log, kinds.map(queueJobType), runs)
  const worker: Worker = {
    ...app.platform,
    jobs,
    mailer: { description: 'none', close: () => undefined, send: async () => '' },
    mailTemplates: [],
    actors: { lockKey: keyLock(app.clock), lockMember: lockMemberActor },
    onRightEnded: recordRightEnded(app.clock),
  }
  if (runs)
    for (const { type, run } of kinds.map(toQueueJob))
      await jobs.work(type, (data, signal) => run(worker, data, signal))
  return {
    jobs,
    worker,
    start: (kind, wanted) =>
      transaction(app.platform.scopedTo(wanted.actor.organizationId), (tx) =>
        startBackgroundJob(tx, worker, kind, wanted),
      ),
    stop: (timeoutMs = 4_000) => jobs.stop(timeoutMs),
  }
}

/** A member as the door would make the actor. */
export const actorOf = (
  user: TestUser,
  organizationId: string,
  role: 'owner' | 'admin' | 'member' = 'member',
): Actor => ({
  kind: 'user',
  id: user.id,
  name: user.name,
  organizationId,
  role,
  viewer: viewerOf(role, user.id),
  scopes: new Set(),
  address: '203.0.113.9',
})

export const findBackgroundJob = (app: TestApp, id: string) =>
  app.db.selectFrom('background_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
