import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient
let engagement: string

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

/** Imports a minute after the previous one. */
const importLater = async (file: string | Uint8Array, options: Record<string, string> = {}): Promise<string> => {
  app.clock.advance(60_000)
  return (await imported(key, engagement, file, options)).id
}
const undo = async (id: string) =>
  expect((await key.post(`/api/v1/imports/${id}/undo?wait=30`)).body.data.state).toBe('undone')
const inventory = async () => (await resultsOf(key, engagement)).map((row) => ({ ...row, updatedAt: undefined }))
const targets = async (): Promise<string[]> =>
  (await key.get(`/api/v1/targets?engagementId=${engagement}`)).body.data.map(
    ({ canonical }: { canonical: string }) => canonical,
  )
const changesOf = async (id: string): Promise<string[]> =>
  (await key.get(`/api/v1/results/${id}/observations`)).body.data.map(({ change }: { change: string }) => change)

const nmap = (ports: string, services = '80,443') =>
  `<nmaprun scanner="nmap"><scaninfo type="syn" protocol="tcp" numservices="2" services="${services}"/><host><status state="up" reason="syn-ack"/><address addr="192.0.2.10" addrtype="ipv4"/><ports>${ports}</ports></host><runstats/></nmaprun>`
const open = (port: number, product = '') =>
  `<port protocol="tcp" portid="${port}"><state state="open"/><service name="http" product="${product}" method="probed"/></port>`
const closed = (port: number) => `<port protocol="tcp" portid="${port}"><state state="closed"/></port>`

test('of two imports of the same file the older one is undone: the newer one has brought everything, and removes it with it', async () => {
  engagement = await newEngagement(key)
  const first = await importLater(fixture('nmap.xml'))
  const before = await inventory()
  const second = await importLater(fixture('nmap.xml'))
  const seenAt = (await resultsOf(key, engagement)).map(({ lastSeenAt }) => lastSeenAt)
  await undo(first)
  const left = await inventory()
  expect(left.map(({ id, data, state }) => ({ id, data, state }))).toEqual(
    before.map(({ id, data, state }) => ({ id, data, state })),
  )
  expect(left.map(({ firstSeenAt, lastSeenAt }) => [firstSeenAt, lastSeenAt])).toEqual(
    seenAt.map((time) => [time, time]),
  )
  expect(await changesOf(left[0]?.id as string)).toEqual(['created'])
  expect(await targets()).not.toEqual([])
  await undo(second)
  expect([await inventory(), await targets()]).toEqual([[], []])
})

test('of two imports of the same file the newer one is undone: everything is as before, and is deleted with the older one', async () => {
  engagement = await newEngagement(key)
  const first = await importLater(fixture('nmap.xml'))
  const before = await inventory()
  await undo(await importLater(fixture('nmap.xml')))
  expect(await inventory()).toEqual(before)
  await undo(first)
  expect([await inventory(), await targets()]).toEqual([[], []])
})

test('a change that a later import saw again is undone with that one, and a result that was gone in between is back', async () => {
  engagement = await newEngagement(key)
  await importLater(nmap(open(80, 'nginx') + open(443)))
  const before = await inventory()
  const changed = await importLater(nmap(open(80, 'Apache') + closed(443)))
  const again = await importLater(nmap(open(80, 'Apache') + closed(443)))
  await undo(changed)
  const services = await resultsOf(key, engagement, { kind: 'service' })
  expect(services.map(({ data, state }) => [data.product, state])).toEqual([
    ['Apache', 'present'],
    [undefined, 'gone'],
  ])
  await undo(again)
  expect(await inventory()).toEqual(before)
})

test('a result that came, was gone and came again is restored once both imports are undone', async () => {
  engagement = await newEngagement(key)
  await importLater(nmap(open(80) + open(443)))
  const before = await inventory()
  const gone = await importLater(nmap(open(80) + closed(443)))
  const reappeared = await importLater(nmap(open(80) + open(443)))
  await undo(gone)
  const [https] = await resultsOf(key, engagement, { port: '443' })
  expect([https?.state, await changesOf(https?.id as string)]).toEqual(['present', ['unchanged', 'created']])
  await undo(reappeared)
  expect(await inventory()).toEqual(before)
})

test('a result that only the import has seen is deleted with it, although a later one looked for it without finding it', async () => {
  engagement = await newEngagement(key)
  const first = await importLater(nmap(open(80) + open(443)))
  const second = await importLater(nmap(open(80) + closed(443)))
  await undo(first)
  expect((await inventory()).map(({ asset, state }) => [asset, state])).toEqual([
    ['192.0.2.10', 'present'],
    ['192.0.2.10:80/tcp', 'present'],
  ])
  await undo(second)
  expect(await inventory()).toEqual([])
})

test('a result that is back after it was gone belongs to the last import that saw it', async () => {
  engagement = await newEngagement(key)
  const first = await importLater(nmap(open(80)))
  const second = await importLater(nmap(closed(80)))
  const third = await importLater(nmap(open(80)))
  await undo(first)
  const [web] = await resultsOf(key, engagement, { port: '80' })
  expect([web?.state, await changesOf(web?.id as string)]).toEqual(['present', ['created']])
  await undo(second)
  await undo(third)
  expect(await inventory()).toEqual([])
})

test('a result that only a later import of an earlier time also saw has that earlier time once the other is undone', async () => {
  engagement = await newEngagement(key)
  const first = await importLater(nmap(open(80)))
  await importLater(nmap(open(80)), { seenAt: '2020-01-01T00:00:00.000Z' })
  await undo(first)
  for (const row of await inventory())
    expect(row).toMatchObject({ firstSeenAt: '2020-01-01T00:00:00.000Z', lastSeenAt: '2020-01-01T00:00:00.000Z' })
})

test("a person's later changes stay, whichever import is undone first", async () => {
  for (const isOlderFirst of [true, false]) {
    engagement = await newEngagement(key)
    const first = await importLater(fixture('nuclei.jsonl'))
    const [confirmed] = await resultsOf(key, engagement, { q: 'Git Configuration' })
    app.clock.advance(1_000)
    await key.patch(`/api/v1/results/${confirmed?.id}`, { status: 'confirmed' })
    const second = await importLater(fixture('nuclei.jsonl'))
    for (const id of isOlderFirst ? [first, second] : [second, first]) await undo(id)
    expect((await inventory()).map(({ id, status }) => [id, status])).toEqual([[confirmed?.id, 'confirmed']])
  }
})
