import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../testing/test-app.ts'

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
