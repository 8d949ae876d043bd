import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { startRequest } from '../../support/races/request-in-progress.ts'

let app: TestApp
let owner: TestClient
const KEYS = '/api/web/api-keys'
const ME = '/api/v1/me'
const MINUTE_MS = 60_000

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const createKey = async (fields: object = {}) => {
  const { body } = await owner.post(KEYS, {
    name: 'for a while',
    environment: 'live',
    scopes: ['organizations:read', 'organizations:write'],
    ...fields,
  })
  const authorization = `Bearer ${body.data.value}`
  return { key: body.data, authorization, client: app.anonymous.with({ authorization }) }
}
const inMinutes = (minutes: number) => new Date(app.clock.now() + minutes * MINUTE_MS).toISOString()

describe('a key with an expiry', () => {
  test('says when it ends and of which kind it is; a key without one never ends', async () => {
    const expiresAt = inMinutes(5)
    const { key, client } = await createKey({ expiresAt })
    expect(key).toMatchObject({ kind: 'key', expiresAt })
    expect((await client.get(ME)).body.data.key).toMatchObject({ kind: 'key', expiresAt })
    const listed = (await owner.get(KEYS)).body.data
    expect(listed.find(({ id }: { id: string }) => id === key.id)).toMatchObject({ kind: 'key', expiresAt })
    const other = await createKey()
    expect((await other.client.get(ME)).body.data.key.expiresAt).toBeNull()
  })

  test('is refused from that moment like a deleted one, and nothing is written after it', async () => {
    const { client, authorization } = await createKey({ expiresAt: inMinutes(5) })
    // Its head is admitted before the end, its body comes after it.
    const held = await startRequest(`${app.origin}/api/v1/engagements`, authorization, { name: 'Too late' })
    expect((await client.get(ME)).status).toBe(200)
    app.clock.advance(5 * MINUTE_MS)
    const expired = await client.get(ME)
    expect((await held.finish()).status).toBe(401)
    const deleted = await createKey()
    await owner.delete(`${KEYS}/${deleted.key.id}`)
    expect(expired.status).toBe(401)
    expect(expired.text).toBe((await deleted.client.get(ME)).text)
    expect((await client.post('/api/v1/engagements', { name: 'Too late' })).status).toBe(401)
    const names = (await owner.get('/api/web/engagements')).body.data.map(({ name }: { name: string }) => name)
    expect(names).not.toContain('Too late')
  })

  test('is refused if its end is not in the future', async () => {
    for (const expiresAt of [
      inMinutes(-1),
      new Date(app.clock.now()).toISOString(),
      'tomorrow',
      '2026-13-45T00:00:00.000Z',
    ])
      expect(
        (await owner.post(KEYS, { name: 'x', environment: 'live', scopes: ['wiki:read'], expiresAt })).status,
        expiresAt,
      ).toBe(422)
  })
})

describe('DELETE /me/key', () => {
  test('deletes the calling key, whatever its scopes and limits, and records it', async () => {
    const engagementId = (await owner.post('/api/web/engagements', { name: 'The only one' })).body.data.id
    const { key, client } = await createKey({ scopes: ['wiki:read'], engagementIds: [engagementId] })
    const other = await createKey()
    const { status, text } = await client.delete('/api/v1/me/key')
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect((await client.get(ME)).status).toBe(401)
    expect((await client.delete('/api/v1/me/key')).status).toBe(401)
    expect((await other.client.get(ME)).status).toBe(200)
    const { data } = (await owner.get('/api/web/audit?action=api-key.deleted')).body
    expect(data[0]).toMatchObject({ actor: { type: 'key', id: key.id }, object: { id: key.id } })
  })

  test('of two at once, one deletes it and the other is refused', async () => {
    const { client } = await createKey()
    const answers = await Promise.all([1, 2, 3].map(() => client.delete('/api/v1/me/key')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401])
    await eventually(async () => expect((await client.get(ME)).status).toBe(401))
  })
})
