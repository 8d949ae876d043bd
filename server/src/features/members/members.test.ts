import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp, tokenOf } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const MEMBERS = '/api/v1/organizations/current/members'

describe('GET members', () => {
  test('lists the owner with the six specified fields and true totals', async () => {
    const organization = await app.createOrganization()
    const reader = await app.withKey(['organizations:read'], organization)
    const { body } = await reader.get(MEMBERS)
    expect(body.meta).toEqual({ total: 1, page: 1, perPage: 20, totalPages: 1 })
    expect(Object.keys(body.data[0])).toEqual(['id', 'name', 'email', 'role', 'joinedAt', 'lastSeenAt'])
    expect(body.data[0]).toMatchObject({ id: organization.owner.id, role: 'owner' })
  })
})

describe('an invitation', () => {
  test('is mailed, accepted with its token, and makes a member who can use the organization', async () => {
    const invited = await key.post(`${MEMBERS}/invite`, { email: 'grace@example.com', role: 'member' })
    expect(invited.status).toBe(201)
    const mail = await app.nextMail('grace@example.com')
    const accepted = await app.anonymous.post('/api/web/invitations/accept', { token: tokenOf(mail), name: 'Grace Hopper', password: 'a password for a test' })
    expect(accepted.body.data.organization.role).toBe('member')
    const { body } = await key.get(`${MEMBERS}?role=member`)
    expect(body.data.map((member: { email: string }) => member.email)).toContain('grace@example.com')
  })
})
