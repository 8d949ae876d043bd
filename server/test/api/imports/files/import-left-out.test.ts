import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported } from '../../../support/scans/imports.ts'

/** What is too much for one result is counted: an import drops nothing without a word. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const row = (more: object = {}, info: object = {}): string =>
  JSON.stringify({
    'template-id': 't',
    info: { name: 'T', severity: 'low', ...info },
    type: 'http',
    'matched-at': 'https://a.example/x',
    ...more,
  })
const warningsOf = async (file: string, options: Record<string, string> = {}): Promise<string[]> =>
  (await imported(key, await newEngagement(key), file, options)).warnings

const ENTRIES = 'Entries above 500 of one list, which were left out: '
const EVIDENCE = 'Evidence above 50 texts or 262,144 characters of one finding, which were left out: '
const EXCHANGES = 'Exchanges above 20 or 524,288 characters of one finding, which were left out: '

test('entries of lists beyond 500 are counted by the name of the list, in an import and in its preview', async () => {
  const reference = numbers(503).map((number) => `https://r.example/${number}`)
  const classification = { 'cve-id': numbers(502).map((number) => `CVE-2026-${10_000 + number}`) }
  const file = row({}, { reference, classification })
  expect(await warningsOf(file)).toEqual([`${ENTRIES}cve (2), references (3).`])
  expect(await warningsOf(file, { mode: 'preview' })).toEqual([`${ENTRIES}cve (2), references (3).`])
  expect(await warningsOf(row({}, { reference: reference.slice(0, 500) }))).toEqual([])
})

test('of a hostile list only the first 10,000 entries are looked at, and the others are counted', async () => {
  const same = numbers(10_000).map(() => 'https://r.example/same')
  const others = numbers(300_000).map((number) => `https://r.example/${number}`)
  expect(await warningsOf(row({}, { reference: [...same, ...others] }))).toEqual([`${ENTRIES}references (300,000).`])
})

test('texts of evidence beyond 50 are counted, from one row and from several rows about one finding', async () => {
  const extracted = (from: number, count: number) =>
    row({ 'extracted-results': numbers(count).map((n) => `v${from + n}`) })
  expect(await warningsOf(extracted(0, 57))).toEqual([`${EVIDENCE}7.`])
  expect(await warningsOf([extracted(0, 30), extracted(30, 30)].join('\n'))).toEqual([`${EVIDENCE}10.`])
  expect(await warningsOf(extracted(0, 50))).toEqual([])
})

test('exchanges beyond 20 of one finding are counted', async () => {
  const exchanges = (count: number) =>
    numbers(count)
      .map((number) =>
        row({ request: `GET /x?id=${number} HTTP/1.1`, response: `HTTP/1.1 200 OK\r\n\r\nanswer ${number}` }),
      )
      .join('\n')
  expect(await warningsOf(exchanges(24))).toEqual([`${EXCHANGES}4.`])
  expect(await warningsOf(exchanges(20))).toEqual([])
})
