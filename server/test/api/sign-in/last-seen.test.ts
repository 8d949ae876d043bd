import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  app.clock.freeze()
})
afterAll(() => app.close())

const keyRow = (id: string) =>
  app.db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow()
const sessionRow = (userId: string) =>
  app.db.selectFrom('sessions').select('last_seen_at').where('user_id', '=', userId).executeTakeFirstOrThrow()
const memberRow = (userId: string) =>
  app.db.selectFrom('memberships').select('last_seen_at').where('user_id', '=', userId).executeTakeFirstOrThrow()

test('K11: times of last use that could not be written are written with the next flush', async () => {
  const key = await app.withKey(['organizations:read'])
  const member = await app.signedIn('member')
  await app.flush()
  app.clock.advance(60_000)
  const usedAt = new Date(app.clock.now()).toISOString()
  const tables = ['api_keys', 'sessions', 'memberships']
  await app.asSuperuser(
    "create function refuse_for_now() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$",
  )
  for (const table of tables)
    await app.asSuperuser(`create trigger for_now before update on ${table} execute function refuse_for_now()`)
  await key.get('/api/v1/organizations/current')
  await member.get('/api/web/organizations/current')
  // The server's own timer may be the one that fails.
  await app.flush().catch(() => undefined)
  expect((await keyRow(key.keyId)).last_used_at).not.toBe(usedAt)
  for (const table of tables) await app.asSuperuser(`drop trigger for_now on ${table}`)
  // The server's own timer may be writing at this moment.
  await eventually(async () => {
    await app.flush()
    expect((await keyRow(key.keyId)).last_used_at).toBe(usedAt)
    expect((await sessionRow(member.user.id)).last_seen_at).toBe(usedAt)
    expect((await memberRow(member.user.id)).last_seen_at).toBe(usedAt)
  })
})

test('K11: a key, a session and a member are written at most once in 30 seconds, and never backwards', async () => {
  const key = await app.withKey(['organizations:read'])
  const member = await app.signedIn('member')
  const use = async () => {
    await key.get('/api/v1/organizations/current')
    await member.get('/api/web/organizations/current')
    await app.flush()
    return {
      key: (await keyRow(key.keyId)).last_used_at,
      session: (await sessionRow(member.user.id)).last_seen_at,
      member: (await memberRow(member.user.id)).last_seen_at,
    }
  }
  app.clock.advance(60_000)
  const at = new Date(app.clock.now()).toISOString()
  const first = { key: at, session: at, member: at }
  await eventually(async () => expect(await use()).toEqual(first))
  app.clock.advance(20_000)
  expect(await use()).toEqual(first)
  app.clock.advance(-60_000)
  expect(await use()).toEqual(first)
  app.clock.advance(100_000)
  const later = new Date(app.clock.now()).toISOString()
  await eventually(async () => expect(await use()).toEqual({ key: later, session: later, member: later }))
})
