import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { conflict } from '../../../src/platform/errors.ts'
import {
  type RunningJob,
  type JobEnd,
  type LongRunningJob,
  JobStopped,
  longRunningJob,
} from '../../../src/platform/jobs/kinds.ts'
import { listBackgroundJobs } from '../../../src/platform/jobs/rows.ts'
import { cancelBackgroundJob } from '../../../src/platform/jobs/start.ts'
import { sweepBackgroundJobs } from '../../../src/platform/jobs/sweep.ts'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, type TestUser, testApp } from '../../support/app/test-app.ts'
import { actorOf, findBackgroundJob, startJobProcess, type JobProcess } from '../../support/races/background-jobs.ts'

type Run = (work: RunningJob) => Promise<unknown>

let app: TestApp
let running: JobProcess
/** Behaviour of the next job of a subject. */
const runs = new Map<string, Run>()
const ends = new Map<string, JobEnd[]>()

const kindNamed = (name: string, resumes: boolean): LongRunningJob =>
  longRunningJob({
    name,
    guard: 'targets:write',
    resumes,
    perOrganization: 2,
    perProcess: 4,
    run: (work) => (runs.get(work.subjectId) as Run)(work),
    onEnd: async (_tx, { subjectId }, end) => void ends.set(subjectId, [...(ends.get(subjectId) ?? []), end]),
  })

const resuming = kindNamed('test-resuming', true)
const once = kindNamed('test-once', false)

beforeAll(async () => {
  app = await testApp({ workers: false })
  running = await startJobProcess(app, [resuming, once])
})
afterAll(async () => {
  await running.stop()
  await app.close()
})

interface Circumstances {
  kind?: LongRunningJob
  process?: JobProcess
  organization?: TestOrganization
  engagementId?: string | null
  user?: TestUser
}

let subjects = 0
const begin = async (run: Run, circumstances: Circumstances = {}) => {
  const { kind = resuming, process = running, organization = app.organization, engagementId = null } = circumstances
  const { user = organization.owner } = circumstances
  const subjectId = `subject_${++subjects}`
  runs.set(subjectId, run)
  const role = user.id === organization.owner.id ? 'owner' : 'member'
  const backgroundJobId = await process.start(kind, {
    actor: actorOf(user, organization.id, role),
    engagementId,
    subjectId,
  })
  return { backgroundJobId, subjectId }
}

const endOf = (backgroundJobId: string) =>
  eventually(async () => {
    const row = await findBackgroundJob(app, backgroundJobId)
    expect(row.ended_at).not.toBe(null)
    return row
  })

const cancel = (backgroundJobId: string, kind = resuming) =>
  transaction(app.platform.scopedTo(app.organization.id), (tx) =>
    cancelBackgroundJob(tx, app.platform, kind, app.organization.id, backgroundJobId),
  )

