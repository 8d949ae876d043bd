import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nmap } from '../../../src/features/scans/scanners/nmap/nmap.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listenWith } from '../../support/clients/listeners.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { listenOnCommonPort } from '../../support/scans/common-ports.ts'
import { imported } from '../../support/scans/imports.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/tls')
const PAIR = {
  cert: readFileSync(path.join(FIXTURES, 'self-signed.pem')),
  key: readFileSync(path.join(FIXTURES, 'key.pem')),
}

const withNmap = test.skipIf((await nmap.unavailable()) !== null && !process.env['CI'])

let app: TestApp
let key: TestClient
let names: DnsServer

beforeAll(async () => {
  names = await DnsServer.start()
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', DNS_SERVERS: names.address } })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(async () => {
  await app.close()
  await names.stop()
})

const shop = (port = 0, address = '127.0.0.1'): Promise<Listener> =>
  listenWith(
    createServer(PAIR, (request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404, {
        server: 'nginx/1.25.3',
        'set-cookie': `id=${Math.random()}`,
      })
      response.end('<title>Shop</title>')
    }),
    address,
    port,
  )

const kindsOf = async (engagementId: string, more = ''): Promise<string[]> => {
  const { data } = (await key.get(`/api/v1/results?engagementId=${engagementId}&perPage=100${more}`)).body as {
    data: { kind: string; asset: string }[]
  }
  return data.map(({ kind, asset }) => `${kind} ${asset}`).toSorted()
}

test('the remaining TTL of a record differs with every query, and is not a change', async () => {
  const name = 'ttl.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const { engagementId, ids } = await engagementWith(key, { allow: [name], targets: [name] })
  const wanted = { engagementId, scanners: [{ id: 'dns', options: { types: ['A'] } }], targets: { ids } }
  names.ttl = 300
  expect((await ended(key, (await started(key, wanted)).id)).counts).toMatchObject({ created: 1 })
  const [record] = (await key.get(`/api/v1/results?engagementId=${engagementId}`)).body.data
  expect(record.data.ttl).toBe(300)
  names.ttl = 120
  expect((await ended(key, (await started(key, wanted)).id)).counts).toMatchObject({ changed: 0, unchanged: 1 })
})

test('a recon run finds services of a name, their responses and certificates; a repetition changes nothing, and closed ones are gone', async () => {
  const name = 'shop.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const listener = await shop()
  const { engagementId, ids } = await engagementWith(key, { allow: [name], targets: [name] })
  const scanners = [{ id: 'dns', options: { types: ['A'] } }, portScan([listener.port]), { id: 'http' }, { id: 'tls' }]
  const wanted = { engagementId, scanners, targets: { ids } }
  expect(await ended(key, (await started(key, wanted)).id)).toMatchObject({ state: 'succeeded', stateReason: null })
  const url = `https://${name}:${listener.port}`
  const all = [
    `dns_record ${name}`,
    'host 127.0.0.1',
    `http_response ${url}/`,
    `service 127.0.0.1:${listener.port}/tcp`,
    `technology ${url}`,
    `tls_certificate ${name}:${listener.port}/tcp`,
  ]
  expect(await kindsOf(engagementId)).toEqual(all)
  const again = await ended(key, (await started(key, wanted)).id)
  expect(again).toMatchObject({ state: 'succeeded', counts: { created: 0, changed: 0, gone: 0 } })
  await listener.stop()
  expect((await ended(key, (await started(key, wanted)).id)).state).toBe('succeeded')
  expect(await kindsOf(engagementId, '&state=gone')).toEqual(all.slice(2))
})

test('a scan misses nothing while the server does not get to run for longer than its time limits', async () => {
  const name = 'busy.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const listener = await shop()
  const { engagementId, ids } = await engagementWith(key, { allow: [name], targets: [name] })
  const options = { timeoutMs: 100 }
  const scanners = [portScan([listener.port], options), { id: 'http', options }, { id: 'tls', options }]
  const { id } = await started(key, { engagementId, scanners, targets: { ids } })
  const blocking = setInterval(() => {
    for (const until = performance.now() + 150; performance.now() < until;);
  }, 10)
  try {
    const isEnded = async () =>
      (await app.db.selectFrom('scans').select('finished_at').where('id', '=', id).executeTakeFirstOrThrow())
        .finished_at !== null
    await eventually(async () => expect(await isEnded()).toBe(true), 90_000)
  } finally {
    clearInterval(blocking)
  }
  const url = `https://${name}:${listener.port}`
  expect(await kindsOf(engagementId)).toEqual([
    'host 127.0.0.1',
    `http_response ${url}/`,
    `service 127.0.0.1:${listener.port}/tcp`,
    `technology ${url}`,
    `tls_certificate ${name}:${listener.port}/tcp`,
  ])
  await listener.stop()
})

