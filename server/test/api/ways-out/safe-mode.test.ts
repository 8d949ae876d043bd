import { IN_SAFE_MODE } from '@sortie/contract/core/errors.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOBS } from '../../../src/app/app.ts'
import { newId } from '../../../src/platform/ids.ts'
import { putIntoSafeMode } from '../../support/app/safe-mode.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { fixture, importBytes } from '../../support/scans/imports.ts'
import { ended, engagementWith, getScan, portScan, started } from '../../support/scans/scans.ts'

/** Limit of row O4 from `go-live` to the first outgoing message. */
const NOTICED_WITHIN_MS = 5_000
const GO_LIVE = '/api/web/instance/go-live'
const SAFE_MODE = '/api/web/instance/safe-mode'
/** The egress policy refuses it: there is a run, and nothing is sent. */
const REQUEST = { url: 'http://127.0.0.1:9/' }

let app: TestApp
let key: TestClient
let admin: TestClient & { user: { id: string; email: string } }
let owner: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey([
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
    'api-requests:read',
    'api-requests:write',
  ])
  admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const live = async () => {
  expect((await admin.post(GO_LIVE, {})).status).toBe(200)
  expect(await app.platform.safeMode.isLive()).toBe(true)
}
const insertMail = async (fields: object) => {
  const mail = {
    id: newId('mal', app.clock.now()),
    kind: 'password',
    recipient: 'a@example.com',
    data: '{}',
    status: 'failed' as const,
    created_at: '2026-01-01T00:00:00.000Z',
  }
  await app.db
    .insertInto('mails')
    .values({ ...mail, ...fields })
    .execute()
  return mail.id
}
const mailOf = (id: string) =>
  app.db.selectFrom('mails').select(['status', 'last_error']).where('id', '=', id).executeTakeFirstOrThrow()
const inviteFrom = async (email: string) =>
  (await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })).body.data as {
    id: string
  }

describe('O4: in safe mode', () => {
  test('every outgoing action is 409 with the reason, at both doors; after go-live it starts within seconds', async () => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['192.0.2.1'] })
    const wanted = { engagementId, scanners: [portScan([80])], targets: { ids } }
    const scan = await started(key, wanted)
    await ended(key, scan.id)
    const folder = (await key.post('/api/v1/request-folders', { engagementId, name: 'Folder' })).body.data
    const saved = (
      await key.post('/api/v1/api-requests', { engagementId, folderId: folder.id, name: 'Saved', ...REQUEST })
    ).body.data
    const invitation = await inviteFrom('resent@example.com')
    const mailId = await insertMail({ status: 'failed' })
    const starts: Record<string, () => Promise<TestResponse>> = {
      'scan by a key': () => key.post('/api/v1/scans', wanted),
      'scan by a person': () => owner.post('/api/web/scans', wanted),
      'the same scan again': () => key.post(`/api/v1/scans/${scan.id}/repeat`),
      'saved request': () => key.post(`/api/v1/api-requests/${saved.id}/execute`, {}),
      'request that is not saved': () => owner.post('/api/web/api-requests/send', { engagementId, request: REQUEST }),
      'request of the organization': () =>
        owner.post('/api/web/api-requests/send', {
          engagementId: null,
          override: { reason: 'A look at our own page' },
          request: REQUEST,
        }),
      'requests of a folder': () => key.post(`/api/v1/request-folders/${folder.id}/execute`, {}),
      'invitation again': () => owner.post(`/api/web/invitations/${invitation.id}/resend`),
      'failed mail': () => admin.post(`/api/web/instance/mails/${mailId}/retry`),
    }
    await putIntoSafeMode(app)
    const runs = await app.db.selectFrom('request_runs').selectAll().execute()
    for (const [name, start] of Object.entries(starts)) {
      const { status, body } = await start()
      expect([status, body.error.message], name).toEqual([409, IN_SAFE_MODE])
    }
    expect(await app.db.selectFrom('request_runs').selectAll().execute()).toEqual(runs)
    await live()
    for (const [name, start] of Object.entries(starts)) {
      await eventually(async () => expect((await start()).status, name).toBeLessThan(300), NOTICED_WITHIN_MS)
    }
  })

  test('a forgotten password is 409 for every address, known or not, and tells what to do instead', async () => {
    const { email } = await app.createUser()
    await putIntoSafeMode(app)
    const answers = await Promise.all(
      [email, 'nobody@example.com'].map((address) =>
        app.anonymous.post('/api/auth/password-reset', { email: address }),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [
        409,
        {
          error: {
            code: 'CONFLICT',
            message: expect.stringMatching(/safe mode and sends no email.*operator -- reset-password <email>\.$/),
            statusCode: 409,
          },
        },
      ],
      [409, answers[0]?.body],
    ])
    await live()
    await eventually(
      async () => expect((await app.anonymous.post('/api/auth/password-reset', { email })).status).toBe(200),
      NOTICED_WITHIN_MS,
    )
  })

  test('every signed-in user sees the reason, and only an instance administrator what going live would start', async () => {
    await putIntoSafeMode(app, 'It was restored from Tuesday.')
    const member = await app.signedIn('member')
    expect((await member.get('/api/web/account')).body.data.safeMode).toEqual({
      reason: 'It was restored from Tuesday.',
      isForced: false,
    })
    for (const client of [member, owner])
      for (const answer of [await client.get(SAFE_MODE), await client.post(GO_LIVE, {})])
        expect(answer.status).toBe(403)
    expect((await key.request('POST', '/api/v1/instance/go-live', { body: {} })).status).toBe(404)
    const { body } = await admin.get(SAFE_MODE)
    expect(body.data).toMatchObject({
      isOn: true,
      isForced: false,
      reason: 'It was restored from Tuesday.',
      since: expect.any(String),
    })
    await live()
    expect((await admin.get('/api/web/account')).body.data.safeMode).toBe(null)
    expect((await admin.get(SAFE_MODE)).body.data).toMatchObject({ isOn: false, reason: null, since: null })
    // Going live twice changes nothing, and is audited once.
    expect((await admin.post(GO_LIVE, {})).body.data).toEqual({ heldMails: 0, releasedMails: 0 })
    const noted = await app.db
      .selectFrom('audit_entries')
      .select(['actor_id', 'before'])
      .where('action', '=', 'instance.went-live')
      .execute()
    expect(noted.filter(({ before }) => (before as { reason: string }).reason.includes('Tuesday'))).toEqual([
      {
        actor_id: admin.user.id,
        before: { reason: 'It was restored from Tuesday.', safeModeSince: expect.any(String) },
      },
    ])
  })

  test('an import of a file still runs', async () => {
    const { engagementId } = await engagementWith(key, { targets: [] })
    await putIntoSafeMode(app)
    const { status, body } = await importBytes(key, engagementId, fixture('nmap.xml'))
    expect([status, body.data.state]).toEqual([201, 'applied'])
    await live()
  })
})

