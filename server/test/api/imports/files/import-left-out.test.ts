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

test('headers beyond 100 of one response are counted, and several of one name are joined', async () => {
  const header = Object.fromEntries(numbers(103).map((number) => [`x-h${number}`, 'v']))
  const response = { url: 'https://a.example', status_code: 200, header }
  expect(await warningsOf(JSON.stringify(response))).toEqual([
    'Headers above 100 of one response, which were left out: 3.',
  ])
  const engagementId = await newEngagement(key)
  const policy = `default-src 'self' ${'https://cdn.example '.repeat(120).trim()}`
  const message = `HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Secure\r\nSet-Cookie: b=2\r\nContent-Security-Policy: ${policy}\r\n\r\nBody`
  const item = `<item><url>https://b.example/</url><method>GET</method><status>200</status><request>GET / HTTP/1.1</request><response base64="true">${Buffer.from(message).toString('base64')}</response></item>`
  await imported(key, engagementId, `<items burpVersion="2026.1">${item}</items>`)
  const [row] = (await key.get(`/api/v1/results?engagementId=${engagementId}`)).body.data
  const { data } = (await key.get(`/api/v1/results/${row.id}`)).body.data
  expect(data.headers).toEqual({ 'set-cookie': 'a=…; Secure, b=…', 'content-security-policy': policy })
})

const UNKNOWN = 'Unknown fields were ignored, with the number of rows: '

test.each([
  [
    'Burp',
    `<issues burpVersion="2026.1"><issue><serialNumber>1</serialNumber><type>1</type><name>N</name><host ip="192.0.2.1">https://a.example</host>
      <path>/</path><severity>Low</severity><verdict>x</verdict></issue></issues>`,
    'verdict (1)',
  ],
  [
    'Nessus',
    `<NessusClientData_v2><Report name="r"><ReportHost name="192.0.2.1"><HostProperties><tag name="host-ip">192.0.2.1</tag></HostProperties>
      <ReportItem port="0" protocol="tcp" severity="1" pluginID="1" pluginName="P"><attachment name="shot.png">eA==</attachment></ReportItem>
      </ReportHost></Report></NessusClientData_v2>`,
    'attachment (1)',
  ],
  [
    'ZAP',
    `<OWASPZAPReport version="2.16"><site name="https://a.example" host="a.example" port="443" ssl="true"><alerts><alertitem><pluginid>1</pluginid>
      <name>N</name><riskcode>1</riskcode><insight>x</insight><instances><instance><uri>https://a.example/</uri><shot>y</shot></instance>
      </instances></alertitem></alerts></site></OWASPZAPReport>`,
    'insight (1), shot (1)',
  ],
  [
    'SARIF',
    JSON.stringify({
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'T' } }, results: [{ ruleId: 'r', message: { text: 'm' }, attachments: [{}] }] },
      ],
    }),
    'attachments (1)',
  ],
  [
    'Acunetix',
    `<ScanGroup><Scan><StartURL>https://a.example</StartURL><ReportItems><ReportItem><Name>N</Name><Severity>low</Severity><Video>x</Video>
      </ReportItem></ReportItems></Scan></ScanGroup>`,
    'Video (1)',
  ],
  [
    'Invicti',
    `<invicti-enterprise><target><url>https://a.example/</url></target><vulnerabilities><vulnerability><name>N</name><severity>Low</severity>
      <owner>x</owner></vulnerability></vulnerabilities></invicti-enterprise>`,
    'owner (1)',
  ],
  [
    'ffuf',
    JSON.stringify({
      commandline: 'ffuf',
      time: '2026-11-24T09:00:00Z',
      results: [{ input: { FUZZ: 'a' }, position: 1, status: 200, url: 'https://a.example/a', mood: 'x' }],
      config: {},
    }),
    'mood (1)',
  ],
  [
    'WPScan',
    JSON.stringify({ banner: {}, target_url: 'https://a.example/', interesting_findings: [], timthumbs: { x: {} } }),
    'timthumbs (1)',
  ],
  [
    'Grype',
    JSON.stringify({
      matches: [{ vulnerability: { id: 'CVE-2026-1' }, artifact: { name: 'a', version: '1' }, mood: 'x' }],
      source: {},
    }),
    'mood (1)',
  ],
  [
    'Semgrep',
    JSON.stringify({ results: [{ check_id: 'r', path: 'a', extra: { mood: 'x' } }], errors: [], paths: {} }),
    'mood (1)',
  ],
  [
    'sslyze',
    JSON.stringify({
      server_scan_results: [
        {
          server_location: { hostname: 'a.example', ip_address: '192.0.2.1', port: 443 },
          scan_result: { heartbleed: null, mood: { status: 'COMPLETED' }, humor: { status: 'NOT_SCHEDULED' } },
        },
      ],
    }),
    'mood (1)',
  ],
  [
    'Nexpose',
    '<NexposeReport version="2.0"><nodes><node address="192.0.2.1" status="alive"><software/></node></nodes></NexposeReport>',
    'software (1)',
  ],
  ['Qualys scans', '<SCAN><IP value="192.0.2.1"><OS>L</OS><MOOD>x</MOOD></IP></SCAN>', 'MOOD (1)'],
  [
    'Qualys reports',
    '<ASSET_DATA_REPORT><HOST_LIST><HOST><IP>192.0.2.1</IP><MOOD>x</MOOD></HOST></HOST_LIST></ASSET_DATA_REPORT>',
    'MOOD (1)',
  ],
  [
    'OpenVAS',
    `<report><report_format/><results><result><name>N</name><host>192.0.2.8</host><port>22/tcp</port><severity>5.0</severity><mood>x</mood>
      </result></results></report>`,
    'mood (1)',
  ],
  [
    'CycloneDX JSON',
    JSON.stringify({
      bomFormat: 'CycloneDX',
      components: [{ name: 'a', version: '1', components: [{ name: 'b', version: '1', mood: 'x' }] }],
    }),
    'mood (1)',
  ],
  [
    'CycloneDX XML',
    `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components><component type="library"><name>a</name><version>1</version><mood>x</mood>
      </component></components></bom>`,
    'mood (1)',
  ],
  [
    'SPDX',
    JSON.stringify({ spdxVersion: 'SPDX-2.3', packages: [{ name: 'a', versionInfo: '1', mood: 'x' }] }),
    'mood (1)',
  ],
])('a field that the reader of %s does not know is named and counted', async (_tool, file, named) => {
  expect(await warningsOf(file)).toContain(`${UNKNOWN}${named}.`)
})