/** Jobs wait for this gate; a test that fails before it resolves the gate leaves none waiting. */
const openGate = () => {
  const gate = Promise.withResolvers<void>()
  onTestFinished(() => gate.resolve())
  return gate
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

test('a job is done once, reports its progress, and ends together with the row of its feature', async () => {
  const { backgroundJobId, subjectId } = await begin(async (work) => {
    work.report(1, 2)
    await eventually(async () =>
      expect(await findBackgroundJob(app, backgroundJobId)).toMatchObject({
        state: 'running',
        done: 1,
        total: 2,
        attempt: 1,
      }),
    )
    await work.batch(async () => undefined)
    work.report(2, 2)
    return 'all of it'
  })
  expect(await endOf(backgroundJobId)).toMatchObject({
    state: 'succeeded',
    reason: null,
    done: 2,
    total: 2,
    worker: null,
  })
  expect(ends.get(subjectId)).toEqual([{ state: 'succeeded', reason: null, result: 'all of it' }])
  const shown = {
    id: backgroundJobId,
    subject_id: subjectId,
    state: 'succeeded',
    reason: null,
    done: 2,
    total: 2,
    worker: null,
    cancel_requested_at: null,
  }
  expect(await listBackgroundJobs(app.db, app.organization.id, [backgroundJobId])).toMatchObject([shown])
})

test('progress is written at most once a second, however often it is reported', async () => {
  const { backgroundJobId } = await begin(async (work) => {
    for (const until = performance.now() + 2_500; performance.now() < until; await sleep(2))
      work.report(Math.round(performance.now()), null)
  })
  const seen = new Set<number>()
  await eventually(
    async () => {
      const { done, ended_at } = await findBackgroundJob(app, backgroundJobId)
      seen.add(done as unknown as number)
      expect(ended_at).not.toBe(null)
    },
    10_000,
    20,
  )
  expect(seen.size).toBeGreaterThanOrEqual(2)
  expect(seen.size).toBeLessThanOrEqual(5)
})

test('a running job learns within 2 seconds that it was cancelled, also from another process, and commits nothing any more', async () => {
  const other = await startJobProcess(app, [once], false)
  let heardAfter = Number.POSITIVE_INFINITY
  let refused: unknown
  let cancelledAt = 0
  const { backgroundJobId } = await begin(
    async (work) => {
      await untilAborted(work.signal)
      heardAfter = performance.now() - cancelledAt
      refused = await work.batch(async () => undefined).catch((error) => error)
    },
    { kind: once, process: other },
  )
  await eventually(async () => expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running'))
  cancelledAt = performance.now()
  expect(await cancel(backgroundJobId, once)).toBe(true)
  expect(await endOf(backgroundJobId)).toMatchObject({ state: 'cancelled', reason: 'It was cancelled.' })
  expect(heardAfter).toBeLessThan(hereMs(2_000))
  expect(refused).toBeInstanceOf(JobStopped)
  expect(await cancel(backgroundJobId, once)).toBe(false)
  await other.stop()
})

test('a waiting job is cancelled at once, and never done', async () => {
  const waiting = await startJobProcess(app, [resuming], false)
  const gate = openGate()
  const blockers = await Promise.all([begin(() => gate.promise), begin(() => gate.promise)])
  await eventually(async () => {
    for (const { backgroundJobId } of blockers)
      expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running')
  })
  let wasDone = false
  const { backgroundJobId, subjectId } = await begin(async () => void (wasDone = true), { process: waiting })
  await cancel(backgroundJobId)
  expect(await findBackgroundJob(app, backgroundJobId)).toMatchObject({ state: 'cancelled' })
  gate.resolve()
  for (const blocker of blockers) await endOf(blocker.backgroundJobId)
  await endOf((await begin(async () => undefined)).backgroundJobId)
  expect(wasDone).toBe(false)
  expect(ends.get(subjectId)).toHaveLength(1)
  await waiting.stop()
})

test("an organization's jobs wait for each other beyond their share; another's do not wait for them", async () => {
  const gate = openGate()
  const mine = await Promise.all(Array.from({ length: 4 }, () => begin(() => gate.promise)))
  const organization = await app.createOrganization()
  const { backgroundJobId } = await begin(async () => undefined, { organization })
  expect((await endOf(backgroundJobId)).state).toBe('succeeded')
  const states = await Promise.all(mine.map(async (each) => (await findBackgroundJob(app, each.backgroundJobId)).state))
  expect(states.filter((state) => state === 'running')).toHaveLength(2)
  gate.resolve()
  for (const each of mine) expect((await endOf(each.backgroundJobId)).state).toBe('succeeded')
})

test('at most the share of an organization runs at once, however many processes ask for the next', async () => {
  const others = await Promise.all([1, 2, 3].map(() => startJobProcess(app, [resuming])))
  onTestFinished(async () => {
    for (const other of others) await other.stop()
  })
  let now = 0
  let most = 0
  const run: Run = async () => {
    most = Math.max(most, ++now)
    await sleep(20)
    now--
  }
  const works: { backgroundJobId: string }[] = []
  // Limited to those that get a connection of their organization's share in time, on a busy machine too.
  while (works.length < 200) works.push(...(await Promise.all(Array.from({ length: 10 }, () => begin(run)))))
  for (const { backgroundJobId } of works) expect((await endOf(backgroundJobId)).state).toBe('succeeded')
  expect(most).toBe(2)
})

test('A11: a job has the current rights: it ends, with a reason and an audit entry, once its user is not a member', async () => {
  const user = await app.createMember('member')
  const gate = openGate()
  const { backgroundJobId, subjectId } = await begin(
    async (work) => {
      await work.batch(async (_tx, actor) => expect(actor).toMatchObject({ id: user.id, role: 'member' }))
      await gate.promise
      await work.batch(async () => undefined)
    },
    { user },
  )
  await eventually(async () => expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running'))
  const owner = await app.signedIn('owner')
  expect((await owner.delete(`/api/web/organizations/current/members/${user.id}`)).status).toBe(200)
  gate.resolve()
  expect(await endOf(backgroundJobId)).toMatchObject({
    state: 'cancelled',
    reason: `${user.name} no longer has access to the organization.`,
  })
  const entry = await app.db
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('object_id', '=', subjectId)
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({
    action: 'work.ended',
    after: { reason: `${user.name} no longer has access to the organization.` },
  })
})

test('A11: a job ends once the key that requested it is deleted', async () => {
  const key = await app.withKey(['targets:write'])
  const gate = openGate()
  const actor = {
    ...actorOf(app.organization.owner, app.organization.id),
    kind: 'key' as const,
    id: key.keyId,
    name: 'test key',
  }
  const subjectId = `subject_${++subjects}`
  runs.set(subjectId, async (work) => {
    await work.batch(async (_tx, now) => expect(now.scopes).toEqual(new Set(['targets:write'])))
    await gate.promise
    await work.batch(async () => undefined)
  })
  const backgroundJobId = await running.start(resuming, { actor, engagementId: null, subjectId })
  await eventually(async () => expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running'))
  expect((await (await app.signedIn('owner')).delete(`/api/web/api-keys/${key.keyId}`)).status).toBe(200)
  gate.resolve()
  expect(await endOf(backgroundJobId)).toMatchObject({
    state: 'cancelled',
    reason: 'test key no longer has access to the organization.',
  })
})

test('A11: a job ends once its user does not see the engagement any more', async () => {
  const user = await app.createMember('member')
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Closed later' })).body.data.id as string
  const gate = openGate()
  const { backgroundJobId } = await begin(
    async (work) => {
      await work.batch(async () => undefined)
      await gate.promise
      await work.batch(async () => undefined)
    },
    { user, engagementId },
  )
  await eventually(async () => expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running'))
  expect((await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })).status).toBe(200)
  gate.resolve()
  expect(await endOf(backgroundJobId)).toMatchObject({
    state: 'cancelled',
    reason: `${user.name} no longer sees the engagement.`,
  })
})

test('a user error ends a job with its sentence; any other error is retried, and finally given up', async () => {
  const refused = await begin(async () => {
    throw conflict('This engagement is archived: reopen it first.')
  })
  expect(await endOf(refused.backgroundJobId)).toMatchObject({
    state: 'failed',
    reason: 'This engagement is archived: reopen it first.',
    attempt: 1,
  })
  const recovering = await begin(async ({ attempt }) => {
    if (attempt < 3) throw new Error('not yet')
  })
  expect(await endOf(recovering.backgroundJobId)).toMatchObject({ state: 'succeeded', attempt: 3 })
  const unsafe = await begin(
    async () => {
      throw new Error('half done')
    },
    { kind: once },
  )
  expect(await endOf(unsafe.backgroundJobId)).toMatchObject({
    state: 'failed',
    reason: 'Something went wrong on the server. See its log.',
    attempt: 1,
  })
})

test('an attempt counts as progress only if it came further than those before', async () => {
  /** Starts at 0 each time, as a resumed import does. */
  const comingTo = (place: (attempt: number) => number) =>
    begin(async ({ attempt, report }) => {
      report(place(attempt), 100)
      // Progress is written once a second.
      await sleep(1_200)
      throw new Error('it ends here')
    })
  const stuck = await comingTo(() => 40)
  const slow = await comingTo((attempt) => attempt * 10)
  const attemptsOf = async (backgroundJobId: string) => {
    // The queue waits longer before each attempt.
    await app.asSuperuser(
      `update pgboss.job set start_after = now() where name = 'work-test-resuming' and state = 'retry'`,
    )
    return findBackgroundJob(app, backgroundJobId)
  }
  await eventually(async () => expect((await attemptsOf(stuck.backgroundJobId)).ended_at).not.toBe(null))
  expect(await findBackgroundJob(app, stuck.backgroundJobId)).toMatchObject({ state: 'failed', attempt: 5 })
  await eventually(async () => expect((await attemptsOf(slow.backgroundJobId)).attempt).toBeGreaterThan(6))
  expect(await cancel(slow.backgroundJobId)).toBe(true)
})

test('a process that stops hands over resumable jobs, and ends the others', async () => {
  const leaving = await startJobProcess(app, [resuming, once])
  await running.stop()
  const attempts: number[] = []
  const run: Run = async ({ attempt, signal }) => {
    attempts.push(attempt)
    if (attempt === 1) await untilAborted(signal)
  }
  const [safe, unsafe] = [
    await begin(run, { process: leaving }),
    await begin(({ signal }) => untilAborted(signal), { process: leaving, kind: once }),
  ]
  await eventually(async () => {
    for (const { backgroundJobId } of [safe, unsafe])
      expect((await findBackgroundJob(app, backgroundJobId)).state).toBe('running')
  })
  await leaving.stop()
  expect(await findBackgroundJob(app, unsafe.backgroundJobId)).toMatchObject({
    state: 'failed',
    reason: 'The server was stopped while this was running.',
  })
  running = await startJobProcess(app, [resuming, once])
  expect(await endOf(safe.backgroundJobId)).toMatchObject({ state: 'succeeded', failures: 0 })
  expect(attempts).toEqual([1, 2])
})

test('a long-running job without a queue job gets a new one', async () => {
  const { backgroundJobId } = await begin(async () => undefined, {
    process: await startJobProcess(app, [resuming], false),
  })
  const lost = await begin(async () => undefined)
  await endOf(lost.backgroundJobId)
  await endOf(backgroundJobId)
  await sql`update background_jobs set state = 'running', ended_at = null, job_id = null, created_at = ${new Date(app.clock.now() - 120_000).toISOString()}
    where id = ${backgroundJobId}`.execute(app.db)
  await sweepBackgroundJobs(running.worker, [resuming, once])
  expect(await endOf(backgroundJobId)).toMatchObject({ state: 'succeeded' })
})
