import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

/** What tools report in addition to the finding itself, and consultants need. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const dataOf = async (id: string) => (await key.get(`/api/v1/results/${id}`)).body.data.data
const importing = async (...files: string[]) => {
  const engagementId = await newEngagement(key)
  const imports = []
  for (const file of files) imports.push(await imported(key, engagementId, file))
  const rows = await Promise.all(
    (await resultsOf(key, engagementId)).map(async (row) => ({ ...row, data: await dataOf(row.id) })),
  )
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  return { engagementId, imports, rows, of, last: imports.at(-1) as (typeof imports)[number] }
}

describe('nmap', () => {
  const run = (
    host: string,
    more = '',
  ) => `<?xml version="1.0"?><nmaprun scanner="nmap" args="nmap" start="1795165200" version="7.95">
<scaninfo type="syn" protocol="tcp" numservices="2" services="443,3389"/>
<host starttime="1795165200" endtime="1795165230"><status state="up" reason="echo-reply"/><address addr="192.0.2.20" addrtype="ipv4"/>${host}</host>${more}
<runstats><finished time="1795165231"/><hosts up="1" down="0" total="1"/></runstats></nmaprun>`

  test('scripts of a host, its system, uptime and route are kept; a vulnerability that a script found is a finding', async () => {
    const { of } = await importing(
      run(`<os><osmatch name="Windows Server 2016" accuracy="98"><osclass><cpe>cpe:/o:microsoft:windows_server_2016</cpe></osclass></osmatch></os>
<uptime seconds="1" lastboot="Sat Nov 14 09:00:00 2026"/>
<hostscript><script id="smb-vuln" output="&#xa;  VULNERABLE:&#xa;    Risk factor: HIGH"><table key="CVE-2017-0143"><elem key="title">Code execution in SMB</elem><elem key="state">VULNERABLE</elem><table key="ids"><elem>CVE:CVE-2017-0143</elem></table></table></script><script id="only-a-table" output=""><table key="found"><elem key="a">1</elem></table></script></hostscript>
<trace><hop ttl="1" ipaddr="198.51.100.1" rtt="0.5" host="gw.example.net"/></trace>`),
    )
    expect(of('host')[0]?.data).toMatchObject({
      osAccuracy: 98,
      cpe: ['cpe:/o:microsoft:windows_server_2016'],
      uptime: 'Sat Nov 14 09:00:00 2026',
      traceroute: '1  198.51.100.1 (gw.example.net)',
      scripts: { 'smb-vuln': expect.stringContaining('VULNERABLE'), 'only-a-table': 'found:\n  a: 1' },
    })
    expect(of('vulnerability')).toMatchObject([
      { title: 'Code execution in SMB', severity: 'high', asset: '192.0.2.20', data: { cve: ['CVE-2017-0143'] } },
    ])
  })

  test('a filtered port is a service in that state, and is not counted as open; another uptime changes nothing', async () => {
    const host = (uptime: string) =>
      run(
        `<uptime lastboot="${uptime}"/><ports><port protocol="tcp" portid="443"><state state="open"/></port><port protocol="tcp" portid="3389"><state state="filtered"/></port></ports>`,
      )
    const { of, last, engagementId } = await importing(host('one'), host('two'))
    expect(of('service').map(({ asset, data }) => [asset, data.state])).toEqual([
      ['192.0.2.20:443/tcp', 'open'],
      ['192.0.2.20:3389/tcp', 'filtered'],
    ])
    expect(last.counts.results).toMatchObject({ created: 0, changed: 0, gone: 0, unchanged: 3 })
    const { data: targets } = (await key.get(`/api/v1/targets?engagementId=${engagementId}`)).body
    expect(targets).toHaveLength(1)
  })

  test('ports that nmap only counts are in the host, and another count changes nothing', async () => {
    const host = (closed: number) =>
      run(
        `<ports><extraports state="closed" count="${closed}"><extrareasons reason="reset" count="${closed}" proto="tcp"/></extraports><extraports state="filtered" count="3"><extrareasons reason="no-response" count="2"/><extrareasons reason="admin-prohibited" count="1"/></extraports><port protocol="tcp" portid="443"><state state="open"/></port></ports>`,
      )
    const { of, last } = await importing(host(996), host(995))
    expect(of('host')[0]?.data).toMatchObject({
      otherPorts: '996 closed (reset), 3 filtered (2 no-response, 1 admin-prohibited)',
    })
    expect(last.counts.results).toMatchObject({ created: 0, changed: 0 })
  })

  test('a certificate, its names and the paths of scripts are results; output without a host is named', async () => {
    const script = `<ports><port protocol="tcp" portid="443"><state state="open"/><service name="http" tunnel="ssl"/>
<script id="ssl-cert" output="Subject: commonName=a.example"><table key="subject"><elem key="commonName">a.example</elem></table><table key="extensions"><table><elem key="name">X509v3 Subject Alternative Name</elem><elem key="value">DNS:a.example, DNS:b.example</elem></table></table><elem key="sha1">aabb</elem></script>
<script id="http-enum" output="&#xa;  /admin/: Possible admin folder"/></port></ports>`
    const { of, last } = await importing(
      run(script, '<postscript><script id="creds-summary" output="admin:admin"/></postscript>'),
    )
    expect(of('tls_certificate')[0]?.data).toMatchObject({
      subject: 'CN=a.example',
      names: ['a.example', 'b.example'],
      sha1: 'aabb',
    })
    expect(of('web_path')).toMatchObject([
      { asset: 'https://192.0.2.20/admin/', data: { note: 'Possible admin folder' } },
    ])
    expect(last.warnings).toContainEqual(
      expect.stringContaining('creds-summary belongs to no host, so its output is only here: admin:admin'),
    )
  })
})

test('Burp: all exchanges, interactions out of band and details are kept; HTML is text, and a false positive is one', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const exchange = (request: string) =>
    `<requestresponse><request base64="true">${base64(request)}</request><response base64="true">${base64('HTTP/1.1 200 OK')}</response></requestresponse>`
  const issue = (severity: string, more: string) =>
    `<issue><serialNumber>1</serialNumber><type>1</type><name>${severity} one</name><host ip="192.0.2.80">https://shop.example.com</host><path>/x</path><location>/x</location><severity>${severity}</severity><confidence>Firm</confidence>${more}</issue>`
  const event = `<collaboratorEvent><interactionType>DNS</interactionType><originIp>203.0.113.7</originIp><time>2026-Nov-20</time><lookupHost>a.oast.example</lookupHost>${exchange('lookup')}</collaboratorEvent>`
  const details =
    '<issueDetail><![CDATA[The <b>id</b> &lt;x&gt;]]></issueDetail><issueDetailItems><issueDetailItem>time based</issueDetailItem></issueDetailItems>'
  const { rows } = await importing(
    `<issues burpVersion="2026.1">${issue('High', details + exchange('one') + exchange('two') + event)}${issue('False positive', '')}</issues>`,
  )
  const [high, wrong] = ['High one', 'False positive one'].map((title) => rows.find((row) => row.title === title))
  expect(high?.data.exchanges.map(({ request }: { request: string }) => request)).toEqual(['lookup', 'one', 'two'])
  expect(high?.data).toMatchObject({
    description: 'The id <x>',
    evidence: ['Interaction by DNS from 203.0.113.7 for a.oast.example at 2026-Nov-20', 'time based'],
  })
  expect(wrong?.status).toBe('false_positive')
})

describe('SARIF', () => {
  const file = (uri: string, baseIds: object, more: object = {}) =>
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'T',
              rules: [
                {
                  id: 'r',
                  relationships: [{ target: { id: '328', toolComponent: { name: 'CWE' } } }],
                  help: { markdown: '**Help**' },
                },
              ],
            },
          },
          originalUriBaseIds: baseIds,
          results: [
            {
              ruleId: 'r',
              message: { text: 'm' },
              locations: [
                { physicalLocation: { artifactLocation: { uri, uriBaseId: 'SRC' }, region: { startLine: 4 } } },
              ],
              ...more,
            },
          ],
        },
      ],
    })
  const at = (uri: string, startLine: number, text: string) => ({
    physicalLocation: { artifactLocation: { uri }, region: { startLine } },
    message: { text },
  })

  test('code flows, further places, fixes, taxa and exchanges are kept', async () => {
    const { rows } = await importing(
      file(
        'a.js',
        {},
        {
          codeFlows: [
            {
              threadFlows: [
                { locations: [{ location: at('in.js', 1, 'source') }, { location: at('a.js', 4, 'sink') }] },
              ],
            },
          ],
          relatedLocations: [{ id: 1, ...at('in.js', 1, 'the input') }],
          fixes: [{ description: { text: 'Use a placeholder' } }],
          webRequest: { method: 'GET', target: '/a', headers: { Host: 'a.example' } },
          webResponse: { statusCode: 200, body: { text: 'x' } },
        },
      ),
    )
    expect(rows[0]?.data).toMatchObject({
      codeFlows: ['in.js:1 source\na.js:4 sink'],
      locations: ['[1] in.js:1 the input'],
      solution: 'Use a placeholder\n\n**Help**',
      cwe: ['CWE-328'],
      request: 'GET /a HTTP/1.1\r\nHost: a.example',
      response: 'HTTP/1.1 200 \r\n\r\n\r\nx',
    })
  })

  test('a base that is relative to another is a part of the place; a finding from before that stays the same', async () => {
    const bases = { SRC: { uri: 'app/', uriBaseId: 'ROOT' }, ROOT: { uri: 'file:///home/ci/' } }
    const { rows } = await importing(file('src/a.js', bases))
    expect(rows).toMatchObject([{ asset: 'app/src/a.js' }])
  })

  test('a check that passed ends the finding and is counted', async () => {
    const { rows, last } = await importing(file('a.js', {}), file('a.js', {}, { kind: 'pass' }))
    expect(rows).toMatchObject([{ state: 'gone', status: 'fixed' }])
    expect(last.warnings).toEqual([expect.stringContaining('passed and are not findings: 1')])
  })
})

describe('VEX', () => {
  const bom = (vulnerability: object, components: object[] = []) =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components,
      vulnerabilities: [{ id: 'CVE-2026-10001', ...vulnerability }],
    })
  const lodash = {
    'bom-ref': 'pkg:npm/lodash@4.17.20',
    type: 'library',
    name: 'lodash',
    version: '4.17.20',
    purl: 'pkg:npm/lodash@4.17.20',
  }
  const known = bom({ affects: [{ ref: lodash.purl }] }, [lodash])
  const inOther = (state: string, detail: string, id = 'CVE-2026-10001') =>
    bom({
      id,
      analysis: { state, justification: 'code_not_reachable', detail },
      affects: [{ ref: `urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#${encodeURIComponent(lodash.purl)}` }],
    })

  test.each([
    ['not_affected', 'false_positive', 'present'],
    ['resolved', 'fixed', 'gone'],
    ['exploitable', 'confirmed', 'present'],
    ['in_triage', 'open', 'present'],
  ])('the state %s of another file makes a known finding %s, with the reason', async (vex, status, state) => {
    const { of } = await importing(known, inOther(vex, 'never called'))
    expect(of('vulnerability')).toMatchObject([
      { status, state, data: { analysis: `${vex}: code_not_reachable; never called` } },
    ])
  })

  test('a statement about a finding that is not known adds none, and what a person set wins', async () => {
    const { engagementId, of, last } = await importing(known, inOther('not_affected', 'x', 'CVE-2026-10009'))
    expect(of('vulnerability')).toMatchObject([{ title: 'CVE-2026-10001', status: 'open' }])
    expect(last.state).toBe('applied')
    expect((await key.patch(`/api/v1/results/${of('vulnerability')[0]?.id}`, { status: 'accepted' })).status).toBe(200)
    await imported(key, engagementId, inOther('not_affected', 'x'), { seenAt: new Date().toISOString() })
    expect(await resultsOf(key, engagementId, { kind: 'vulnerability' })).toMatchObject([{ status: 'accepted' }])
  })

  test('OpenVEX decides about findings of several tools', async () => {
    const statement = (status: string, vulnerability: object = { name: 'CVE-2026-10001' }) =>
      JSON.stringify({
        '@context': 'https://openvex.dev/ns/v0.2.0',
        statements: [
          {
            vulnerability,
            products: [{ '@id': lodash.purl }],
            status,
            impact_statement: 'never called',
          },
        ],
      })
    const { of } = await importing(known, statement('not_affected'))
    expect(of('vulnerability')).toMatchObject([
      { status: 'false_positive', data: { analysis: 'not_affected: never called' } },
    ])
    const byAlias = statement('not_affected', { name: 'GHSA-aaaa-bbbb-cccc', aliases: ['CVE-2026-10001'] })
    expect((await importing(known, byAlias)).of('vulnerability')).toMatchObject([{ status: 'false_positive' }])
    expect((await importing(statement('under_investigation'))).last.warnings).toContainEqual(
      expect.stringContaining('decide nothing (under investigation): 1'),
    )
  })
})

test('a package of SPDX keeps the packages that depend on it', async () => {
  const relationship = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
    spdxElementId,
    relationshipType,
    relatedSpdxElement,
  })
  const { of } = await importing(
    JSON.stringify({
      spdxVersion: 'SPDX-2.3',
      packages: [
        { SPDXID: 'SPDXRef-a', name: 'app', versionInfo: '1.0' },
        { SPDXID: 'SPDXRef-l', name: 'lodash', versionInfo: '4.17.20' },
        { SPDXID: 'SPDXRef-t', name: 'tester' },
      ],
      relationships: [
        relationship('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-a'),
        relationship('SPDXRef-a', 'DEPENDS_ON', 'SPDXRef-l'),
        relationship('SPDXRef-l', 'DEV_DEPENDENCY_OF', 'SPDXRef-t'),
      ],
    }),
  )
  expect(of('component').map(({ data }) => [data.name, data.dependents])).toEqual([
    ['app', undefined],
    ['lodash', ['app 1.0', 'tester']],
    ['tester', undefined],
  ])
})

test('a component keeps type, supplier, hashes and dependents; services and affected versions are kept, too', async () => {
  const { of } = await importing(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      components: [
        {
          'bom-ref': 'a',
          type: 'cryptographic-asset',
          name: 'a',
          cpe: 'cpe:2.3:a:a',
          hashes: [{ alg: 'SHA-256', content: 'aa' }],
          supplier: { name: 'S' },
        },
      ],
      services: [{ name: 'payments', endpoints: ['https://pay.example.com'], authenticated: false }],
      dependencies: [{ ref: 'app', dependsOn: ['a'] }],
      vulnerabilities: [{ id: 'CVE-2026-10001', affects: [{ ref: 'a', versions: [{ range: 'vers:semver/<2' }] }] }],
    }),
  )
  expect(of('component').map(({ data }) => data)).toEqual([
    {
      name: 'a',
      type: 'cryptographic-asset',
      supplier: 'S',
      cpe: ['cpe:2.3:a:a'],
      hashes: ['SHA-256: aa'],
      dependents: ['app'],
    },
    { name: 'payments', type: 'service', endpoints: ['https://pay.example.com'], authenticated: false },
  ])
  expect(of('vulnerability')[0]?.data.affectedVersions).toEqual(['vers:semver/<2'])
})

test('scanners: facts that decide the order of work are kept, and texts of 64 KiB are whole', async () => {
  const output = 'x'.repeat(65_536)
  const nessus = `<NessusClientData_v2><Report><ReportHost name="192.0.2.7"><HostProperties><tag name="host-ip">192.0.2.7</tag><tag name="Credentialed_Scan">true</tag></HostProperties>
<ReportItem port="445" protocol="tcp" svc_name="cifs" severity="2" pluginID="1" pluginName="P" pluginFamily="Misc."><synopsis>S</synopsis><vpr_score>6.7</vpr_score><epss_score>0.5</epss_score><exploit_available>true</exploit_available><cvss_base_score>6.4</cvss_base_score><plugin_output>${output}</plugin_output></ReportItem></ReportHost></Report></NessusClientData_v2>`
  const first = await importing(nessus)
  expect(first.of('vulnerability')[0]?.data).toMatchObject({
    vpr: 6.7,
    epss: 0.5,
    exploitAvailable: true,
    family: 'Misc.',
    synopsis: 'S',
    cvssScore: 6.4,
    evidence: [output],
  })
  expect(first.of('host')[0]?.data.credentialed).toBe('true')

  const openvas = `<report><report_format/><host><ip>192.0.2.8</ip><detail><name>best_os_txt</name><value>Debian 12</value></detail></host><ports><port>22/tcp<host>192.0.2.8</host></port></ports>
<results><result><name>N</name><host>192.0.2.8</host><port>22/tcp</port><nvt oid="1.2"><name>N</name><tags>insight=I|affected=A|impact=M</tags><refs><ref type="cert-bund" id="WID-1"/></refs></nvt><severity>5.0</severity><qod><value>98</value></qod><notes><note><text>checked</text></note></notes></result></results></report>`
  const second = await importing(openvas)
  expect(second.of('host')[0]?.data).toMatchObject({ os: 'Debian 12' })
  expect(second.of('service')).toHaveLength(1)
  expect(second.of('vulnerability')[0]?.data).toMatchObject({
    insight: 'I',
    affected: 'A',
    impact: 'M',
    certs: ['WID-1'],
    qualityOfDetection: 98,
    analystNotes: 'checked',
  })

  const nuclei = JSON.stringify({
    'template-id': 't',
    info: { name: 'T', severity: 'high', tags: ['a'], impact: 'All' },
    type: 'http',
    'matched-at': 'https://a.example/x',
    request: 'GET /x',
    'curl-command': 'curl x',
    meta: { username: 'admin' },
    'extractor-name': 'version',
    'extracted-results': ['1.0'],
    interaction: { protocol: 'dns', 'raw-request': 'lookup', 'remote-address': '203.0.113.8' },
  })
  expect((await importing(nuclei)).of('vulnerability')[0]?.data).toMatchObject({
    curl: 'curl x',
    impact: 'All',
    tags: ['a'],
    interaction: 'dns from 203.0.113.8',
    evidence: ['username: admin', 'version: 1.0'],
    exchanges: [{ request: 'GET /x' }, { request: 'lookup' }],
  })

  const tlsx = JSON.stringify({
    host: 'a.example',
    port: '443',
    tls_version: 'tls12',
    serial: '01',
    issuer_dn: 'CN=X',
    revoked: true,
    cipher_enum: [{ version: 'tls10', ciphers: { weak: ['RC4'] } }],
  })
  expect((await importing(tlsx)).of('tls_certificate')[0]?.data).toMatchObject({
    revoked: true,
    ciphers: ['TLSv1: RC4 (weak)'],
  })

  const zap = JSON.stringify({
    '@version': '2.16',
    site: [
      {
        '@name': 'https://a.example',
        alerts: [
          {
            pluginid: '1',
            name: 'X',
            riskcode: '2',
            otherinfo: '<p>more</p>',
            wascid: '8',
            instances: [
              {
                uri: 'https://a.example/',
                method: 'GET',
                'request-header': 'GET / HTTP/1.1',
                'response-header': 'HTTP/1.1 200 OK',
                'response-body': 'body',
              },
            ],
          },
        ],
      },
    ],
  })
  expect((await importing(zap)).of('vulnerability')[0]?.data).toMatchObject({
    request: 'GET / HTTP/1.1',
    response: 'HTTP/1.1 200 OK\n\nbody',
    evidence: ['more'],
    wasc: 'WASC-8',
  })
})

describe('lists that people keep', () => {
  test('a title above the columns, tabs, German words and further columns are read; the status counts', async () => {
    const rows = [
      'Findings of the shop',
      '',
      'Titel\tSchweregrad\tHost\tStatus\tOwner',
      'One\tHoch\t192.0.2.5\toffen\tAda',
      'Two\tNiedrig\t192.0.2.5\takzeptiert\t',
      'Three\tMittel\t192.0.2.5\tbehoben\t',
      'Four\tMittel\t192.0.2.5\tmaybe\t',
    ]
    const { rows: results, last } = await importing(rows.join('\r\n'))
    expect(results.map(({ title, severity, status }) => [title, severity, status]).toSorted()).toEqual([
      ['Four', 'medium', 'open'],
      ['One', 'high', 'open'],
      ['Two', 'low', 'accepted'],
    ])
    expect(results.find(({ title }) => title === 'One')?.data.columns).toBe('owner: Ada')
    expect(last.warnings).toEqual([
      'Rows that are not findings, because their status says that they are fixed: 1.',
      'Unknown statuses were ignored, so these findings are open: "maybe" (1).',
      'Columns without a field of their own, kept as text of each finding: owner.',
    ])
  })

  test.each([
    ['rows', 'title,severity,host\n'],
    [
      'a finding at the site that it examined',
      '<OWASPZAPReport version="2.16.0"><site name="https://a.example" host="a.example" port="443" ssl="true"><alerts/></site></OWASPZAPReport>',
    ],
    [
      'a match of a rule that it checked',
      '{"template-id":"x","info":{"name":"X"},"type":"http","host":"https://a.example","matcher-status":false}',
    ],
  ])('a file without %s says so', async (_, text) => {
    expect((await importing(text)).last).toMatchObject({
      state: 'applied',
      warnings: [expect.stringContaining('contains no result')],
    })
  })
})

test('search finds a result by its rule, its description and the output of scripts, also after a change', async () => {
  const file = (word: string) =>
    JSON.stringify({
      'template-id': 'rule-zebra',
      info: { name: 'T', severity: 'low', description: word },
      type: 'http',
      'matched-at': 'https://a.example/x',
      'extracted-results': [`first\nokapi${word}`],
    })
  const { engagementId } = await importing(file('giraffe'))
  const found = async (q: string) =>
    (await key.get(`/api/v1/search?engagementId=${engagementId}&q=${q}`)).body.data.length
  expect([await found('zebra'), await found('giraffe'), await found('okapigiraffe')]).toEqual([1, 1, 1])
  await imported(key, engagementId, file('hippo'), { seenAt: new Date().toISOString() })
  expect([await found('hippo'), await found('giraffe')]).toEqual([1, 0])
})

test('a text above 64 KiB is cut, and the import says so', async () => {
  const row = {
    'template-id': 't',
    info: { name: 'T', severity: 'low' },
    type: 'http',
    'matched-at': 'https://a.example/x',
  }
  const { last } = await importing(JSON.stringify({ ...row, response: 'x'.repeat(65_537) }))
  expect(last.warnings).toEqual(['Texts with more than 65,536 characters, which were cut there: 1.'])
  expect((await importing(JSON.stringify({ ...row, response: 'x'.repeat(65_536) }))).last.warnings).toEqual([])
})