test('what has no place among results is counted: IP protocols that answered, checks that do not apply', async () => {
  const protocols = `<nmaprun scanner="nmap" version="7.95" start="1795510800"><host><status state="up" reason="echo-reply"/>
    <address addr="192.0.2.1" addrtype="ipv4"/><ports><port protocol="ip" portid="1"><state state="open"/></port></ports></host>
    <runstats><finished time="1795510801"/><hosts up="1" down="0" total="1"/></runstats></nmaprun>`
  expect(await warningsOf(protocols)).toContain('IP protocols that answered (-sO), which have no ports: 1.')
  const result = { ruleId: 'r', message: { text: 'm' }, kind: 'notApplicable' }
  const sarif = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'T' } }, results: [result] }] })
  expect(await warningsOf(sarif)).toContain('Checks of T that do not apply and are not findings: 1.')
})

test('banners of one service are joined as a whole', async () => {
  const engagementId = await newEngagement(key)
  const banner = (text: string) => `banner tcp 80 192.0.2.7 1795510800 http ${text}`
  await imported(key, engagementId, ['#masscan', banner('a'.repeat(6_000)), banner('b'.repeat(6_000))].join('\n'))
  const [row] = (await key.get(`/api/v1/results?engagementId=${engagementId}&kind=service`)).body.data
  const { data } = (await key.get(`/api/v1/results/${row.id}`)).body.data
  expect(data.banner).toBe(`http: ${'a'.repeat(6_000)}\nhttp: ${'b'.repeat(6_000)}`)
})

test('what a tool could not examine is counted', async () => {
  const pretty = {
    Invocation: 'testssl',
    version: '3.2',
    scanResult: [{ id: 'scanProblem', severity: 'FATAL', finding: "Can't connect to 192.0.2.1:443" }],
  }
  expect(await warningsOf(JSON.stringify(pretty))).toContain(
    'Rows that are not findings, because a check could not be made: 1.',
  )
  const server = { server_location: { hostname: 'a.example', ip_address: '192.0.2.1', port: 443 } }
  const failed = { ...server, scan_result: { robot: { status: 'ERROR' }, heartbleed: { status: 'COMPLETED' } } }
  expect(await warningsOf(JSON.stringify({ sslyze_version: '6.1.0', server_scan_results: [failed] }))).toContain(
    'Checks of sslyze that failed: 1.',
  )
  const error = '<document title="SSLScan Results" version="2.1"><error>Could not open a connection</error></document>'
  expect(await warningsOf(error)).toContain('Servers that sslscan could not examine: 1.')
  const found = { type: 'response', url: 'https://a.example/x', original_url: 'https://a.example', wildcard: true }
  const rows = [{ type: 'configuration', target_url: 'https://a.example' }, found, { type: 'statistics' }]
  expect(await warningsOf(rows.map((each) => JSON.stringify(each)).join('\n'))).toContain(
    'Answers that every path gets (wildcards), which are not imported: 1.',
  )
})

test('an empty list is what a tool writes that finds nothing: with its format it is read, without one it is named', async () => {
  const engagementId = await newEngagement(key)
  for (const list of ['[]', '[\n]\n', '{}']) {
    const named = await imported(key, engagementId, list, { format: 'nuclei' })
    expect(named.state).toBe('applied')
    expect(named.warnings).toEqual([expect.stringContaining('contains no result')])
    const unnamed = await imported(key, engagementId, list)
    expect([unnamed.state, unnamed.stateReason]).toEqual(['failed', expect.stringContaining('name its format')])
  }
})
