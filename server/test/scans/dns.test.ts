import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dns } from '../../src/features/scans/scanners/names/dns.ts'
import type { ScanInput } from '../../src/features/scans/scanners/scanner.ts'
import { hereMs } from '../support/app/machine.ts'
import { DnsServer } from '../support/network/dns-server.ts'
import { allOf, coverageIn, logIn, rulesOf, sightingsIn, skippedIn, testReach } from '../support/scans/scan-reach.ts'

const NAME = 'shop.example.com'
let server: DnsServer
beforeEach(async () => {
  server = await DnsServer.start()
})
afterEach(() => server.stop())

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'PTR'] as const

const scan = async (
  inputs: ScanInput[],
  {
    types = [...TYPES],
    addTargets = false,
    ...more
  }: { types?: (typeof TYPES)[number][]; addTargets?: boolean } & Parameters<typeof testReach>[0] = {},
) => {
  const { reach, operations } = testReach({ egress: { DNS_SERVERS: [server.address] }, ...more })
  const found = await allOf(dns.run(inputs, { types, addTargets }, reach))
  return { found, operations, titles: sightingsIn(found).map(({ host, title }) => `${host} ${title}`) }
}

const addRecords = () => {
  server.addresses.set(NAME, (type) => (type === 'A' ? ['192.0.2.7'] : ['2001:db8::7']))
  server.records.set(NAME, [
    { type: 'CNAME', name: NAME, ttl: 60, data: 'Edge.example.net' },
    { type: 'MX', name: NAME, ttl: 60, data: { preference: 10, exchange: 'mail.example.com' } },
    { type: 'NS', name: NAME, ttl: 60, data: 'ns1.example.com' },
    { type: 'TXT', name: NAME, ttl: 60, data: ['v=spf1 ', '-all'] },
    {
      type: 'SOA',
      name: NAME,
      ttl: 60,
      data: {
        mname: 'ns1.example.com',
        rname: 'root.example.com',
        serial: 7,
        refresh: 1,
        retry: 2,
        expire: 3,
        minimum: 4,
      },
    },
    { type: 'CAA', name: NAME, ttl: 60, data: { flags: 0, tag: 'issue', value: 'ca.example' } },
  ])
  server.records.set('7.2.0.192.in-addr.arpa', [
    { type: 'PTR', name: '7.2.0.192.in-addr.arpa', ttl: 60, data: 'host7.example.com' },
  ])
}

describe('the scanner of DNS', () => {
  test('queries every type of record, and the name of an address', async () => {
    addRecords()
    const { titles, found, operations } = await scan([
      { kind: 'name', name: NAME },
      { kind: 'address', address: '192.0.2.7' },
    ])
    expect(titles.toSorted()).toEqual(
      [
        `${NAME} A 192.0.2.7`,
        `${NAME} AAAA 2001:db8::7`,
        `${NAME} CNAME edge.example.net`,
        `${NAME} MX mail.example.com`,
        `${NAME} NS ns1.example.com`,
        `${NAME} TXT v=spf1 -all`,
        `${NAME} SOA ns1.example.com root.example.com 7 1 2 3 4`,
        `${NAME} CAA 0 issue "ca.example"`,
        '192.0.2.7 PTR host7.example.com',
      ].toSorted(),
    )
    expect(coverageIn(found)).toHaveLength(9)
    expect(found.filter(({ type }) => type === 'host')).toEqual([])
    expect(found.flatMap((each) => (each.type === 'input' ? [each.input] : []))).toEqual([
      { kind: 'address', address: '192.0.2.7', name: NAME },
      { kind: 'address', address: '2001:db8::7', name: NAME },
    ])
    expect(operations).toEqual([])
  })

  test('reports names and addresses that may become targets, on request', async () => {
    addRecords()
    const { found } = await scan([{ kind: 'name', name: NAME }], { addTargets: true })
    expect(found.flatMap((each) => (each.type === 'host' ? [each.host] : [])).toSorted()).toEqual([
      '192.0.2.7',
      '2001:db8::7',
      'edge.example.net',
      'mail.example.com',
      'ns1.example.com',
    ])
  })

  test('treats a missing name and a missing record as known; SERVFAIL and silence not', async () => {
    server.texts.set('empty.example.com', [])
    server.failing.add('failing.example.com')
    server.silent.add('silent.example.com')
    const names = ['empty', 'nowhere', 'failing', 'silent'].map((name) => `${name}.example.com`)
    const { found, titles } = await scan(
      names.map((name) => ({ kind: 'name', name })),
      { types: ['A'] },
    )
    expect(titles).toEqual([])
    expect(coverageIn(found).toSorted((a, b) => String(a.host).localeCompare(String(b.host)))).toEqual([
      { what: 'records', host: 'empty.example.com', recordType: 'A' },
      { what: 'records', host: 'nowhere.example.com', recordType: 'A' },
    ])
    expect(logIn(found).toSorted()).toEqual([
      'failing.example.com: the name servers did not answer for records of type A (ESERVFAIL)',
      'silent.example.com: the name servers did not answer for records of type A (ETIMEOUT)',
    ])
  })

  test('survives names that cannot be results', async () => {
    server.records.set(NAME, [
      { type: 'NS', name: NAME, ttl: 60, data: 'with blank.example.com' },
      { type: 'NS', name: NAME, ttl: 60, data: 'ns1.example.com' },
      { type: 'TXT', name: NAME, ttl: 60, data: Array.from({ length: 40 }, () => 'x'.repeat(200)) },
    ])
    const { titles, found } = await scan([{ kind: 'name', name: NAME }], { addTargets: true, types: ['NS', 'TXT'] })
    expect(titles).toEqual([`${NAME} NS ns1.example.com`])
    expect(logIn(found).toSorted()).toEqual([
      `${NAME} NS: the value of NS is not a name`,
      `${NAME} TXT: value has more than 4096 characters`,
    ])
  })

  test('does not query names that are out of scope, and ends when it is cancelled', async () => {
    const { found } = await scan([{ kind: 'name', name: 'other.example.org' }], {
      rules: rulesOf('allow *.example.com'),
      types: ['A', 'MX'],
    })
    expect(skippedIn(found)).toEqual([
      'other.example.org: out of scope: covered by no rule',
      'other.example.org: out of scope: covered by no rule',
    ])
    expect(server.asked).toEqual([])
    server.silent.add(NAME)
    const { reach, cancel } = testReach({ egress: { DNS_SERVERS: [server.address] } })
    const scanning = allOf(dns.run([{ kind: 'name', name: NAME }], { types: ['A'], addTargets: false }, reach))
    await expect.poll(() => server.asked).toEqual([NAME])
    const start = performance.now()
    cancel()
    expect(await scanning).toEqual([])
    expect(performance.now() - start).toBeLessThan(hereMs(2_000))
  })
})
