import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

/** Files as users have them, which an importer can misread: one test for each kind of fault. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const json = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

const importing = async (files: readonly (string | Uint8Array)[], options: Record<string, string> = {}) => {
  const engagementId = await newEngagement(key)
  const imports = []
  for (const bytes of files) imports.push(await imported(key, engagementId, bytes, options))
  const rows = await resultsOf(key, engagementId)
  return { engagementId, imports, rows, last: imports.at(-1) as (typeof imports)[number] }
}

const dataOf = async (id: string | undefined) => (await key.get(`/api/v1/results/${id}`)).body.data.data
const targetsOf = async (engagementId: string): Promise<string[]> =>
  (await key.get(`/api/v1/targets?engagementId=${engagementId}&perPage=100`)).body.data
    .map((each: { canonical: string }) => each.canonical)
    .toSorted()

describe('SARIF', () => {
  const sarif = (run: { driver?: object; results: object[]; extensions?: object[] }): string =>
    json({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'T', ...run.driver }, ...(run.extensions && { extensions: run.extensions }) },
          results: run.results,
        },
      ],
    })
  const rule = (id: string, severity: string, more: object = {}) => ({
    id,
    name: id,
    properties: { 'security-severity': severity },
    ...more,
  })
  const at = (uri: string, startLine?: number) => [
    { physicalLocation: { artifactLocation: { uri }, ...(startLine && { region: { startLine } }) } },
  ]
  const result = (ruleId: string, more: object = {}) => ({
    ruleId,
    message: { text: 'm' },
    locations: at('a.js', 1),
    ...more,
  })
  const severities = async (text: string) =>
    Object.fromEntries((await importing([text])).rows.map(({ title, severity }) => [title, severity]))

  test('a rule index with a different id is wrong: the id decides', async () => {
    const rules = [rule('a', '2'), rule('b', '9.5')]
    expect(
      await severities(
        sarif({ driver: { rules }, results: [result('a', { ruleIndex: 1 }), result('b', { ruleIndex: 0 })] }),
      ),
    ).toEqual({
      a: 'low',
      b: 'critical',
    })
    expect(
      await severities(sarif({ driver: { rules }, results: [result('b/part', { ruleIndex: 1 })] })),
      'an id that continues the rule',
    ).toEqual({
      b: 'critical',
    })
    expect(
      await severities(sarif({ driver: { rules }, results: [{ ...result('x'), ruleId: undefined, ruleIndex: 1 }] })),
      'only an index',
    ).toEqual({
      b: 'critical',
    })
    expect(
      await severities(sarif({ driver: { rules }, results: [result('none', { ruleIndex: 0, level: 'note' })] })),
      'an id without a rule',
    ).toEqual({
      none: 'low',
    })
  })

  test('a component is identified by its name or guid if its index is missing or contradicts them', async () => {
    const extensions = [
      { name: 'one', guid: 'g1', rules: [rule('r', '2')] },
      { name: 'two', guid: 'g2', rules: [rule('r', '9.5')] },
    ]
    const of = (toolComponent: object) =>
      severities(sarif({ extensions, results: [result('r', { rule: { id: 'r', index: 0, toolComponent } })] }))
    expect(await of({ name: 'two' })).toEqual({ r: 'critical' })
    expect(await of({ guid: 'g2' })).toEqual({ r: 'critical' })
    expect(await of({ index: 0, name: 'two' })).toEqual({ r: 'critical' })
    expect(await of({ index: 1 })).toEqual({ r: 'critical' })
  })

  test('the export of nuclei, whose indexes are one too low, is at the site that each message names', async () => {
    const found = (ruleId: string, site: string, ruleIndex: number) =>
      result(ruleId, {
        ruleIndex,
        message: { text: `${ruleId} found on https://${site}` },
        locations: [
          { message: { text: `https:/${site}/login` }, physicalLocation: { artifactLocation: { uri: '//login' } } },
        ],
      })
    const rules = [rule('panel', '5'), rule('rce', '9.4')]
    const { rows } = await importing([
      sarif({
        driver: { name: 'Nuclei', rules },
        results: [found('panel', 'a.example', 0), found('rce', 'a.example', 0), found('panel', 'b.example', 0)],
      }),
    ])
    expect(
      rows
        .map(({ asset, title, severity, targetId }) => `${asset} ${title} ${severity} ${targetId !== null}`)
        .toSorted(),
    ).toEqual([
      'https://a.example panel medium true',
      'https://a.example rce critical true',
      'https://b.example panel medium true',
    ])
  })

  test('different results of one rule and line are several findings', async () => {
    const named = (text: string) => result('vulnerable-package', { message: { text } })
    const { rows } = await importing([
      sarif({ results: [named('Package: a'), named('Package: b'), named('Package: b')] }),
    ])
    expect(rows).toHaveLength(2)
  })

  test('a finding with the same fingerprint is the same, at whatever line it is now', async () => {
    const moved = (line: number) =>
      sarif({
        results: [
          result('r', {
            locations: at('a.js', line),
            partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' },
          }),
        ],
      })
    const { rows, last } = await importing([moved(42), moved(57)])
    expect(rows).toMatchObject([{ state: 'present', data: { location: 'a.js:57' } }])
    expect(last.counts.results).toMatchObject({ created: 0, unchanged: 1, changed: 0 })
    const full = (fingerprint: string, uri: string) =>
      result('r', { locations: at(uri, 1), fingerprints: { 'id/v1': fingerprint } })
    expect(
      (await importing([sarif({ results: [full('0a1b2c3d4e', 'a.js'), full('5f6a7b8c9d', 'a.js')] })])).rows,
    ).toHaveLength(2)
    const words = sarif({ results: [full('requires login', 'a.js'), full('requires login', 'b.js')] })
    expect((await importing([words])).rows, 'a sentence is not a fingerprint').toHaveLength(2)
  })

  test.each([
    ['fingerprints', { fingerprints: { 'id/v1': '0a1b2c3d4e' } }],
    ['partial fingerprints', { partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' } }],
    ['only a place and a message', {}],
  ])('a finding with %s is the same after its rule was renamed, and keeps what a person has set', async (_, more) => {
    const named = (id: string, deprecatedIds: string[]) =>
      sarif({
        driver: { rules: [{ ...rule(id, '5'), deprecatedIds }] },
        results: [result(`${id}/part`, { ...more, ruleIndex: 0 })],
      })
    const { engagementId, rows } = await importing([named('old-rule', [])])
    expect((await key.patch(`/api/v1/results/${rows[0]?.id}`, { status: 'confirmed' })).status).toBe(200)
    const renamed = await imported(key, engagementId, named('new-rule', ['older-rule', 'old-rule']))
    expect(renamed.counts.results).toMatchObject({ created: 0 })
    expect(await resultsOf(key, engagementId)).toMatchObject([
      { id: rows[0]?.id, status: 'confirmed', data: { ruleId: 'new-rule/part' } },
    ])
    // A rule that names no former one is another rule.
    expect((await imported(key, engagementId, named('other-rule', []))).counts.results).toMatchObject({ created: 1 })
  })

  test('a finding that an older version has stored is the same after the upgrade', async () => {
    const text = sarif({ results: [result('r', { message: { text: 'older' } })] })
    const { engagementId, rows } = await importing([text])
    // The previous version's fingerprint: from tool, rule, file, place and matcher.
    await app.asSuperuser(
      `update results set identity = encode(sha256(convert_to('[1,"vulnerability","sarif/T","r","a.js","a.js:1",null]', 'UTF8')), 'hex') where id = '${rows[0]?.id}'`,
    )
    const again = await imported(key, engagementId, text)
    expect(again.counts.results).toMatchObject({ created: 0, unchanged: 1 })
    expect(await imported(key, engagementId, text)).toMatchObject({ counts: { results: { created: 0, unchanged: 1 } } })
    expect(await resultsOf(key, engagementId)).toHaveLength(1)
  })
})

describe('places', () => {
  test('a text with a colon is a host only if a port follows: nothing else becomes a target', async () => {
    const places = [
      'wss://ws.example.com/chat',
      'ftp://files.example.com/pub',
      'ldap://dc1.example.com',
      'https:foo',
      'http://2130706433/',
      'chrome-extension://abcdefgh/x',
      'C:\\Program Files\\App',
      'arn:aws:s3:::example-backups',
      '\\\\fs1\\share',
      'com.example.app',
      'N/A: all hosts',
      'N/A',
      'src/main.js:12',
      'app.js:12',
      '192.0.2.0/28',
      '192.0.2.0/255.255.255.0',
      'see note: first floor',
      'web.example.com/login',
      'web.example.com:8443',
      'srv1',
    ]
    const rows = places.map((place, index) => `Finding ${index},high,"${place}"`)
    const { engagementId, last, rows: results } = await importing([['Title,Severity,Host', ...rows].join('\n')])
    expect(await targetsOf(engagementId)).toEqual([
      'dc1.example.com',
      'files.example.com',
      'srv1',
      'web.example.com',
      'ws.example.com',
    ])
    expect(last).toMatchObject({ state: 'applied', counts: { rejected: 0, results: { created: places.length } } })
    const assets = new Map(results.map(({ title, asset }) => [title, asset]))
    expect(assets.get('Finding 0')).toBe('ws.example.com:443/tcp')
    expect(assets.get('Finding 6')).toBe('C:\\Program Files\\App')
  })

  test('nuclei: a web socket has a host and a port, and a finding in a file or a cloud has no host', async () => {
    const row = (more: object) => ({ 'template-id': 't', info: { name: 'N', severity: 'high' }, type: 'http', ...more })
    const { engagementId, rows, last } = await importing([
      json(
        row({ 'matched-at': 'wss://app.example.com:443/ws', type: 'websocket' }),
        row({ 'matched-at': '', host: '', type: 'code', 'template-id': 's3-public' }),
        row({ 'matched-at': 'config.example', host: 'config.example', type: 'file' }),
      ),
    ])
    expect([await targetsOf(engagementId), last.counts.rejected]).toEqual([['app.example.com'], 0])
    expect(rows.map(({ asset }) => asset).toSorted()).toEqual([
      'app.example.com:443/tcp',
      'config.example',
      's3-public',
    ])
  })
})

describe('identity', () => {
  const compliance = (...checks: [id: string, result: string][]): string =>
    `<NessusClientData_v2><Report xmlns:cm="http://www.nessus.org/cm"><ReportHost name="192.0.2.70"><HostProperties/>${checks
      .map(
        ([id, result]) =>
          `<ReportItem port="0" svc_name="general" protocol="tcp" severity="3" pluginID="21157" pluginName="Unix Compliance Checks"><cm:compliance-check-name>Check ${id}</cm:compliance-check-name><cm:compliance-check-id>${id}</cm:compliance-check-id><cm:compliance-result>${result}</cm:compliance-result><cm:compliance-actual-value>actual ${id}</cm:compliance-actual-value><cm:compliance-policy-value>policy ${id}</cm:compliance-policy-value><cm:compliance-solution>solve ${id}</cm:compliance-solution></ReportItem>`,
      )
      .join('')}</ReportHost></Report></NessusClientData_v2>`

  test('Nessus: each compliance check is a finding, and one that passes is fixed', async () => {
    const first = compliance(['a', 'FAILED'], ['b', 'FAILED'], ['c', 'PASSED'], ['d', 'WARNING'])
    const { engagementId, rows, last } = await importing([first])
    const found = rows.filter(({ kind }) => kind === 'vulnerability')
    expect(found.map(({ title }) => title).toSorted()).toEqual(['Check a', 'Check b', 'Check d'])
    expect(last.warnings).toEqual(['Compliance checks that passed and are not findings: 1.'])
    expect(await dataOf(found.find(({ title }) => title === 'Check a')?.id)).toMatchObject({
      solution: 'solve a',
      evidence: ['actual value: actual a', 'policy value: policy a', 'result: FAILED'],
    })
    const second = compliance(['a', 'PASSED'], ['b', 'FAILED'], ['d', 'WARNING'])
    const preview = await imported(key, engagementId, second, { mode: 'preview' })
    expect(preview.counts.results).toMatchObject({ gone: 1, created: 0 })
    const applied = await imported(key, engagementId, second)
    expect(applied.counts.results).toMatchObject({ gone: 1, created: 0 })
    const after = async () =>
      Object.fromEntries(
        (await resultsOf(key, engagementId, { kind: 'vulnerability' })).map(({ title, state, status }) => [
          title,
          `${state} ${status}`,
        ]),
      )
    expect(await after()).toEqual({ 'Check a': 'gone fixed', 'Check b': 'present open', 'Check d': 'present open' })
    expect((await key.post(`/api/v1/imports/${applied.id}/undo?wait=30`, {})).body.data.state).toBe('undone')
    expect(await after()).toMatchObject({ 'Check a': 'present open' })
    await imported(key, engagementId, second)
    await imported(key, engagementId, compliance(['a', 'FAILED'], ['b', 'FAILED'], ['d', 'WARNING']))
    expect(await after(), 'it fails again').toMatchObject({ 'Check a': 'present open' })
  })

  test("a passing check keeps a person's decision on its finding", async () => {
    const { engagementId, rows } = await importing([compliance(['a', 'FAILED'])])
    const { id } = rows.find(({ kind }) => kind === 'vulnerability') as (typeof rows)[number]
    expect((await key.patch(`/api/v1/results/${id}`, { status: 'confirmed' })).status).toBe(200)
    await imported(key, engagementId, compliance(['a', 'PASSED']))
    expect((await key.get(`/api/v1/results/${id}`)).body.data).toMatchObject({ status: 'confirmed', state: 'gone' })
  })

  test('nuclei: fuzzed parameters are separate findings, and one finding keeps all of its exchanges', async () => {
    const row = (more: object) => ({
      'template-id': 'xss',
      info: { name: 'XSS', severity: 'medium' },
      type: 'http',
      'matched-at': 'https://a.example/s',
      ...more,
    })
    const fuzzed = (parameter: string, position: string) =>
      row({ fuzzing_parameter: parameter, fuzzing_position: position, request: `POST ${parameter}` })
    const { rows } = await importing([json(fuzzed('q', 'body'), fuzzed('sort', 'body'), fuzzed('q', 'query'))])
    expect(rows.map(({ data }) => data.matcher).toSorted()).toEqual(['q in body', 'q in query', 'sort in body'])
    const exchange = (request: string, date: string) =>
      row({ request, response: `HTTP/1.1 200 OK\r\nDate: ${date}\r\n\r\nx` })
    const twice = json(exchange('GET /1', 'a'), exchange('GET /2', 'b'), exchange('GET /1', 'c'))
    const { engagementId, rows: one, last } = await importing([twice, twice])
    expect(one).toHaveLength(1)
    expect((await dataOf(one[0]?.id)).exchanges.map(({ request }: { request: string }) => request)).toEqual([
      'GET /1',
      'GET /2',
    ])
    expect(last.counts.results).toMatchObject({ unchanged: 1, changed: 0 })
    expect((await resultsOf(key, engagementId))[0]?.data, 'lists leave them out').not.toHaveProperty('exchanges')
  })

  test('Burp: an issue keeps all of its exchanges', async () => {
    const exchange = (path: string) =>
      `<requestresponse><request>GET /${path}</request><response>answer ${path}</response></requestresponse>`
    const { rows } = await importing([
      `<issues burpVersion="2026.1"><issue><serialNumber>1</serialNumber><type>1</type><name>N</name><host>https://a.example</host><path>/</path><severity>High</severity>${exchange('1')}${exchange('2')}</issue></issues>`,
    ])
    expect(await dataOf(rows[0]?.id)).toMatchObject({
      request: 'GET /1',
      exchanges: [
        { request: 'GET /1', response: 'answer 1' },
        { request: 'GET /2', response: 'answer 2' },
      ],
    })
  })
})

describe('several runs in one file', () => {
  const run = (host: string, port: number, filler = '') =>
    `<?xml version="1.0"?>\n<!DOCTYPE nmaprun>\n<?xml-stylesheet href="x"?>\n<!-- Nmap -->\n<nmaprun scanner="nmap" args="nmap --append-output"><scaninfo type="syn" protocol="tcp" services="${port}"/>${filler}<host><status state="up" reason="syn-ack"/><address addr="${host}" addrtype="ipv4"/><ports><port protocol="tcp" portid="${port}"><state state="open"/></port></ports></host><runstats/></nmaprun>\n<!-- Nmap done -->\n`

  test.each([
    ['short', ''],
    ['longer than what is read at once', `<!-- ${'x'.repeat(70_000)} -->`],
  ])('nmap: each %s run covers its own ports', async (_length, filler) => {
    const before = run('192.0.2.32', 443)
    const { rows, last } = await importing([
      before,
      run('192.0.2.31', 443, filler) + run('192.0.2.32', 8443, filler) + run('192.0.2.33', 22),
    ])
    expect(last).toMatchObject({ state: 'applied', counts: { results: { gone: 0 } } })
    expect(rows.filter(({ kind }) => kind === 'service').map(({ asset, state }) => `${asset} ${state}`)).toEqual([
      '192.0.2.31:443/tcp present',
      '192.0.2.32:443/tcp present',
      '192.0.2.32:8443/tcp present',
      '192.0.2.33:22/tcp present',
    ])
  })

  test('OpenVAS: each report of a response covers its own hosts', async () => {
    const report = (host: string, results: string, filtered: number) =>
      `<report><report><results>${results}</results><result_count><filtered>${filtered}</filtered></result_count><host><ip>${host}</ip></host></report></report>`
    const result = (host: string, id: string) =>
      `<result><host>${host}</host><port>443/tcp</port><nvt oid="${id}"><name>N</name></nvt><severity>5.0</severity></result>`
    const answer = (...reports: string[]) =>
      `<get_reports_response status="200">${reports.join('')}</get_reports_response>`
    const { rows } = await importing([
      answer(report('192.0.2.1', result('192.0.2.1', '1'), 1), report('192.0.2.2', result('192.0.2.2', '2'), 1)),
      // A page of the first, and all of the second.
      answer(report('192.0.2.1', '', 1), report('192.0.2.2', '', 0)),
    ])
    expect(rows.filter(({ kind }) => kind === 'vulnerability').map(({ asset, state }) => `${asset} ${state}`)).toEqual([
      '192.0.2.1:443/tcp present',
      '192.0.2.2:443/tcp gone',
    ])
  })
})

describe('a format is recognised by its distinctive features', () => {
  test.each([
    [
      'Shodan',
      [
        {
          ip_str: '192.0.2.1',
          ip: 3221225986,
          ports: [443, 22],
          hostnames: ['a.example'],
          data: [{ port: 443, transport: 'tcp' }],
        },
      ],
    ],
    ['a list of bookmarks', [{ url: 'https://a.example/', status_code: 200, folder: 'x', tags: [], note: 'y' }]],
    ['an inventory', [{ ip: '192.0.2.1', port: 443, owner: 'x', team: 'y' }]],
  ])('%s is none of them', async (_what, rows) => {
    const { last, rows: results } = await importing([JSON.stringify(rows)])
    expect([last.state, results]).toEqual(['failed', []])
  })

  test.each([
    ['naabu', { host: '192.0.2.1', ip: '192.0.2.1', port: 443, protocol: 'tcp', tls: false }],
    [
      'httpx',
      {
        url: 'https://a.example/',
        input: 'a.example',
        status_code: 200,
        title: 'A',
        webserver: 'nginx',
        timestamp: '2026-11-20T08:30:00Z',
      },
    ],
    [
      'tlsx',
      {
        host: 'a.example',
        port: '443',
        probe_status: true,
        tls_version: 'tls13',
        subject_cn: 'a.example',
        serial: '01',
        issuer_cn: 'CA',
      },
    ],
    [
      'nuclei',
      {
        'template-id': 'x',
        info: { name: 'X', severity: 'low' },
        type: 'http',
        host: 'a.example',
        'matched-at': 'https://a.example/',
      },
    ],
    ['subfinder', { host: 'a.example', input: 'example', source: 'crtsh' }],
  ])('a file of %s with fields that the tool does not write counts the rows of each', async (format, row) => {
    const { last } = await importing([json(row, { ...row, new_field: 1 }, { ...row, new_field: 2, other: true })])
    expect(last).toMatchObject({
      format,
      state: 'applied',
      warnings: ['Unknown fields were ignored, with the number of rows: new_field (2), other (1).'],
    })
  })
})

test('httpx: after redirects each response is at its own address', async () => {
  const row = {
    url: 'http://app.example.com',
    input: 'app.example.com',
    host: '192.0.2.90',
    final_url: 'https://login.example.org/sso',
    chain: [
      { 'request-url': 'http://app.example.com', status_code: 301, location: 'https://app.example.com/' },
      { 'request-url': 'https://app.example.com/', status_code: 302, location: 'https://login.example.org/sso' },
      { 'request-url': 'https://login.example.org/sso', status_code: 200 },
    ],
    chain_status_codes: [301, 302, 200],
    status_code: 200,
    title: 'Sign in',
    header: { server: 'nginx' },
    tech: ['Nginx'],
    failed: false,
  }
  const { rows } = await importing([json(row, { ...row, url: 'http://b.example.com', chain: undefined })])
  const responses = rows.filter(({ kind }) => kind === 'http_response')
  expect(responses.map(({ asset, data }) => [asset, data.status, data.title ?? null, data.headers ?? null])).toEqual([
    ['http://app.example.com/', 301, null, null],
    ['http://b.example.com/', 301, null, null],
    ['https://app.example.com/', 302, null, null],
    ['https://login.example.org/sso', 200, 'Sign in', { server: 'nginx' }],
  ])
  expect(responses[0]?.data).not.toHaveProperty('missingHeaders')
  expect(rows.find(({ kind }) => kind === 'technology')?.asset).toBe('https://login.example.org')
})

test('naabu: a row of host discovery, whose port is 0, is a host', async () => {
  const { last, rows } = await importing([
    json({
      ip: '192.0.2.1',
      timestamp: '2026-11-24T09:00:00Z',
      port: 0,
      protocol: '',
      tls: false,
      mac_address: '00:00:5E:00:53:01',
    }),
  ])
  expect(last).toMatchObject({ state: 'applied', counts: { rejected: 0 } })
  expect(rows).toMatchObject([{ kind: 'host', asset: '192.0.2.1', data: { up: true, mac: '00:00:5e:00:53:01' } }])
})

describe('nmap', () => {
  const nmap = (ports: string) =>
    `<nmaprun scanner="nmap"><host><status state="up" reason="syn-ack"/><address addr="192.0.2.1" addrtype="ipv4"/><ports>${ports}</ports></host><runstats/></nmaprun>`

  test('ports that are not certainly open are services in that state, and are listed', async () => {
    const { last, rows } = await importing([
      nmap(
        '<port protocol="udp" portid="53"><state state="open|filtered"/></port><port protocol="tcp" portid="25"><state state="filtered"/></port>',
      ),
    ])
    expect(rows.map(({ kind, data }) => [kind, data.state])).toEqual([
      ['host', undefined],
      ['service', 'filtered'],
      ['service', 'open|filtered'],
    ])
    expect(last).toMatchObject({
      state: 'applied',
      warnings: [
        'Ports that gave no certain answer, kept as services in that state: 192.0.2.1:53/udp (open|filtered), 192.0.2.1:25/tcp (filtered).',
      ],
    })
  })

  test('a version without a product is not a rejection', async () => {
    const { last, rows } = await importing([
      nmap(
        '<port protocol="tcp" portid="80"><state state="open"/><service name="http" product="" version="1.2"/></port>',
      ),
    ])
    expect([last.state, rows.map(({ kind }) => kind).toSorted()]).toEqual(['applied', ['host', 'service']])
  })
})
