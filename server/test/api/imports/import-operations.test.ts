import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { fixture, imported } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const NMAP = `<?xml version="1.0"?>
<nmaprun scanner="nmap" version="7.95" xmloutputversion="1.05">
<scaninfo type="connect" protocol="tcp" services="22,80-82,443"/>
<host starttime="1795336700" endtime="1795336755"><status state="up" reason="syn-ack"/><address addr="192.0.2.1" addrtype="ipv4"/>
<ports><extraports state="filtered" count="4"/><port protocol="tcp" portid="443"><state state="open" reason="syn-ack"/></port></ports></host>
<host starttime="1795336700" endtime="1795336701"><status state="down" reason="no-response"/><address addr="192.0.2.2" addrtype="ipv4"/></host>
<host><status state="up" reason="syn-ack"/><address addr="192.0.2.3" addrtype="ipv4"/>
<ports><port protocol="tcp" portid="22"><state state="open" reason="syn-ack"/></port></ports></host>
</nmaprun>`
const LIST = [
  '#masscan',
  'open tcp 80 192.0.2.7 1795336755',
  'open tcp 81 192.0.2.7 1795336760',
  'open tcp 443 192.0.2.7 1795336750',
  'open udp 53 192.0.2.7 1795336751',
]

const operationsOf = async (engagementId: string, more = '') =>
  (await key.get(`/api/v1/operations?engagementId=${engagementId}&perPage=100&order=asc${more}`)).body.data as Record<
    string,
    unknown
  >[]

test('the operation log has what a file of nmap reports as sent, and when: all ports of the run, answered or not', async () => {
  const engagementId = await newEngagement(key)
  const { id } = await imported(key, engagementId, NMAP)
  const rows = await operationsOf(engagementId)
  const about = {
    kind: 'import',
    importId: id,
    scanId: null,
    runId: null,
    by: null,
    sourceAddress: null,
    note: 'nmap 7.95',
    port: null,
    host: null,
  }
  expect(rows.toSorted((a, b) => String(a['address']).localeCompare(String(b['address'])))).toMatchObject([
    {
      ...about,
      address: '192.0.2.1',
      protocol: 'tcp',
      ports: '22,80-82,443',
      startedAt: '2026-11-22T08:38:20.000Z',
      endedAt: '2026-11-22T08:39:15.000Z',
    },
    {
      ...about,
      address: '192.0.2.2',
      protocol: null,
      ports: null,
      startedAt: '2026-11-22T08:38:20.000Z',
      endedAt: '2026-11-22T08:38:21.000Z',
    },
  ])
  expect(await operationsOf(engagementId, '&address=192.0.2.1&at=2026-11-22T08:39:00.000Z')).toHaveLength(1)
  expect(await operationsOf(engagementId, '&address=192.0.2.1&at=2026-11-22T09:39:00.000Z')).toEqual([])
})

test('rows with their own times are one entry by address and protocol', async () => {
  const engagementId = await newEngagement(key)
  await imported(key, engagementId, LIST.join('\n'))
  const rows = await operationsOf(engagementId)
  expect(
    rows.map(({ protocol, port, ports, startedAt, endedAt }) => [protocol, port, ports, startedAt, endedAt]),
  ).toEqual([
    ['tcp', null, '80-81,443', '2026-11-22T08:39:10.000Z', '2026-11-22T08:39:20.000Z'],
    ['udp', 53, null, '2026-11-22T08:39:11.000Z', '2026-11-22T08:39:11.000Z'],
  ])
})

const AT = '2026-11-22T08:39:15Z'
test.each<[tool: string, file: string, rows: unknown[]]>([
  [
    'httpx',
    [
      { timestamp: AT, url: 'https://closed.example.com:8443', failed: true, error: 'connection refused' },
      { timestamp: AT, url: 'https://192.0.2.9', host: '192.0.2.9', failed: true, error: 'timeout' },
      { timestamp: AT, url: 'https://gone.example.com', failed: true, error: 'cause="no address found for host"' },
      { timestamp: AT, url: 'https://open.example.com/', host: '192.0.2.10', status_code: 200 },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    [
      [null, 'closed.example.com', 8443],
      ['192.0.2.10', 'open.example.com', 443],
      ['192.0.2.9', null, 443],
    ],
  ],
  [
    'tlsx',
    [
      {
        timestamp: AT,
        host: 'closed.example.com',
        ip: '192.0.2.8',
        port: '8443',
        probe_status: false,
        error: 'connection refused',
      },
      { timestamp: AT, host: '2001:db8::9', port: '443', probe_status: false },
      {
        timestamp: AT,
        host: 'gone.example.com',
        port: '443',
        probe_status: false,
        error: 'could not resolve: no such host',
      },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    [
      ['192.0.2.8', 'closed.example.com', 8443],
      ['2001:db8::9', null, 443],
    ],
  ],
  [
    'nuclei',
    [
      {
        type: 'http',
        host: 'a.example.com',
        port: '8443',
        scheme: 'https',
        url: 'https://a.example.com:8443',
        ip: '192.0.2.8',
      },
      { type: 'dns', host: 'b.example.com' },
    ]
      .map((row) =>
        JSON.stringify({
          'template-id': 'x',
          info: { name: 'X' },
          timestamp: AT,
          'matched-at': '',
          'matcher-status': false,
          ...row,
        }),
      )
      .join('\n'),
    [['192.0.2.8', 'a.example.com', 8443]],
  ],
])(
  '%s: probes that were not answered or did not match are in the log, unless their name did not resolve',
  async (_, file, rows) => {
    const engagementId = await newEngagement(key)
    await imported(key, engagementId, file)
    const found = await operationsOf(engagementId)
    expect(found.map(({ address, host, port }) => [address, host, port]).toSorted()).toEqual(rows)
    for (const row of found)
      expect(row).toMatchObject({ kind: 'import', protocol: 'tcp', startedAt: '2026-11-22T08:39:15.000Z' })
  },
)

test('a preview, the same file again and files without a time write nothing; entries of an undone import stay', async () => {
  const engagementId = await newEngagement(key)
  const preview = await imported(key, engagementId, NMAP, { mode: 'preview' })
  expect([preview.state, await operationsOf(engagementId)]).toEqual(['previewed', []])
  const { id } = await imported(key, engagementId, NMAP)
  expect(await operationsOf(engagementId)).toHaveLength(2)
  await imported(key, engagementId, NMAP)
  await imported(key, engagementId, fixture('names.txt'))
  await imported(key, engagementId, NMAP.replaceAll('17953367', '99953367').replaceAll('starttime', 'x'))
  expect(await operationsOf(engagementId)).toHaveLength(2)
  expect((await key.post(`/api/v1/imports/${id}/undo`)).status).toBe(200)
  expect(await operationsOf(engagementId)).toHaveLength(2)
})
