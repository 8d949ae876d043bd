import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

/** Details of each tool's files that an importer can misread, one by one. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const json = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

const nmap = (hosts: string, args = 'scanner="nmap"', info = ''): string =>
  `<nmaprun ${args}>${info}${hosts}<runstats/></nmaprun>`
const host = (
  inner: string,
  { status = 'state="up" reason="syn-ack"', address = '<address addr="192.0.2.1" addrtype="ipv4"/>' } = {},
): string => `<host><status ${status}/>${address}${inner}</host>`
const port = (number: string, { protocol = 'tcp', state = 'open', inner = '' } = {}): string =>
  `<port protocol="${protocol}" portid="${number}"><state state="${state}"/>${inner}</port>`
const ports = (...inner: string[]): string => `<ports>${inner.join('')}</ports>`

const nuclei = (row: object): object => ({
  'template-id': 'git',
  info: { name: 'Git', severity: 'low' },
  type: 'http',
  'matched-at': 'https://a.example/',
  ...row,
})
const issue = (inner: string): string =>
  `<issues burpVersion="2026.1"><issue><host ip="192.0.2.1">https://a.example</host>${inner}</issue></issues>`
const burp = (...types: [type: string, name: string][]): string =>
  `<issues burpVersion="2026.1">${types
    .map(
      ([type, name]) =>
        `<issue><serialNumber>1</serialNumber><type>${type}</type><name>${name}</name><host ip="">https://a.example</host><path>/</path><location>/</location><severity>Information</severity><confidence>Firm</confidence></issue>`,
    )
    .join('')}</issues>`
const nessus = (hostName: string, tags: string, items: string): string =>
  `<NessusClientData_v2><Report name="x"><ReportHost name="${hostName}"><HostProperties>${tags}</HostProperties>${items}</ReportHost></Report></NessusClientData_v2>`
const item = (id: string, severity: number, number = 443): string =>
  `<ReportItem port="${number}" svc_name="www" protocol="tcp" severity="${severity}" pluginID="${id}" pluginName="P ${id}" pluginFamily="f"></ReportItem>`
const zap = (site: object): string => json({ '@version': '2.15.0', site: [site] })
const alert = (more: object): object => ({
  pluginid: '1',
  name: 'A',
  riskcode: '3',
  confidence: '2',
  instances: [{ uri: 'https://a.example/x' }],
  ...more,
})
const openvas = (result: string): string =>
  `<report id="r"><report id="r"><results><result id="1">${result}</result></results></report></report>`
const nvt = '<nvt oid="1.3.6"><name>N</name></nvt>'
const sarif = (result: object, rules: object[] = []): string =>
  json({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'T', rules } }, results: [{ message: { text: 'm' }, ruleId: 'r', ...result }] }],
  })
const bom = (more: object): string => json({ bomFormat: 'CycloneDX', specVersion: '1.5', ...more })
const csv = (...lines: string[]): string => lines.join('\n')

test.each<[fact: string, file: string, results: string[], rejected?: number]>([
  ['nmap: -sL has seen no one', nmap(host('', { status: 'state="unknown"' })), []],
  ['nmap: a host that is down is none', nmap(host('', { status: 'state="down" reason="no-response"' })), []],
  [
    'nmap: -Pn says up without an answer',
    nmap(host(ports('<extraports state="filtered" count="9"/>'), { status: 'state="up" reason="user-set"' })),
    [],
  ],
  [
    'nmap: -Pn with an open port has an answer',
    nmap(host(ports(port('80')), { status: 'state="up" reason="user-set"' })),
    ['host 192.0.2.1', 'service 192.0.2.1:80/tcp'],
  ],
  ['nmap: -sn has no scaninfo', nmap(host('')), ['host 192.0.2.1']],
  [
    'nmap: a filtered port is a service',
    nmap(host(ports(port('53', { state: 'filtered' })))),
    ['host 192.0.2.1', 'service 192.0.2.1:53/tcp'],
  ],
  [
    'nmap: TCP 53 and UDP 53 are two, and SCTP a third',
    nmap(host(ports(...['tcp', 'udp', 'sctp'].map((protocol) => port('53', { protocol }))))),
    ['host 192.0.2.1', 'service 192.0.2.1:53/sctp', 'service 192.0.2.1:53/tcp', 'service 192.0.2.1:53/udp'],
  ],
  [
    'nmap: -sO has numbers of protocols, not ports',
    nmap(host(ports(port('6', { protocol: 'ip' })))),
    ['host 192.0.2.1'],
  ],
  [
    'nmap: a hosthint is not a host',
    nmap('', undefined, '<hosthint><status state="up"/><address addr="192.0.2.9" addrtype="ipv4"/></hosthint>'),
    [],
  ],
  [
    'nmap: a name without an address keeps its services',
    nmap(host(`<hostnames><hostname name="A.example." type="user"/></hostnames>${ports(port('80'))}`, { address: '' })),
    ['host a.example', 'service a.example:80/tcp'],
  ],
  [
    'nmap: only IPv6',
    nmap(host('', { address: '<address addr="2001:DB8:0::1" addrtype="ipv6"/>' })),
    ['host 2001:db8::1'],
  ],
  [
    'nmap: PTR is a record, user only what was asked',
    nmap(
      host('<hostnames><hostname name="a.example" type="user"/><hostname name="b.example" type="PTR"/></hostnames>'),
    ),
    ['dns_record 192.0.2.1', 'host 192.0.2.1'],
  ],
  [
    'nmap: --open lists only open ports, and leaves out hosts without any',
    nmap(
      host(ports('<extraports state="closed" count="2"/>', port('80'))),
      'scanner="nmap" args="nmap --open 192.0.2.0/24"',
    ),
    ['host 192.0.2.1', 'service 192.0.2.1:80/tcp'],
  ],
  [
    'nmap: the output of a script of 1.3 MB',
    nmap(host(ports(port('445', { inner: `<script id="s" output="${'long '.repeat(270_000)}"/>` })))),
    ['host 192.0.2.1', 'service 192.0.2.1:445/tcp'],
  ],
  [
    'nmap: a host script is not a port',
    nmap(host(`${ports(port('445'))}<hostscript><script id="smb2-time" output="x"/></hostscript>`)),
    ['host 192.0.2.1', 'service 192.0.2.1:445/tcp'],
  ],
  [
    'nmap: runstats may disagree with the hosts listed',
    nmap(host('')).replace('<runstats/>', '<runstats><hosts up="9" down="0" total="9"/></runstats>'),
    ['host 192.0.2.1'],
  ],
  [
    'masscan: a closed record is not a service',
    json({ ip: '192.0.2.1', ports: [{ port: 80, proto: 'tcp', status: 'closed' }] }),
    [],
  ],
  [
    'masscan: ICMP is not a port, but the answer of a host',
    json({ ip: '192.0.2.1', ports: [{ port: 0, proto: 'icmp', status: 'open' }] }),
    ['host 192.0.2.1'],
  ],
  [
    'masscan: a comma after the last record, no bracket, and the row that says finished',
    '[\n{"ip":"192.0.2.1","ports":[{"port":80,"proto":"tcp","status":"open"}]},\n{"finished":1}\n',
    ['service 192.0.2.1:80/tcp'],
  ],
  [
    'masscan XML: hosts without status; its scaninfo lists no ports',
    nmap(
      `<host><address addr="192.0.2.1" addrtype="ipv4"/>${ports(port('80'))}</host>`,
      'scanner="masscan"',
      '<scaninfo type="syn" protocol="tcp"/>',
    ),
    ['service 192.0.2.1:80/tcp'],
  ],
  [
    'naabu: every port twice, and no protocol is TCP',
    json({ ip: '192.0.2.1', port: 80 }, { ip: '192.0.2.1', port: 80 }),
    ['service 192.0.2.1:80/tcp'],
  ],
  [
    'naabu: two names on one address are one service',
    json({ host: 'a.example', ip: '192.0.2.1', port: 80 }, { host: 'b.example', ip: '192.0.2.1', port: 80 }),
    ['dns_record a.example', 'dns_record b.example', 'service 192.0.2.1:80/tcp'],
  ],
  [
    'naabu: ports of a content delivery network are its own, seen by the name',
    json({ host: 'a.example', ip: '198.51.100.7', port: 443, cdn: true, 'cdn-name': 'cloudflare' }),
    ['dns_record a.example', 'service 198.51.100.7:443/tcp CDN: cloudflare'],
  ],
  [
    'naabu: without a name of the network, and where it is none',
    json({ ip: '198.51.100.7', port: 443, cdn: true }, { ip: '192.0.2.1', port: 80, cdn: false }),
    ['service 192.0.2.1:80/tcp', 'service 198.51.100.7:443/tcp CDN: unnamed'],
  ],
  [
    'naabu: an impossible address',
    json({ ip: '192.0.2.1', port: 80 }, { ip: '192.0.2.999', port: 80 }),
    ['service 192.0.2.1:80/tcp'],
    1,
  ],
  [
    'naabu: lines host:port',
    'a.example:80\n[2001:db8::1]:443\n',
    ['service [2001:db8::1]:443/tcp', 'service a.example:80/tcp'],
  ],
  [
    'subfinder: with an address, a record',
    json({ host: 'a.example', input: 'example', source: 'x', ip: '192.0.2.1' }),
    ['dns_record a.example'],
  ],
  [
    'amass: names and their addresses',
    json({ name: 'A.example.', domain: 'example', addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }] }),
    ['dns_record a.example', 'dns_record a.example'],
  ],
  [
    'httpx: old keys, and a method that is absent is GET',
    json({ url: 'https://a.example:443', 'status-code': 200 }),
    ['http_response https://a.example/ GET', 'service a.example:443/tcp'],
  ],
  [
    'httpx: a failed row was asked and has not answered',
    json({ url: 'https://a.example/', failed: true, status_code: 0 }),
    [],
  ],
  [
    'httpx: ports of a content delivery network',
    json({
      url: 'https://a.example/',
      status_code: 200,
      host: '198.51.100.7',
      cdn: true,
      cdn_name: 'cloudflare',
      cdn_type: 'waf',
    }),
    ['http_response https://a.example/ GET', 'service 198.51.100.7:443/tcp CDN: cloudflare'],
  ],
  [
    'httpx: a technology splits at the last colon, and is recorded at the origin',
    json({ url: 'https://a.example/x', status_code: 200, tech: ['Lib: Core:1.2'] }),
    [
      'http_response https://a.example/x GET',
      'service a.example:443/tcp',
      'technology https://a.example Lib: Core 1.2',
    ],
  ],
  [
    'httpx: `a` may hold IPv6 or rubbish; the port is text, the host an address, the name the input',
    json({
      url: 'https://a.example/',
      input: 'a.example',
      host: '192.0.2.1',
      port: '443',
      status_code: 200,
      a: ['2001:db8::1', 'rubbish!'],
    }),
    ['dns_record a.example', 'http_response https://a.example/ GET', 'service 192.0.2.1:443/tcp'],
  ],
  [
    'tlsx: without a fingerprint, issuer and serial number',
    json({ host: 'a.example', port: '443', tls_version: 'tls13', serial: '1', issuer_dn: 'CN=x' }),
    ['tls_certificate a.example:443/tcp'],
  ],
  [
    'tlsx: a wildcard certificate is one certificate of the host that showed it, and its wildcard is not a host',
    json({
      host: 'a.b.example',
      port: '443',
      tls_version: 'tls13',
      wildcard_certificate: true,
      serial: '1',
      issuer_dn: 'CN=x',
      subject_an: ['*.b.example', 'b.example'],
    }),
    ['tls_certificate a.b.example:443/tcp'],
  ],
  ['tlsx: a probe that failed was asked', json({ host: 'a.example', port: '443', probe_status: false }), []],
  [
    'nuclei: old keys',
    json({ templateID: 'git', info: { name: 'Git', severity: 'LOW' }, type: 'http', matched: 'https://a.example/x' }),
    ['vulnerability https://a.example low https://a.example/x'],
  ],
  ['nuclei: checked and not there is no finding', json(nuclei({ 'matcher-status': false })), []],
  [
    'nuclei: the host is a URL while matched-at is host:port',
    json(nuclei({ host: 'https://a.example', 'matched-at': 'a.example:8443', type: 'tcp' })),
    ['vulnerability a.example:8443/tcp low a.example:8443'],
  ],
  [
    'nuclei: the location falls back to host, url, ip',
    json(
      ...[{ host: 'b.example' }, { url: 'https://c.example/' }, { ip: '192.0.2.1.' }].map((place) => ({
        ...nuclei({}),
        'matched-at': undefined,
        ...place,
      })),
    ),
    [
      'vulnerability 192.0.2.1 low 192.0.2.1',
      'vulnerability b.example low b.example',
      'vulnerability https://c.example low https://c.example/',
    ],
  ],
  [
    'nuclei: the template id is missing',
    json({ info: { name: 'Git', severity: 'low' }, type: 'http', 'matched-at': 'https://a.example/' }),
    ['vulnerability https://a.example low https://a.example/'],
  ],
  [
    'nuclei: a port that is none, %c0 in a URL, no severity',
    json(
      nuclei({
        port: 'notaport',
        'matched-at': 'https://a.example/%c0',
        info: { name: 'Git', classification: { 'cwe-id': 'none' }, tags: null },
      }),
    ),
    ['vulnerability https://a.example null https://a.example/%c0'],
  ],
  [
    'nuclei: log lines between rows',
    `[INF] begins\n${json(nuclei({}))}\n[INF] ends`,
    ['vulnerability https://a.example low https://a.example/'],
  ],
  [
    'nuclei: rows that differ only in meta are one finding',
    json(nuclei({ meta: { user: 'a' } }), nuclei({ meta: { user: 'b' } })),
    ['vulnerability https://a.example low https://a.example/'],
  ],
  [
    'burp: extensions share a type, so the name tells them apart; Information is info',
    burp(['134217728', 'One'], ['134217728', 'Two'], ['134217728', 'Two']),
    ['vulnerability https://a.example info /', 'vulnerability https://a.example info /'],
  ],
  [
    'burp: // begins a path',
    issue('<type>1</type><name>N</name><path>//b/x</path><severity>Low</severity>'),
    ['vulnerability https://a.example low //b/x'],
  ],
  [
    'burp: DOCTYPE, XML 1.1, an empty response, bytes that are not UTF-8',
    `<?xml version="1.1"?><!DOCTYPE issues [<!ELEMENT issues (issue*)>]>${issue('<type>1</type><name>N</name><path>/</path><location>/</location><severity>High</severity><requestresponse><request base64="true">//79</request><response base64="true"></response></requestresponse>')}`,
    ['vulnerability https://a.example high /'],
  ],
  [
    'nessus: without host-ip the name of the host; severity 0 to 4; one plugin twice on a port is one',
    nessus('a.example', '', [0, 1, 2, 3, 4, 4].map((severity) => item(`${severity}`, severity)).join('')),
    [
      'host a.example',
      'service a.example:443/tcp',
      ...['critical', 'high', 'info', 'low', 'medium'].map((word) => `vulnerability a.example:443/tcp ${word}`),
    ],
  ],
  [
    'nessus: a policy of 1.3 MB before the first host',
    nessus('x', '<tag name="host-ip">192.0.2.1</tag>', item('1', 2)).replace(
      '<Report ',
      `<Policy><policyName>All</policyName><Preferences>${`<preference><name>plugin_set</name><value>${'1000;'.repeat(1_000)}</value></preference>`.repeat(260)}</Preferences></Policy><Report `,
    ),
    ['host 192.0.2.1', 'service 192.0.2.1:443/tcp', 'vulnerability 192.0.2.1:443/tcp medium'],
  ],
  [
    'nessus: port 0 is ignored',
    nessus('x', '<tag name="host-ip">192.0.2.1</tag>', item('1', 2, 0)),
    ['host 192.0.2.1', 'vulnerability 192.0.2.1 medium'],
  ],
  [
    'zap: //host, riskcode 3 is high; count and riskdesc say nothing',
    zap({
      '@name': '//a.example',
      alerts: [alert({ count: '7', riskdesc: 'Hoch', instances: [{ uri: 'http://a.example/' }] })],
    }),
    ['vulnerability http://a.example high http://a.example/', 'web_path http://a.example/'],
  ],
  [
    'zap: 2.4 has the uri in the alert',
    '<OWASPZAPReport version="2.4"><site name="https://a.example" host="a.example"><alerts><alertitem><pluginid>1</pluginid><alert>A</alert><riskcode>1</riskcode><uri>https://a.example/x</uri></alertitem></alerts></site></OWASPZAPReport>',
    ['vulnerability https://a.example low https://a.example/x', 'web_path https://a.example/x'],
  ],
  [
    'zap: one rule in two alerts is one finding at a place',
    zap({ '@name': 'https://a.example', alerts: [alert({}), alert({})] }),
    ['vulnerability https://a.example high https://a.example/x', 'web_path https://a.example/x'],
  ],
  [
    'openvas: general/tcp is not a port',
    openvas(`${nvt}<host>192.0.2.1<hostname>a.example</hostname></host><port>general/tcp</port><severity>5</severity>`),
    ['vulnerability 192.0.2.1 medium'],
  ],
  [
    'openvas: http (80/tcp); 9.8 is critical, whatever the threat says',
    openvas(`${nvt}<host>192.0.2.1</host><port>http (80/tcp)</port><severity>9.8</severity><threat>High</threat>`),
    ['vulnerability 192.0.2.1:80/tcp critical'],
  ],
  [
    'openvas: without a number the threat decides, and an empty one says nothing',
    openvas(`${nvt}<host>192.0.2.1</host><port>80/tcp</port><threat/>`),
    ['vulnerability 192.0.2.1:80/tcp null'],
  ],
  [
    'openvas: CVEs as text; results of detections are none; get_reports_response',
    `<get_reports_response>${openvas(`${nvt.replace('</nvt>', '<cve>CVE-2021-44228, CVE-2021-45046</cve></nvt>')}<host>192.0.2.1</host><port>80/tcp</port><severity>0.0</severity><detection><result id="d"><details/></result></detection>`)}</get_reports_response>`,
    ['vulnerability 192.0.2.1:80/tcp info CVE-2021-44228 CVE-2021-45046'],
  ],
  ['sarif: without a level warning, which is medium', `\ufeff${sarif({})}`, ['vulnerability T medium']],
  [
    'sarif: security-severity wins over the level, which the rule may say',
    sarif({ ruleId: undefined, ruleIndex: 0 }, [
      { id: 'r', defaultConfiguration: { level: 'note' }, properties: { 'security-severity': '9.1' } },
    ]),
    ['vulnerability T critical'],
  ],
  ['sarif: pass and notApplicable are none', sarif({ kind: 'pass' }), []],
  [
    'sarif: line and column of the first location, from a drive of Windows; a fingerprint that is an object',
    sarif({
      level: 'error',
      fingerprints: { a: {} },
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'file:///C:/a.c' }, region: { startLine: 3, startColumn: 4 } } },
      ],
    }),
    ['vulnerability file:///C:/a.c high file:///C:/a.c:3:4'],
  ],
  ['sarif: what an earlier run found and this one not any more is none', sarif({ baselineState: 'absent' }), []],
  ...(
    [
      ['relative', 'src/a.c', undefined, 'src/a.c'],
      ['with escapes, which are left as they are', 'src/my%20file%C3%A4.c', undefined, 'src/my%20file%C3%A4.c'],
      ['with an escape that is none', 'src/100%.c', undefined, 'src/100%.c'],
      ['outside of the root, which is only text', '../../etc/passwd', undefined, '../../etc/passwd'],
      ['below a root that the run names', 'src/a.c', { uri: 'file:///build/' }, 'file:///build/src/a.c'],
      ['below a root without an address', 'src/a.c', { description: { text: 'The root.' } }, 'src/a.c'],
      ['leading out of a root', '../../../etc/passwd', { uri: 'file:///build/' }, 'file:///etc/passwd'],
      ['absolute, whatever the root', 'file:///other/a.c', { uri: 'file:///build/' }, 'file:///other/a.c'],
    ] as const
  ).map(([what, uri, root, location]): [string, string, string[]] => [
    `sarif: a location ${what}`,
    json({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'T' } },
          originalUriBaseIds: root && { ROOT: root },
          results: [
            {
              ruleId: 'r',
              message: { text: 'm' },
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri, uriBaseId: root && 'ROOT' }, region: { startLine: 3 } },
                },
              ],
            },
          ],
        },
      ],
    }),
    [`vulnerability ${location} medium ${location}:3`],
  ]),
  ['sarif: no runs', json({ version: '2.1.0', runs: [] }), []],
  [
    'cyclonedx: components within components, and repeated ones',
    bom({
      components: [
        { type: 'library', name: 'a', version: '1', components: [{ type: 'library', name: 'b' }] },
        { type: 'library', name: 'b' },
      ],
    }),
    ['component a@1 a 1', 'component b'],
  ],
  [
    'cyclonedx: the highest rating counts, and affects may point outside of the file',
    bom({
      vulnerabilities: [
        {
          id: 'CVE-2021-44228',
          ratings: [{ severity: 'low' }, { severity: 'critical' }],
          affects: [{ ref: 'elsewhere' }],
        },
      ],
    }),
    ['vulnerability elsewhere critical CVE-2021-44228'],
  ],
  [
    'cyclonedx: not_affected is not a finding',
    bom({ vulnerabilities: [{ id: 'CVE-2021-44228', analysis: { state: 'not_affected' }, affects: [{ ref: 'x' }] }] }),
    [],
  ],
  ...['1.2', '1.3', '1.4', '1.5', '1.6'].map((version): [string, string, string[]] => [
    `cyclonedx: XML of ${version}, with and without a prefix`,
    `<?xml version="1.0"?><c:bom xmlns:c="http://cyclonedx.org/schema/bom/${version}" version="1"><c:components><c:component type="library" bom-ref="a"><c:name>a</c:name><c:version>1</c:version></c:component></c:components>${
      version > '1.3'
        ? '<c:vulnerabilities><c:vulnerability><c:id>CVE-2021-44228</c:id><c:ratings><c:rating><c:severity>high</c:severity></c:rating></c:ratings><c:affects><c:target><c:ref>a</c:ref></c:target></c:affects></c:vulnerability></c:vulnerabilities>'
        : '<v:vulnerabilities xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0"><v:vulnerability ref="a"><v:id>CVE-2021-44228</v:id><v:ratings><v:rating><v:severity>High</v:severity></v:rating></v:ratings></v:vulnerability></v:vulnerabilities>'
    }</c:bom>`,
    ['component a@1 a 1', 'vulnerability a@1 high CVE-2021-44228'],
  ]),
  [
    'cyclonedx: below 1.4, vulnerabilities are inside their component',
    '<bom xmlns="http://cyclonedx.org/schema/bom/1.2" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0"><components><component type="library"><name>a</name><version>1</version><purl>pkg:npm/a@1</purl><v:vulnerabilities><v:vulnerability ref="pkg:npm/a@1"><v:id>CVE-2021-44228</v:id><v:ratings><v:rating><v:severity>Low</v:severity></v:rating></v:ratings></v:vulnerability></v:vulnerabilities></component></components></bom>',
    ['component pkg:npm/a@1 a 1', 'vulnerability pkg:npm/a@1 low CVE-2021-44228'],
  ],
  [
    'cyclonedx: a version that is newer than known',
    bom({ specVersion: '9.9', components: [{ type: 'library', name: 'a' }] }),
    ['component a'],
  ],
  [
    'csv: semicolons, blanks around columns and a column without name, empty rows, cells that begin with =',
    csv('Title ; Severity;; host', '"=cmd\nline";HIGH;x;192.0.2.1', ';;;', 'Other;odd;;192.0.2.1'),
    ['vulnerability 192.0.2.1 high 192.0.2.1', 'vulnerability 192.0.2.1 null 192.0.2.1'],
  ],
  [
    'csv: dates are not read, so day first or month first is the same',
    csv(
      'title,severity,host,date',
      'A,low,192.0.2.1,03/04/2026',
      'B,low,192.0.2.1,13/04/2026',
      'C,low,192.0.2.1,04-13-26',
      'D,low,192.0.2.1,yesterday',
    ),
    Array.from({ length: 4 }, () => 'vulnerability 192.0.2.1 low 192.0.2.1'),
  ],
  [
    'csv: one row for each CVE of one finding is one',
    csv(
      'Plugin ID,CVE,Risk,Host,Protocol,Port,Name',
      '1,CVE-2021-44228,High,192.0.2.1,tcp,443,L',
      '1,CVE-2021-45046,High,192.0.2.1,tcp,443,L',
    ),
    ['vulnerability 192.0.2.1:443/tcp high CVE-2021-44228 CVE-2021-45046'],
  ],
  [
    'csv of testssl: OK and INFO are not findings',
    csv(
      '"id","fqdn/ip","port","severity","finding","cve","cwe"',
      '"a","a.example/192.0.2.1","443","OK","x","",""',
      '"b","a.example/192.0.2.1","443","INFO","x","",""',
      '"c","a.example/192.0.2.1","443","MEDIUM","x","",""',
    ),
    ['vulnerability 192.0.2.1:443/tcp medium 192.0.2.1:443/tcp'],
  ],
])('%s', async (_fact, file, results, rejected = 0) => {
  const engagement = await newEngagement(key)
  const { counts, state, stateReason } = await imported(key, engagement, file)
  expect([state === 'failed' ? stateReason : null, counts.rejected]).toEqual([null, rejected])
  const described = ({
    data,
  }: {
    data: { method?: string; location?: string; name?: string; version?: string; cve?: string[]; extraInfo?: string }
  }) =>
    [
      data.method,
      data.location,
      data.name && data.version && `${data.name} ${data.version}`,
      data.extraInfo,
      ...(data.cve ?? []),
    ].filter(Boolean)
  const rows = await resultsOf(key, engagement)
  const lines = rows.map((row) =>
    [row.kind, row.asset, ...(row.kind === 'vulnerability' ? [row.severity ?? 'null'] : []), ...described(row)].join(
      ' ',
    ),
  )
  expect(lines.toSorted()).toEqual(results.toSorted())
})

test.each(['new', 'unchanged', 'updated'])(
  'sarif: a result that is %s relative to the baseline exists, and its state is kept',
  async (baselineState) => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, sarif({ baselineState }))
    const [row] = await resultsOf(key, engagement)
    expect((await key.get(`/api/v1/results/${row?.id}`)).body.data).toMatchObject({
      state: 'present',
      data: { evidence: [`baseline: ${baselineState}`] },
    })
  },
)
