import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { engagementWith } from '../../support/scans/scans.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

/** Dangerous as a word of a command line, a header or a path. */
const HOSTILE = [
  '-oN /tmp/x',
  '--script=http-put',
  '80;id',
  '$(id)',
  '`id`',
  '80\n443',
  '80\r\nX-Injected: 1',
  '80 --script vuln',
  '/etc/passwd',
  '80,',
  '１２',
  '80–90',
]
const UNDECLARED = [
  'args',
  'arguments',
  'flags',
  'script',
  'wordlist',
  'header',
  'headers',
  'userAgent',
  'path',
  '__proto__',
  'constructor',
]

interface Option {
  type: string
  enum?: unknown[]
}

test('N2: each scanner accepts only its declared options, in their types and from their lists', async () => {
  const { engagementId, ids } = await engagementWith(key, { allow: ['192.0.2.1'], targets: ['192.0.2.1'] })
  const scanners = (await key.get('/api/v1/scanners')).body.data as {
    id: string
    options: { properties: Record<string, Option> }
  }[]
  expect(scanners.length).toBeGreaterThan(4)
  let tried = 0
  const isRefused = async (id: string, options: string) => {
    tried++
    const rawBody = `{"engagementId":"${engagementId}","targets":{"ids":${JSON.stringify(ids)}},"scanners":[{"id":"${id}","options":${options}}]}`
    const { status, text } = await key.request('POST', '/api/v1/scans', {
      rawBody,
      headers: { 'content-type': 'application/json' },
    })
    expect(status, `${id} ${options}: ${text}`).toBe(422)
  }
  for (const { id, options } of scanners) {
    for (const name of Object.keys(options.properties)) {
      for (const value of HOSTILE) {
        await isRefused(id, JSON.stringify({ [name]: value }))
        await isRefused(id, JSON.stringify({ [name]: [value] }))
      }
      await isRefused(id, JSON.stringify({ [name]: { $gt: 0 } }))
    }
    for (const name of UNDECLARED) if (!(name in options.properties)) await isRefused(id, `{"${name}":"-oN /tmp/x"}`)
  }
  expect(tried).toBeGreaterThan(200)
  expect((await key.get(`/api/v1/scans?engagementId=${engagementId}`)).body.data).toEqual([])
})
