import { expect } from 'vitest'
import { eventually } from '../app/server-process.ts'
import type { TestClient } from '../app/test-client.ts'

export interface Rendered {
  id: string
  state: string
  format: string
  size: number | null
  sha256: string | null
  pages: number | null
  problems: { level: string; message: string; where: string | null }[]
}

/** For one render on a machine that runs other tests. */
const SLOW_MS = 170_000

/** Renders a report or a finding, such as `/api/web/reports/rpt_...`, and waits for the end. */
export const rendered = async (client: TestClient, path: string, format: string): Promise<Rendered> => {
  const prefix = path.slice(0, path.indexOf('/', '/api/'.length))
  const { status, body, text } = await client.post(`${path}/render`, { format })
  expect(status, text).toBe(201)
  return eventually(
    async () => {
      const { data } = (await client.get(`${prefix}/report-renders/${body.data.id}`)).body
      expect(['succeeded', 'failed']).toContain(data.state)
      return data as Rendered
    },
    SLOW_MS,
    100,
  )
}

/** The bytes of any address that answers with a file. */
export const bytesOf = async (client: TestClient, path: string): Promise<Buffer> => {
  const answer = await fetch(`${client.origin}${path}`, { headers: client.headers })
  expect(answer.status, path).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}
