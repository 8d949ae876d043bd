import { eventually } from '../app/server-process.ts'
import type { TestClient, TestResponse } from '../app/test-client.ts'

interface Scan {
  id: string
  state: string
  stateReason: string | null
  counts: { created: number; unchanged: number; changed: number; gone: number; reappeared: number; skipped: number }
  startedAt: string
  finishedAt: string
}

/**
 * An active engagement with these scope rules and targets. @returns its id, and the ids of the targets in their order
 */
export const engagementWith = async (
  client: TestClient,
  { allow = [], deny = [], targets }: { allow?: string[]; deny?: string[]; targets: string[] },
) => {
  const engagementId: string = (await client.post('/api/v1/engagements', { name: 'Scanned' })).body.data.id
  const rules = [
    ...allow.map((pattern) => ({ effect: 'allow', pattern })),
    ...deny.map((pattern) => ({ effect: 'deny', pattern })),
  ]
  for (const rule of rules) await client.post('/api/v1/scope-rules', { engagementId, ...rule })
  const ids: string[] = []
  for (const value of targets) ids.push((await client.post('/api/v1/targets', { engagementId, value })).body.data.id)
  return { engagementId, ids }
}

export const portScan = (ports: readonly number[] | string, options: object = {}) => ({
  id: 'ports',
  options: { ports: typeof ports === 'string' ? ports : ports.join(','), timeoutMs: 500, ...options },
})

/** @throws if it is refused */
export const started = async (client: TestClient, wanted: object, prefix = '/api/v1'): Promise<Scan> => {
  const { status, body, text } = await client.post(`${prefix}/scans`, wanted)
  if (status !== 201) throw new Error(`${status}: ${text}`)
  return body.data
}

export const getScan = async (client: TestClient, id: string, prefix = '/api/v1'): Promise<Scan> =>
  (await client.get(`${prefix}/scans/${id}`)).body.data

/** The scan once it has ended. */
export const ended = (client: TestClient, id: string, prefix = '/api/v1', timeoutMs = 60_000): Promise<Scan> =>
  eventually(async () => {
    const scan = await getScan(client, id, prefix)
    if (scan.finishedAt === null) throw new Error(`the scan is ${scan.state}`)
    return scan
  }, timeoutMs)

export const messageOf = ({ status, body }: TestResponse): [number, string] => [status, body.error.message]
