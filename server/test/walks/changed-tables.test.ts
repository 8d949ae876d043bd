import { expect, test } from 'vitest'
import { testApp } from '../support/app/test-app.ts'

test("F15: tables that change under a running server, as by a newer server's migration, fail no request", async () => {
  const app = await testApp({ workers: false })
  try {
    const key = await app.withKey(['organizations:read'])
    const owner = await app.signedIn('owner')
    const ask = async () => {
      const requests = Array.from({ length: 12 }, (_, i) =>
        i % 2 ? key.get(PATHS[i % 3] as string) : owner.get('/api/web/organizations/current/members'),
      )
      return (await Promise.all(requests)).map(({ status }) => status)
    }
    const allServed = Array.from({ length: 12 }, () => 200)
    // Until Postgres keeps the statements planned, on every connection.
    for (let round = 0; round < 8; round++) expect(await ask()).toEqual(allServed)
    await app.asSuperuser(`
      alter table api_keys alter column name type varchar(500);
      alter table sessions alter column user_agent type varchar(500), alter column method type varchar(50);
      alter table memberships alter column last_seen_at type timestamptz(2);
      alter table organizations alter column plan type varchar(500)`)
    for (let round = 0; round < 3; round++) expect(await ask()).toEqual(allServed)
  } finally {
    await app.close()
  }
})

const PATHS = [
  '/api/v1/organizations/current',
  '/api/v1/organizations/current/members',
  '/api/v1/organizations/current/members?role=owner',
]
