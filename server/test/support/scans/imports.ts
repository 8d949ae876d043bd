import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestClient, TestResponse } from '../app/test-client.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/imports')

/** A scanner file as its tool would write it; made for the tests, with documentation addresses. */
export const fixture = (name: string): Buffer => readFileSync(path.join(FIXTURES, name))

export const FIXTURE_NAMES = readdirSync(FIXTURES)

/** Imports bytes and waits for the end. @param options query parameters in addition to engagement and name */
export const importBytes = (
  client: TestClient,
  engagementId: string,
  bytes: string | Uint8Array,
  options: Record<string, string> = {},
): Promise<TestResponse> => {
  const query = new URLSearchParams({ engagementId, fileName: 'scan.out', wait: '30', ...options })
  return client.request('POST', `/api/v1/imports?${query.toString()}`, { rawBody: bytes })
}

/** The import itself, once it has ended. */
export const imported = async (
  client: TestClient,
  engagementId: string,
  bytes: string | Uint8Array,
  options: Record<string, string> = {},
) => {
  const { status, body, text } = await importBytes(client, engagementId, bytes, options)
  if (status !== 201) throw new Error(`${status}: ${text}`)
  let { data } = body
  // On a busy machine it takes longer than one request waits.
  while (['received', 'parsing'].includes(data.state)) {
    await sleep(100)
    data = (await client.get(`/api/v1/imports/${data.id}`)).body.data
  }
  return data as {
    id: string
    state: string
    stateReason: string | null
    format: string | null
    tool: string | null
    toolVersion: string | null
    duplicateOf: string | null
    warnings: string[]
    counts: {
      results: Record<string, number>
      targets: { created: number; known: number }
      rejected: number
      outOfScope: number
    }
  }
}

/** Every result of an engagement, by filters of the list. */
export const resultsOf = async (client: TestClient, engagementId: string, filters: Record<string, string> = {}) => {
  const query = new URLSearchParams({ engagementId, sort: 'asset', order: 'asc', perPage: '100', ...filters })
  const rows: {
    id: string
    kind: string
    asset: string
    state: string
    severity: string | null
    status: string | null
    title: string
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into data of every shape
    data: any
    tools: string[]
    targetId: string | null
    firstSeenAt: string
    lastSeenAt: string
  }[] = []
  for (let cursor: string | null = null; ;) {
    const { body } = await client.get(
      `/api/v1/results?${query.toString()}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    rows.push(...body.data)
    cursor = body.meta.nextCursor
    if (cursor === null) return rows
  }
}
