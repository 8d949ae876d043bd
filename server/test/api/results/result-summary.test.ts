import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  // A Wednesday: its week started on the 16th.
  app.clock.freeze(Date.parse('2026-11-18T12:00:00.000Z'))
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const summaryOf = async (engagementId: string) =>
  (await key.get(`/api/v1/results/summary?engagementId=${engagementId}`)).body.data
const portAt = (ip: string) => JSON.stringify({ ip, port: 443, protocol: 'tcp' })

test('of an engagement without results has twelve weeks and every count at zero', async () => {
  const { weeks, vulnerabilities, targets } = await summaryOf(await newEngagement(key))
  expect(weeks).toHaveLength(12)
  expect([weeks[0], weeks[11]]).toEqual([
    { startsOn: '2026-08-31', vulnerabilities: 0, others: 0 },
    { startsOn: '2026-11-16', vulnerabilities: 0, others: 0 },
  ])
  expect(vulnerabilities.none).toEqual({ open: 0, confirmed: 0, false_positive: 0, accepted: 0, fixed: 0 })
  expect(targets).toEqual({ inScope: 0, seen: 0 })
})

test('counts results in the week in which they were first seen, from Monday to Sunday in UTC; older ones are left out', async () => {
  const engagementId = await newEngagement(key)
  const at = (ip: string, seenAt: string) => imported(key, engagementId, portAt(ip), { seenAt })
  const { counts } = await at('192.0.2.1', '2026-11-16T00:00:00.000Z')
  const each = counts.results.created as number
  await at('192.0.2.2', '2026-11-15T23:59:59.999Z')
  await at('192.0.2.3', '2026-08-31T00:00:00.000Z')
  await at('192.0.2.4', '2026-08-30T23:59:59.999Z')
  // Seen again: it stays in the week of its first time.
  await at('192.0.2.2', '2026-11-17T00:00:00.000Z')
  await key.post('/api/v1/results', { engagementId, title: 'By hand', asset: '192.0.2.1', severity: 'high' })
  const found = (await summaryOf(engagementId)).weeks.filter(
    ({ vulnerabilities, others }: Record<string, number>) => vulnerabilities || others,
  )
  expect(found).toEqual([
    { startsOn: '2026-08-31', vulnerabilities: 0, others: each },
    { startsOn: '2026-11-09', vulnerabilities: 0, others: each },
    { startsOn: '2026-11-16', vulnerabilities: 1, others: each },
  ])
})

test('counts vulnerabilities that are not out of scope by severity and status, and the targets in scope that a source has seen', async () => {
  const engagementId = await newEngagement(key)
  for (const [effect, pattern] of [
    ['allow', '192.0.2.0/24'],
    ['caution', '192.0.2.2'],
    ['deny', '192.0.2.3'],
  ]) {
    await key.post('/api/v1/scope-rules', { engagementId, effect, pattern })
  }
  for (const value of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '198.51.100.1'])
    await key.post('/api/v1/targets', { engagementId, value })
  await imported(key, engagementId, portAt('192.0.2.2'))
  await imported(key, engagementId, portAt('192.0.2.3'))
  const written = { engagementId, title: 'By hand', asset: '192.0.2.1' }
  for (const severity of ['high', 'high', 'low']) await key.post('/api/v1/results', { ...written, severity })
  await key.post('/api/v1/results', { ...written, asset: '192.0.2.3', severity: 'low' })
  const fixed = (await key.post('/api/v1/results', { ...written, severity: 'high' })).body.data.id
  await key.request('PATCH', `/api/v1/results/${fixed}`, { body: { status: 'fixed' } })
  await key.post('/api/v1/results', { ...written, asset: '192.0.2.3', title: 'Out of scope', severity: 'critical' })
  const { vulnerabilities, targets, open } = await summaryOf(engagementId)
  expect(open.bySeverity).toEqual({ none: 0, info: 0, low: 1, medium: 0, high: 2, critical: 0 })
  expect(open.worst.map(({ severity }: { severity: string }) => severity)).toEqual(['high', 'high', 'low'])
  expect(vulnerabilities.high).toEqual({ open: 2, confirmed: 0, false_positive: 0, accepted: 0, fixed: 1 })
  expect(vulnerabilities.low).toMatchObject({ open: 1, fixed: 0 })
  expect(targets).toEqual({ inScope: 2, seen: 1 })
})
