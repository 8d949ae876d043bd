import { expect } from 'vitest'
import type { TestApp, TestUser } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const DAY_MS = 24 * 60 * 60 * 1000

/** The path of a terminal's code. */
const codeOf = async (app: TestApp): Promise<string> => {
  const { status, body, text } = await app.anonymous.request('POST', '/api/oauth/device', {
    rawBody: new URLSearchParams({ client_id: 'sortie-cli' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(status, text).toBe(200)
  return `/api/web/device-authorizations/${body.user_code}`
}

const approval = (app: TestApp) => ({
  name: 'laptop',
  scopes: ['wiki:read'],
  expiresAt: new Date(app.clock.now() + DAY_MS).toISOString(),
})

/** An approval by a member, which waits. */
const waitingOf = async (app: TestApp): Promise<string> => {
  const member = await app.signedIn('member')
  const { status, body, text } = await member.post(`${await codeOf(app)}/approve`, approval(app))
  expect(status, text).toBe(200)
  return body.data.id
}

const agentOf = async (client: TestClient, prefix: string): Promise<string> => {
  const engagementId = (await client.post(`${prefix}/engagements`, { name: 'With an agent' })).body.data.id
  return (await client.post(`${prefix}/agents`, wantedAgent(engagementId))).body.data.id
}

const wantedAgent = (engagementId: string) => ({
  name: 'recon-1',
  engagementIds: [engagementId],
  scopes: ['wiki:read'],
})

/** How each endpoint that writes sign-ins of terminals and agents succeeds. */
export const IDENTITY_CHANGES: Record<string, Change> = {
  approveDeviceAuthorization: async (app, client) => {
    const path = await codeOf(app)
    return () => client.post(`${path}/approve`, approval(app))
  },
  denyDeviceAuthorization: async (app, client) => {
    const path = await codeOf(app)
    return () => client.post(`${path}/deny`)
  },
  confirmDeviceAuthorization: async (app, client, prefix) => {
    const id = await waitingOf(app)
    return () => client.post(`${prefix}/device-confirmations/${id}/confirm`)
  },
  refuseDeviceAuthorization: async (app, client, prefix) => {
    const id = await waitingOf(app)
    return () => client.post(`${prefix}/device-confirmations/${id}/refuse`)
  },
  createAgent: async (_app, client, prefix) => {
    const engagementId = (await client.post(`${prefix}/engagements`, { name: 'For an agent' })).body.data.id
    return () => client.post(`${prefix}/agents`, wantedAgent(engagementId))
  },
  updateAgent: async (_app, client, prefix) => {
    const id = await agentOf(client, prefix)
    return () => client.patch(`${prefix}/agents/${id}`, { description: 'Changed' })
  },
  deleteAgent: async (_app, client, prefix) => {
    const id = await agentOf(client, prefix)
    return () => client.delete(`${prefix}/agents/${id}`)
  },
  startAgent: async (_app, client, prefix) => {
    const id = await agentOf(client, prefix)
    await client.post(`${prefix}/agents/stop`, { agentId: id, reason: 'Before' })
    return () => client.post(`${prefix}/agents/${id}/start`)
  },
  stopAgents: async (_app, client, prefix) => {
    const agentId = await agentOf(client, prefix)
    return () => client.post(`${prefix}/agents/stop`, { agentId, reason: 'Changed' })
  },
}

/** An agent of the engagement, and a sign-in of a member that waits. */
export const addIdentities = async (
  app: TestApp,
  owner: TestClient,
  { member, organizationId, engagementId }: { member: TestUser; organizationId: string; engagementId: string },
): Promise<void> => {
  const made = await owner.post('/api/web/agents', wantedAgent(engagementId))
  expect(made.status, made.text).toBe(201)
  const session = await app.signIn(member, organizationId)
  const approved = await session.post(`${await codeOf(app)}/approve`, approval(app))
  expect(approved.status, approved.text).toBe(200)
}