test('results of a name are gone once the port is closed at all its addresses; a deny of its queried address moves them', async () => {
  const name = 'twice.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1', '127.0.0.2'] : []))
  const first = await shop()
  const second = await shop(first.port, '127.0.0.2')
  const { engagementId, ids } = await engagementWith(key, { allow: [name], targets: [name] })
  const scan = async (...scanners: object[]) =>
    ended(key, (await started(key, { engagementId, scanners, targets: { ids } })).id)
  const response = `http_response https://${name}:${first.port}/`
  await scan(portScan([first.port]), { id: 'http' })
  expect(await kindsOf(engagementId, '&state=present')).toContain(response)
  await first.stop()
  await scan(portScan([first.port]))
  expect(await kindsOf(engagementId, '&state=gone')).toEqual([`service 127.0.0.1:${first.port}/tcp`])
  await second.stop()
  await scan(portScan([first.port]))
  expect(await kindsOf(engagementId, '&state=gone')).toContain(response)
  expect(await kindsOf(engagementId, '&verdict=in')).toContain(response)
  for (const pattern of ['127.0.0.1', '127.0.0.2'])
    await key.post('/api/v1/scope-rules', { engagementId, effect: 'deny', pattern })
  expect(await kindsOf(engagementId, '&verdict=out')).toContain(response)
})

test('a certificate from a scan and from a file of tlsx is one result; its names in scope become targets on request', async () => {
  const name = 'signed.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const listener = await shop()
  const { engagementId } = await engagementWith(key, { allow: ['*.contoso.example'], targets: [] })
  const ids = [(await key.post('/api/v1/targets', { engagementId, value: `${name}:${listener.port}` })).body.data.id]
  const { fingerprint256, serialNumber } = new X509Certificate(PAIR.cert)
  const row = {
    host: name,
    ip: '127.0.0.1',
    port: String(listener.port),
    tls_version: 'tls13',
    sni: name,
    serial: serialNumber,
  }
  await imported(
    key,
    engagementId,
    JSON.stringify({ ...row, fingerprint_hash: { sha256: fingerprint256.replaceAll(':', '').toLowerCase() } }),
  )
  const scan = async (options: object) =>
    ended(key, (await started(key, { engagementId, scanners: [{ id: 'tls', options }], targets: { ids } })).id)
  const hosts = async () => {
    const { data } = (await key.get(`/api/v1/targets?engagementId=${engagementId}&kind=domain,ip`)).body as {
      data: { canonical: string }[]
    }
    return data.map(({ canonical }) => canonical).toSorted()
  }
  expect(await scan({})).toMatchObject({ state: 'succeeded', counts: { created: 0, changed: 1, gone: 0 } })
  const { data } = (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=tls_certificate`)).body
  expect(data).toMatchObject([{ asset: `${name}:${listener.port}/tcp`, tools: ['tls', 'tlsx'] }])
  expect(await hosts()).toEqual(['127.0.0.1', name])
  await scan({ addTargets: true })
  // A wildcard is not a host.
  expect(await hosts()).toEqual(['127.0.0.1', 'shop.contoso.example', name])
  await listener.stop()
  expect((await scan({})).counts).toMatchObject({ gone: 1 })
})

test('a certificate with its chain is the same from the scanner and from a file of tlsx; addresses that the file leaves out are added', async () => {
  const name = 'chain.contoso.example'
  names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const [leaf, authority] = ['trusted.pem', 'authority.pem'].map((file) =>
    readFileSync(path.join(FIXTURES, file), 'utf8'),
  ) as [string, string]
  const listener = await listenWith(
    createServer({ key: PAIR.key, cert: `${leaf}\n${authority}`, minVersion: 'TLSv1.2' }),
  )
  const shown = new X509Certificate(leaf)
  const signer = new X509Certificate(authority)
  // Output of tlsx: from the country to the name, colons in numbers, names without addresses, and only flags that are
  // true.
  const described = (certificate: X509Certificate) => ({
    subject_dn: certificate.subject.replaceAll('\n', ', '),
    issuer_dn: certificate.issuer.replaceAll('\n', ', '),
    serial: certificate.serialNumber.replaceAll(/(?<=..)(?=(?:..)+$)/g, ':'),
    not_before: new Date(certificate.validFrom).toISOString(),
    not_after: new Date(certificate.validTo).toISOString(),
    fingerprint_hash: { sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase() },
  })
  const row = {
    host: name,
    ip: '127.0.0.1',
    port: String(listener.port),
    sni: name,
    tls_version: 'tls13',
    cipher: 'TLS_AES_128_GCM_SHA256',
    ...described(shown),
    subject_an: shown.subjectAltName?.split(', ').flatMap((entry) => entry.split('DNS:')[1] ?? []),
    mismatched: true,
    version_enum: ['tls12', 'tls13'],
    chain: [described(signer)],
  }
  const looks = async () => {
    const { engagementId } = await engagementWith(key, { allow: ['*.contoso.example'], targets: [] })
    const ids = [(await key.post('/api/v1/targets', { engagementId, value: `${name}:${listener.port}` })).body.data.id]
    return {
      scan: async () =>
        (await ended(key, (await started(key, { engagementId, scanners: [{ id: 'tls' }], targets: { ids } })).id))
          .counts,
      file: async (more = {}) =>
        (await imported(key, engagementId, JSON.stringify({ ...row, ...more }))).counts.results,
      result: async () =>
        (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=tls_certificate`)).body.data[0],
    }
  }
  const scannerFirst = await looks()
  expect(await scannerFirst.scan()).toMatchObject({ created: 1 })
  expect(await scannerFirst.file()).toMatchObject({ created: 0, changed: 0, unchanged: 1 })
  expect(await scannerFirst.file({ version_enum: undefined })).toMatchObject({ changed: 0, unchanged: 1 })
  const { tools, data } = await scannerFirst.result()
  expect(tools).toEqual(['tls', 'tlsx'])
  expect(data).toMatchObject({
    chain: 'CN=Sortie test authority, O=Sortie tests',
    versions: ['TLSv1.2', 'TLSv1.3'],
    mismatched: true,
    selfSigned: false,
  })
  const fileFirst = await looks()
  expect(await fileFirst.file()).toMatchObject({ created: 1 })
  expect((await fileFirst.result()).data).toEqual({ ...data, names: ['target.example.com'], cipher: row.cipher })
  expect(await fileFirst.scan()).toMatchObject({ created: 0, changed: 1 })
  expect((await fileFirst.result()).data.names).toEqual(data.names)
  expect(await fileFirst.file({ version_enum: undefined })).toMatchObject({ changed: 0, unchanged: 1 })
  await listener.stop()
})