describe('O4: jobs that waited before safe mode started', () => {
  test('a waiting mail is held by go-live, one written during safe mode is sent; with sendWaitingMail both are', async () => {
    for (const sendWaitingMail of [false, true]) {
      const old = await insertMail({ status: 'queued', recipient: 'old@example.com', kind: 'nothing of this kind' })
      await putIntoSafeMode(app)
      const email = `meanwhile.${sendWaitingMail}@example.com`
      await inviteFrom(email)
      const { pending } = (await admin.get(SAFE_MODE)).body.data
      expect(pending.oldMails).toBeGreaterThanOrEqual(1)
      expect(pending.newMails).toBeGreaterThanOrEqual(1)
      expect(
        await app.db.selectFrom('mails').select('status').where('recipient', '=', email).executeTakeFirst(),
      ).toEqual({ status: 'queued' })
      const { body } = await admin.post(GO_LIVE, { sendWaitingMail })
      if (sendWaitingMail) expect((await mailOf(old)).status).toBe('queued')
      else {
        expect(await mailOf(old)).toEqual({
          status: 'failed',
          last_error: expect.stringContaining('If it was not, send it again.'),
        })
        expect(body.data.heldMails).toBeGreaterThanOrEqual(1)
      }
      expect((await app.nextMail(email)).subject).toContain('invites you')
    }
  })

  test('a queued scan ends without running, in safe mode and after it', async () => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['192.0.2.1'] })
    const wanted = { engagementId, scanners: [portScan([80])], targets: { ids } }
    for (const isOn of [true, false]) {
      const scan = await started(key, wanted)
      await ended(key, scan.id)
      await putIntoSafeMode(app)
      if (!isOn) await live()
      // A backup of that moment has the scan requested, and not started.
      await app.db.updateTable('scans').set({ state: 'queued', finished_at: null }).where('id', '=', scan.id).execute()
      await app.db
        .updateTable('background_jobs')
        .set({ state: 'queued', ended_at: null, created_at: '2026-01-01T00:00:00.000Z', job_id: null })
        .where('subject_id', '=', scan.id)
        .execute()
      const operations = await app.db.selectFrom('operation_log_entries').select('id').execute()
      await sweep()
      const after = await ended(key, scan.id)
      expect([after.state, after.stateReason]).toEqual([
        'failed',
        expect.stringMatching(/^It was queued before this instance was restored or copied/),
      ])
      expect(await app.db.selectFrom('operation_log_entries').select('id').execute()).toEqual(operations)
      if (isOn) await live()
    }
    await eventually(
      async () => expect((await getScan(key, (await started(key, wanted)).id)).state).not.toBe('failed'),
      NOTICED_WITHIN_MS,
    )
  })
})

/** Runs the job of every minute. */
const sweep = async () => {
  const { sweepBackgroundJobs } = await import('../../../src/platform/jobs/sweep.ts')
  const { runScan } = await import('../../../src/features/scans/run/scan.job.ts')
  await sweepBackgroundJobs(app.platform, [runScan])
}

test('O4: of the automatic jobs only those listed here run in safe mode: they maintain rows', () => {
  const scheduled = JOBS.filter(({ cron }) => cron !== undefined)
  const names = (runs: boolean) =>
    scheduled.filter(({ runsInSafeMode = false }) => runsInSafeMode === runs).map(({ type }) => type.name)
  // Each due scan is refused, and its schedule records why.
  expect(names(true).toSorted()).toEqual([
    'clean-up',
    'fail-dead-runs',
    'prune-observations',
    'remove-organizations',
    'reseal',
    'start-due-scans',
    'sweep-work',
  ])
  expect(names(false).toSorted()).toEqual([
    'check-domains',
    'clean-files',
    'purge-engagements',
    'read-directory-events',
    'remove-bytes',
    'storage-beat',
  ])
})
