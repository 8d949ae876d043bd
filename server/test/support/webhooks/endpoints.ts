import { expect } from 'vitest'
import { eventually } from '../app/server-process.ts'
import type { TestClient } from '../app/test-client.ts'

/** Creates an endpoint. @returns it, with its secret */
export const endpointOf = async (client: TestClient, prefix: string, wanted: object) => {
  const made = await client.post(`${prefix}/webhook-endpoints`, { name: 'Receiver', ...wanted })
  expect(made.status, made.text).toBe(201)
  return made.body.data as { id: string; secret: string; updatedAt: string }
}

/** Waits until an endpoint has this many deliveries in a state. @returns them, the oldest first */
export const deliveriesOf = async (
  client: TestClient,
  endpointId: string,
  { state, count }: { state: string; count: number },
) =>
  eventually(async () => {
    const { body } = await client.get(
      `/api/web/webhook-deliveries?endpointId=${endpointId}&state=${state}&perPage=100&order=asc`,
    )
    expect(body.data.length).toBe(count)
    return body.data as {
      id: string
      event: string
      state: string
      attempts: { at: string; status: number | null; durationMs: number; answer: string | null; error: string | null }[]
      nextAttemptAt: string | null
    }[]
  })
