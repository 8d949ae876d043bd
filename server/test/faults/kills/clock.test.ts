import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test.each(['2026-03-29T01:59:59.999Z', '2028-02-29T23:59:59.000Z', '2038-01-19T03:14:08.000Z'])(
  'F17: at %s timestamps are written as specified, and an invitation lasts seven days to the millisecond',
  async (moment) => {
    app.clock.freeze(Date.parse(moment))
    const owner = await app.signedIn('admin')
    const made = await owner.post('/api/web/engagements', { name: moment })
    expect(made.body.data).toMatchObject({ createdAt: moment, updatedAt: moment })
    expect(made.body.data.createdAt).toMatch(TIMESTAMP)
    const email = `at${Date.parse(moment)}@example.com`
    const invited = await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
    expect(Date.parse(invited.body.data.expiresAt) - Date.parse(moment)).toBe(7 * 24 * 60 * 60 * 1000)
    expect(invited.body.data.expiresAt).toMatch(TIMESTAMP)
    const health = await app.anonymous.get('/api/health')
    expect(health.body.timestamp).toBe(moment)
  },
)

test.each([
  ['an hour forward', 3_600_000],
  ['an hour back', -3_600_000],
  ['5 s back, as another node may be', -5_000],
])(
  'F17: the wall clock is set %s: keys, writes and limits still work, and no window ends in the past',
  async (_name, step) => {
    app.clock.freeze(Date.now())
    const key = await app.withKey(['organizations:read', 'organizations:write'])
    const before = await key.post('/api/v1/engagements', { name: 'Before the step' })
    app.clock.freeze(Date.now() + step)
    const after = await key.patch(`/api/v1/engagements/${before.body.data.id}`, { description: 'After the step' })
    expect(after.status).toBe(200)
    expect(after.body.data.updatedAt).toMatch(TIMESTAMP)
    const windows = [before, after, await key.get('/api/v1/engagements')].map(({ headers }) => ({
      reset: headers.get('x-ratelimit-reset'),
      remaining: Number(headers.get('x-ratelimit-remaining')),
    }))
    expect(new Set(windows.map(({ reset }) => reset)).size).toBe(1)
    expect(windows.map(({ remaining }) => remaining)).toEqual(
      [0, 1, 2].map((used) => (windows[0]?.remaining as number) - used),
    )
    // After a step back, a job with an earlier time than an earlier job is still sent.
    const email = `step${step}@example.com`
    const owner = await app.signedIn('admin')
    expect((await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })).status).toBe(
      201,
    )
    expect((await app.nextMail(email)).to?.[0]?.address).toBe(email)
  },
)
