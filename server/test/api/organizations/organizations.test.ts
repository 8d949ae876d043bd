import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
const CURRENT = '/api/v1/organizations/current'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

describe('GET organization', () => {
  test('answers exactly the seven fields of the specification', async () => {
    const { status, body } = await key.get(CURRENT)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data).toEqual({
      id: app.organization.id,
      name: 'First organization',
      slug: app.organization.slug,
      plan: 'free',
      memberCount: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      settings: { requireTwoFactor: false, domainAutoJoin: false, ssoEnabled: false },
    })
  })

  test('counts members correctly through joins, role changes and removal', async () => {
    const organization = await app.createOrganization()
    const client = await app.withKey(['organizations:read', 'organizations:write'], organization)
    const count = async () => (await client.get(CURRENT)).body.data.memberCount
    const member = await app.createMember('member', organization)
    expect(await count()).toBe(2)
    await client.patch(`${CURRENT}/members/${member.id}`, { role: 'admin' })
    expect(await count()).toBe(2)
    await client.delete(`${CURRENT}/members/${member.id}`)
    expect(await count()).toBe(1)
  })

  test('answers the same at both doors', async () => {
    const owner = await app.signedIn('owner')
    expect((await owner.get('/api/web/organizations/current')).body).toEqual((await key.get(CURRENT)).body)
  })
})

describe('PATCH organization', () => {
  test('renames and answers id, name, slug, updatedAt; the slug stays', async () => {
    const { status, body } = await key.patch(CURRENT, { name: '  Ren\u0061\u0308med  ' })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { id: app.organization.id, name: 'Renämed', slug: app.organization.slug, updatedAt: expect.any(String) },
    })
    expect((await key.get(CURRENT)).body.data).toMatchObject({ name: 'Renämed', slug: app.organization.slug })
  })

  test('an empty object, and the current name, change nothing and keep updatedAt (open point 16)', async () => {
    const first = (await key.patch(CURRENT, { name: 'The same' })).body.data
    expect((await key.patch(CURRENT, {})).body.data).toEqual(first)
    expect((await key.patch(CURRENT, { name: 'The same' })).body.data).toEqual(first)
  })

  test.each(['slug', 'id', 'plan', 'memberCount', 'createdAt', 'updatedAt', 'settings', 'ownerId', 'requireTwoFactor'])(
    'I4: %s cannot be set: 422',
    async (field) => {
      const before = (await key.get(CURRENT)).body
      const { status, body } = await key.patch(CURRENT, { name: 'Changed', [field]: 'x' })
      expect(status).toBe(422)
      expect(body.error.message).toContain(field)
      expect((await key.get(CURRENT)).body).toEqual(before)
    },
  )

  test('the message names the fault and its field', async () => {
    const messageOf = async (body: unknown) => (await key.patch(CURRENT, body)).body.error.message
    expect(await messageOf({ name: '' })).toBe('name: must not be empty')
    expect(await messageOf({ name: '   ' })).toBe('name: must not be empty')
    expect(await messageOf({ name: 7 })).toBe('name: must be a string')
    expect(await messageOf({ name: null })).toBe('name: must be a string')
    expect(await messageOf({ name: 'x'.repeat(201) })).toBe('name: must have at most 200 characters')
    expect(await messageOf({ name: 'a\u202eb' })).toBe(
      'name: must not contain control, invisible or direction characters',
    )
  })
})

describe('GET organizations of the signed-in person', () => {
  test('lists each with id, name, slug and role, and no other organization', async () => {
    const person = await app.createMember('member')
    const other = await app.createOrganization('Other')
    const client = await app.signIn(person)
    const { body } = await client.get('/api/web/organizations')
    const permissions = { readEngagements: true, changeEngagements: false, createEngagements: false }
    expect(body.data).toEqual([
      { id: app.organization.id, name: expect.any(String), slug: app.organization.slug, role: 'member', permissions },
    ])
    expect(JSON.stringify(body)).not.toContain(other.id)
  })
})