withNmap('nmap runs as a scanner: its open ports are results, its addresses in the operation log', async () => {
  const listener = await listenOnCommonPort(shop)
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  const scan = await ended(
    key,
    (await started(key, { engagementId, scanners: [{ id: 'nmap', options: { profile: 'quick' } }], targets: { ids } }))
      .id,
  )
  expect(scan).toMatchObject({ state: 'succeeded', stateReason: null })
  expect(await kindsOf(engagementId)).toContain(`service 127.0.0.1:${listener.port}/tcp`)
  const [operation] = (await key.get(`/api/v1/operations?engagementId=${engagementId}&address=127.0.0.1`)).body.data
  expect(operation).toMatchObject({ kind: 'scan', scanId: scan.id, address: '127.0.0.1', protocol: 'tcp' })
  const scanners = (await key.get('/api/v1/scanners')).body.data as { id: string; available: boolean }[]
  expect(scanners.map(({ id, available }) => [id, available])).toEqual(
    ['dns', 'ports', 'http', 'tls', 'nmap'].map((id) => [id, true]),
  )
  await listener.stop()
})

test('profiles, port lists and options accept only listed values: everything else is 422', async () => {
  const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.0.1'] })
  const hostile = [
    '-oN /tmp/x',
    '--script=vuln',
    '-iL /etc/passwd',
    '$(id)',
    '`id`',
    'quick; id',
    'quick\n-oN',
    '*',
    'quick –oN',
    '',
  ]
  for (const profile of hostile) {
    const answer = await key.post('/api/v1/scans', {
      engagementId,
      scanners: [{ id: 'nmap', options: { profile } }],
      targets: { ids },
    })
    expect([profile, answer.status]).toEqual([profile, 422])
  }
  for (const ports of ['22;id', '-p 22', '0', '70000', '90-80', '22,', 'top-9999']) {
    const answer = await key.post('/api/v1/scans', {
      engagementId,
      scanners: [{ id: 'ports', options: { ports } }],
      targets: { ids },
    })
    expect([ports, answer.status]).toEqual([ports, 422])
  }
  const foreign = await key.post('/api/v1/scans', {
    engagementId,
    scanners: [{ id: 'dns', options: { profile: 'quick' } }],
    targets: { ids },
  })
  expect(foreign.status).toBe(422)
})
