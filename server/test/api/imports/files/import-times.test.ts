import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

/** An import's time: as its file states it, and never later than the upload. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const importOne = async (text: string, options: Record<string, string> = {}, engagementId?: string) => {
  const engagement = engagementId ?? (await newEngagement(key))
  const { id, warnings, counts, state } = await imported(key, engagement, text, options)
  const { seenAt, createdAt } = (await key.get(`/api/v1/imports/${id}`)).body.data
  return { id, engagement, warnings, counts, state, seenAt, createdAt }
}

const SECONDS = Date.parse('2026-02-03T04:05:06.000Z') / 1_000
const nmap = (start: number, ports = '<port protocol="tcp" portid="80"><state state="open"/></port>') =>
  `<nmaprun scanner="nmap" start="${start}"><scaninfo protocol="tcp" services="80,443"/><host><status state="up" reason="syn-ack"/><address addr="192.0.2.1" addrtype="ipv4"/><ports>${ports}</ports></host><runstats/></nmaprun>`
const nessus = (tags: string) =>
  `<NessusClientData_v2><Report><ReportHost name="192.0.2.1"><HostProperties>${tags}</HostProperties></ReportHost></Report></NessusClientData_v2>`
const burp = (time: string) =>
  `<issues burpVersion="1" exportTime="${time}"><issue><serialNumber>1</serialNumber><type>1</type><name>N</name><host>https://a.example</host><path>/</path><severity>High</severity><issueDetail><![CDATA[ exportTime="Mon Jan 01 00:00:00 UTC 2001" ]]></issueDetail></issue></issues>`
const zap = (more: object) =>
  JSON.stringify({ '@version': '2.16', ...more, site: [{ '@name': 'https://a.example', alerts: [] }] })
const openvas = (inner: string) =>
  `<report><report>${inner}<host><ip>192.0.2.1</ip></host><results><result><host>192.0.2.1</host><nvt oid="1"><name>N</name><creation_time>2001-01-01T00:00:00Z</creation_time></nvt><severity>5</severity></result></results></report></report>`
const row = (more: object) => JSON.stringify({ ip: '192.0.2.1', port: 80, ...more })

const OWN = '2026-02-03T04:05:06.000Z'
const ASSUMED = expect.stringContaining('UTC is assumed')
const EMPTY = expect.stringContaining('contains no result')

test.each<[what: string, file: string, warnings?: unknown[]]>([
  ['nmap', nmap(SECONDS)],
  ['nmap of several runs, by the first of them', nmap(SECONDS + 60) + nmap(SECONDS)],
  [
    'masscan JSON',
    JSON.stringify([
      { ip: '192.0.2.1', timestamp: String(SECONDS), ports: [{ port: 80, proto: 'tcp', status: 'open' }] },
    ]),
  ],
  ['masscan list', `#masscan\nopen tcp 80 192.0.2.1 ${SECONDS + 5}\nopen tcp 81 192.0.2.1 ${SECONDS}\n# end`],
  [
    'masscan XML',
    `<nmaprun scanner="masscan" start="${SECONDS}"><host endtime="${SECONDS + 9}"><address addr="192.0.2.1"/><ports><port protocol="tcp" portid="80"><state state="open"/></port></ports></host></nmaprun>`,
  ],
  ['naabu', `${row({ timestamp: '2026-02-03T05:05:07.123456789+01:00' })}\n${row({ timestamp: OWN })}`],
  [
    'httpx',
    JSON.stringify({
      url: 'https://a.example/',
      status_code: 200,
      timestamp: OWN,
      body: '{"timestamp":"2001-01-01T00:00:00Z"}',
    }),
  ],
  [
    'tlsx',
    JSON.stringify({
      host: 'a.example',
      port: '443',
      tls_version: 'tls13',
      serial: '1',
      issuer_dn: 'CN=x',
      timestamp: OWN,
    }),
  ],
  [
    'nuclei',
    JSON.stringify({
      'template-id': 't',
      info: { name: 'N' },
      type: 'http',
      'matched-at': 'https://a.example/',
      timestamp: OWN,
    }),
  ],
  [
    'Nessus',
    nessus(`<tag name="HOST_START_TIMESTAMP">${SECONDS}</tag><tag name="HOST_START">Tue Feb 03 09:00:00 2026</tag>`),
  ],
  [
    'Nessus without a zone',
    nessus('<tag name="HOST_START">Tue Feb  3 04:05:06 2026</tag><tag name="HOST_END">Tue Feb  3 05:00:00 2026</tag>'),
    [ASSUMED],
  ],
  ['Burp with a zone', burp('Tue Feb 03 05:05:06 CET 2026')],
  ['Burp with a zone that several share', burp('Tue Feb 03 04:05:06 IST 2026'), [ASSUMED]],
  ['ZAP', zap({ '@generated': 'Tue, 3 Feb 2026 09:05:06', created: OWN }), [EMPTY]],
  ['ZAP of an older version', zap({ '@generated': 'Tue, 3 Feb 2026 04:05:06' }), [ASSUMED, EMPTY]],
  ['ZAP in German', zap({ '@generated': 'Di., 3 Feb. 2026 04:05:06' }), [ASSUMED, EMPTY]],
  ['OpenVAS', openvas(`<scan_start>2026-02-03T05:05:06+01:00</scan_start>`)],
  [
    'SARIF',
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'T' } },
          results: [{ message: { text: 'm' } }],
          invocations: [{ startTimeUtc: OWN }],
        },
      ],
    }),
  ],
  [
    'CycloneDX',
    JSON.stringify({
      bomFormat: 'CycloneDX',
      metadata: { timestamp: OWN },
      components: [{ name: 'a', pedigree: { commits: [{ author: { timestamp: '2001-01-01T00:00:00Z' } }] } }],
    }),
    ['Unknown fields were ignored, with the number of rows: pedigree (1).'],
  ],
])('%s: an import has the time that its file states', async (_format, file, warnings = []) => {
  const { seenAt, warnings: stated, state, engagement } = await importOne(file)
  expect([state, seenAt, stated]).toEqual(['applied', OWN, warnings])
  for (const { firstSeenAt, lastSeenAt } of await resultsOf(key, engagement))
    expect([firstSeenAt, lastSeenAt]).toEqual([OWN, OWN])
})

describe('a time', () => {
  test('after the upload becomes the time of the upload, with a warning', async () => {
    const future = await importOne(nmap(Date.parse('2099-01-01T00:00:00Z') / 1_000))
    expect([future.seenAt, future.warnings]).toEqual([
      future.createdAt,
      [expect.stringMatching(/2099-01-01T00:00:00\.000Z, is after the upload/)],
    ])
    const stated = await importOne(nmap(SECONDS), { seenAt: '2099-01-01T00:00:00.000Z' })
    expect([stated.seenAt, stated.warnings]).toEqual([
      stated.createdAt,
      [expect.stringContaining('is after the upload')],
    ])
  })

  test("from the importer takes precedence over the one in the file, and that over the file system's", async () => {
    const stated = '2026-01-01T00:00:00.000Z'
    expect(await importOne(nmap(SECONDS), { seenAt: stated })).toMatchObject({ seenAt: stated, warnings: [] })
    expect(await importOne(nmap(SECONDS), { writtenAt: stated })).toMatchObject({ seenAt: OWN })
    expect(await importOne(row({}), { writtenAt: stated })).toMatchObject({ seenAt: stated })
    const { seenAt, createdAt } = await importOne(row({}))
    expect(seenAt >= createdAt).toBe(true)
  })

  test('that cannot be read is reported, and another one is used', async () => {
    const { warnings, seenAt, createdAt } = await importOne(zap({ '@generated': 'vor drei Tagen' }))
    expect([warnings, seenAt >= createdAt]).toEqual([
      [expect.stringContaining('"vor drei Tagen", which cannot be read'), EMPTY],
      true,
    ])
  })
})

test('an older file changes nothing that was seen later and marks nothing as gone, and its preview says so', async () => {
  const closed = '<extraports state="closed" count="2"/>'
  const { engagement } = await importOne(nmap(SECONDS))
  const older = nmap(SECONDS - 3_600, closed)
  expect((await importOne(older, {}, engagement)).counts.results).toMatchObject({ gone: 0, older: 1 })
  const again = nmap(SECONDS - 60)
  const preview = await importOne(again, { mode: 'preview' }, engagement)
  expect(preview.counts.results).toMatchObject({ older: 2 })
  expect(preview.warnings).toEqual([
    'The file shows what was there at 2026-02-03T04:04:06.000Z. 2 of its results were seen or changed later, and would stay unchanged.',
  ])
  expect((await resultsOf(key, engagement)).map(({ state, lastSeenAt }) => [state, lastSeenAt])).toEqual([
    ['present', OWN],
    ['present', OWN],
  ])
  expect((await importOne(nmap(SECONDS + 60, closed), {}, engagement)).counts.results).toMatchObject({ gone: 1 })
})

test('Nessus and OpenVAS: the operation log has the time span of each host', async () => {
  const { engagement } = await importOne(
    nessus(`<tag name="HOST_START_TIMESTAMP">${SECONDS}</tag><tag name="HOST_END_TIMESTAMP">${SECONDS + 60}</tag>`),
  )
  await importOne(
    openvas('').replace('<ip>192.0.2.1</ip>', `<ip>192.0.2.2</ip><start>${OWN}</start><end>2026-02-03T04:10:00Z</end>`),
    {},
    engagement,
  )
  const { data } = (await key.get(`/api/v1/operations?engagementId=${engagement}&perPage=100`)).body
  expect(
    data.map(({ address, startedAt, endedAt }: Record<string, string>) => [address, startedAt, endedAt]).toSorted(),
  ).toEqual([
    ['192.0.2.1', OWN, '2026-02-03T04:06:06.000Z'],
    ['192.0.2.2', OWN, '2026-02-03T04:10:00.000Z'],
  ])
})
