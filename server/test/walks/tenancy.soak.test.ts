import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { checksumsOfOrganization } from '../support/inputs/snapshot.ts'
import { idPositions } from '../support/walks/id-positions.ts'
import { attackAtRandom, type TwoTenants, twoTenants } from '../support/walks/two-tenants.ts'

const REQUESTS = 250_000
let app: TestApp
let tenants: TwoTenants

beforeAll(async () => {
  app = await testApp({ workers: false })
  tenants = await twoTenants(app)
})
afterAll(() => app.close())

test(
  'L3: 250,000 requests for the ids of another organization read no byte of it, change no row of it, and cover every position',
  async () => {
    const before = await checksumsOfOrganization(app.db, tenants.victim.id)
    for (let sent = 0; sent < REQUESTS; sent += 25_000) {
      // Sessions end after an hour without use, and the log is kept in memory: neither may end the run.
      app.logLines.length = 0
      const asked = await attackAtRandom(app, tenants, 25_000)
      expect(asked.size).toBe(idPositions(app).length)
    }
    expect(await checksumsOfOrganization(app.db, tenants.victim.id)).toEqual(before)
  },
  30 * 60_000,
)
