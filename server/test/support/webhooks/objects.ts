import { expect } from 'vitest'
import type { TestClient } from '../app/test-client.ts'

/** @returns the data of a successful answer */
export const must = async (answer: ReturnType<TestClient['get']>) => {
  const { status, body, text } = await answer
  expect(status, text).toBeLessThan(300)
  return body.data
}

/** @returns the id of a new engagement, whose name a thin message must not contain */
export const engagementIn = async (client: TestClient, details?: object): Promise<string> =>
  (await must(client.post('/api/web/engagements', { name: 'Secret client', ...(details && { details }) }))).id

/** @returns the id of a new finding */
export const findingIn = async (client: TestClient, engagementId: string, more: object = {}): Promise<string> =>
  (await must(client.post('/api/web/findings', { engagementId, title: 'Stored XSS', severity: 'high', ...more }))).id
