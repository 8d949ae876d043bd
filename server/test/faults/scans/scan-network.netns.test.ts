import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { HOSTS, NETWORK, PORTS } from '../../support/scans/scanned-hosts.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

const NAMESPACE = `sortie-${process.pid}`
const [OURS, THEIRS] = ['198.19.77.1', '198.19.77.2']
let app: TestApp
let tell: (word: 'change' | 'count') => Promise<unknown>
let leave: () => Promise<void>

const ip = (command: string) => execFileSync('ip', command.split(' '))

/** A namespace behind a pair of devices, where packets for unknown addresses are dropped silently. */
const enterNetwork = async () => {
  ip(`netns add ${NAMESPACE}`)
  ip(`link add ${NAMESPACE} type veth peer name outside netns ${NAMESPACE}`)
  ip(`address add ${OURS}/30 dev ${NAMESPACE}`)
  ip(`link set ${NAMESPACE} up`)
  for (const command of [`address add ${THEIRS}/30 dev outside`, 'link set outside up', 'link set lo up'])
    ip(`-n ${NAMESPACE} ${command}`)
  ip(`route add ${NETWORK} via ${THEIRS}`)
  const script = fileURLToPath(new URL('../../support/scans/scanned-network.ts', import.meta.url))
  const child = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  tell = async (word) => {
    child.stdin.write(`${word}\n`)
    return JSON.parse(String((await lines.next()).value))
  }
  leave = async () => {
    child.stdin.end()
    await closed
  }
}

beforeAll(async () => {
  await enterNetwork()
  app = await testApp({ env: { DNS_SERVERS: HOSTS.names, EGRESS_ALLOW: NETWORK, EGRESS_DENY: HOSTS.refused } })
})
afterAll(async () => {
  await app?.close()
  await leave?.()
  // Its device is deleted with it.
  ip(`netns delete ${NAMESPACE}`)
})

const PAGES = [
  'http://198.18.77.3/',
  'http://198.18.77.3:8080/',
  'http://198.18.77.6/',
  'http://web.lab.example/',
  'http://web.lab.example:8080/',
]
const servicesOf = (address: string, ports: readonly number[]) => ports.map((port) => `service ${address}:${port}/tcp`)
/**
 * A port that accepts a connection is open, whatever it sends then; garbage or silence makes no page and no
 * certificate.
 */
const THERE = [
  ...[HOSTS.names, HOSTS.web, HOSTS.garbage, HOSTS.slow, HOSTS.firewalled].map((address) => `host ${address}`),
  ...servicesOf(HOSTS.web, [80, 8080]),
  ...servicesOf(HOSTS.garbage, PORTS),
  ...servicesOf(HOSTS.slow, PORTS),
  ...servicesOf(HOSTS.firewalled, [80]),
  ...PAGES.map((url) => `http_response ${url}`),
  ...['hidden', 'web'].map((name) => `dns_record ${name}.lab.example`),
].toSorted()

test('N3, N4: a recon scan of a network finds exactly what exists, touches no denied address, and does not treat silence as gone', async () => {
  const key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  const { engagementId, ids } = await engagementWith(key, {
    allow: [NETWORK, '*.lab.example'],
    deny: [HOSTS.outOfScope],
    targets: [NETWORK, 'web.lab.example', 'hidden.lab.example'],
  })
  // Longer than a busy machine keeps the network's process waiting.
  const limits = { timeoutMs: 5_000 }
  const scanners = [
    { id: 'dns' },
    portScan(PORTS, limits),
    { id: 'http', options: limits },
    { id: 'tls', options: limits },
  ]
  const scan = async () => {
    const { id } = await started(key, { engagementId, scanners, targets: { ids } })
    const done = await ended(key, id)
    expect(Date.parse(done.finishedAt) - Date.parse(done.startedAt)).toBeLessThan(hereMs(60_000))
    const log: { text: string }[] = (await key.get(`/api/v1/scans/${id}/log?perPage=100`)).body.data
    return { ...done, messages: log.map(({ text }) => text) }
  }
  const resultsThat = async (state: string) => {
    const results: { kind: string; asset: string; state: string }[] = (
      await key.get(`/api/v1/results?engagementId=${engagementId}&perPage=100`)
    ).body.data
    return results.filter((result) => result.state === state).map(({ kind, asset }) => `${kind} ${asset}`)
  }
  const first = await scan()
  expect(first).toMatchObject({ state: 'succeeded', counts: { created: THERE.length, gone: 0, skipped: 3 } })
  expect((await resultsThat('present')).toSorted()).toEqual(THERE)
  expect(first.messages.filter((text) => text.includes('left out')).toSorted()).toEqual([
    `${HOSTS.refused} was left out: the egress policy refuses it: EGRESS_DENY ${HOSTS.refused}`,
    `hidden.lab.example was left out: out of scope: denied by ${HOSTS.outOfScope}`,
  ])
  expect(first.messages).toContain(`${HOSTS.silent}: 0 of 4 ports are open, 4 did not answer`)

  await tell('change')
  const second = await scan()
  // A service, and the response at its port, by the address and by the name.
  const ended8080 = [
    ...servicesOf(HOSTS.web, [8080]),
    ...PAGES.filter((url) => url.includes(':8080/')).map((url) => `http_response ${url}`),
  ]
  expect(second).toMatchObject({
    state: 'succeeded',
    counts: { created: 0, changed: 0, gone: ended8080.length, skipped: 3 },
  })
  expect((await resultsThat('gone')).toSorted()).toEqual(ended8080.toSorted())
  expect(second.messages).toContain(`${HOSTS.firewalled}: 0 of 4 ports are open, 4 did not answer`)
  expect(await tell('count')).toBe(0)
})
