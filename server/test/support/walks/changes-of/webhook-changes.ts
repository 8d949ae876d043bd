import { expect } from 'vitest'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const WANTED = { name: 'Before', url: 'https://hooks.example.com/before', events: ['finding.created'] }

const endpointOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/webhook-endpoints`, WANTED)).body.data.id

/** How each endpoint that writes outgoing webhooks succeeds. */
export const WEBHOOK_CHANGES: Record<string, Change> = {
  createWebhookEndpoint: async (_app, client, prefix) => () => client.post(`${prefix}/webhook-endpoints`, WANTED),
  updateWebhookEndpoint: async (_app, client, prefix) => {
    const id = await endpointOf(client, prefix)
    return () => client.patch(`${prefix}/webhook-endpoints/${id}`, { name: 'Changed', events: ['task.done'] })
  },
  deleteWebhookEndpoint: async (_app, client, prefix) => {
    const id = await endpointOf(client, prefix)
    return () => client.delete(`${prefix}/webhook-endpoints/${id}`)
  },
  rotateWebhookSecret: async (_app, client, prefix) => {
    const id = await endpointOf(client, prefix)
    return () => client.post(`${prefix}/webhook-endpoints/${id}/rotate-secret`)
  },
  testWebhookEndpoint: async (_app, client, prefix) => {
    const id = await endpointOf(client, prefix)
    return () => client.post(`${prefix}/webhook-endpoints/${id}/test`)
  },
  resendWebhookDelivery: async (_app, client, prefix) => {
    const id = await endpointOf(client, prefix)
    const delivery = (await client.post(`${prefix}/webhook-endpoints/${id}/test`)).body.data
    return () => client.post(`${prefix}/webhook-deliveries/${delivery.id}/resend`)
  },
}

/** An endpoint with a delivery. */
export const addWebhooks = async (owner: TestClient, word: string): Promise<void> => {
  const made = await owner.post('/api/web/webhook-endpoints', { ...WANTED, name: `${word} webhook` })
  expect(made.status, made.text).toBe(201)
  const tested = await owner.post(`/api/web/webhook-endpoints/${made.body.data.id}/test`)
  expect(tested.status, tested.text).toBe(201)
}
