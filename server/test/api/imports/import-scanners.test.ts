import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const nessus = (...hosts: string[]): string =>
  `<NessusClientData_v2><Report name="lab">${hosts.join('')}</Report></NessusClientData_v2>`
const nessusHost = (address: string, ...items: string[]): string =>
  `<ReportHost name="${address}"><HostProperties><tag name="host-ip">${address}</tag></HostProperties>${items.join('')}</ReportHost>`
const item = (pluginId: string, { port = 443, output = '', severity = 2 } = {}): string =>
  `<ReportItem port="${port}" svc_name="www" protocol="tcp" severity="${severity}" pluginID="${pluginId}" pluginName="Plugin ${pluginId}"><plugin_output>${output}</plugin_output></ReportItem>`
const ping = (output: string): string => item('10180', { port: 0, severity: 0, output })

const openvas = (...results: string[]): string =>
  `<report id="1"><report id="2"><task id="3"/><host><ip>192.0.2.10</ip></host><results>${results.join('')}</results></report></report>`
const openvasResult = (oid: string, severity: string, more = '', port = '443/tcp'): string =>
  `<result id="r${oid}"><name>N ${oid}</name><host>192.0.2.10<hostname>portal.example.com</hostname></host><port>${port}</port><nvt oid="${oid}"><name>N ${oid}</name></nvt><severity>${severity}</severity>${more}</result>`

describe('a finding in the XML and in the CSV of a scanner is one finding', () => {
  const OPENVAS_CSV = [
    'IP,Hostname,Port,Port Protocol,CVSS,Severity,NVT Name,NVT OID',
    '192.0.2.10,portal.example.com,443,tcp,9.8,High,N 1.3.1,1.3.1',
    '192.0.2.10,portal.example.com,,,0.0,Log,N 1.3.2,1.3.2',
  ].join('\n')
  const NESSUS_CSV = [
    'Plugin ID,CVE,Risk,Host,Protocol,Port,Name',
    '1,,Medium,192.0.2.10,tcp,443,Plugin 1',
    '2,,None,192.0.2.10,tcp,0,Plugin 2',
  ].join('\n')
  const TENABLE_CSV =
    '"Plugin","Plugin Name","Severity","IP Address","Protocol","Port"\n"1","Plugin 1","Medium","192.0.2.10","TCP","443"'

  test.each<[string, string, string]>([
    ['OpenVAS', openvas(openvasResult('1.3.1', '9.8'), openvasResult('1.3.2', '0.0', '', 'general/tcp')), OPENVAS_CSV],
    ['Nessus', nessus(nessusHost('192.0.2.10', item('1'), item('2', { port: 0, severity: 0 }))), NESSUS_CSV],
    ['Tenable', nessus(nessusHost('192.0.2.10', item('1'))), TENABLE_CSV],
  ])('%s, in either order', async (_, xml, csv) => {
    const all = await Promise.all(
      [
        [xml, csv],
        [csv, xml],
      ].map(async ([first = '', second = '']) => {
        const engagement = await newEngagement(key)
        await imported(key, engagement, first)
        await imported(key, engagement, second)
        return (await resultsOf(key, engagement, { kind: 'vulnerability' })).map(
          ({ asset, severity, status, targetId }) => ({
            asset,
            severity,
            status,
            hasTarget: targetId !== null,
          }),
        )
      }),
    )
    expect(all[0]).toHaveLength(csv.split('\n').length - 1)
    expect(all[1]).toEqual(all[0])
  })

  test('OpenVAS: the number decides the severity, and the host name shows what was scanned', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, OPENVAS_CSV)
    const rows = await resultsOf(key, engagement)
    expect(rows.map(({ severity }) => severity)).toEqual(['info', 'critical'])
    const { data: target } = (await key.get(`/api/v1/targets/${rows[0]?.targetId}`)).body
    expect(target.canonical).toBe('portal.example.com')
  })
})

describe('Nessus: a dead host', () => {
  const DEAD = [
    'The remote host (192.0.2.11) is dead',
    'The remote host is considered as dead - not scanning',
    'The remote host (192.0.2.11) did not respond to the following ping methods :\n- TCP ping\n- ICMP ping',
  ]

  test.each(DEAD)('is not a result: %s', async (output) => {
    const engagement = await newEngagement(key)
    const { state, counts } = await imported(
      key,
      engagement,
      nessus(nessusHost('192.0.2.10', ping('The remote host is up')), nessusHost('192.0.2.11', ping(output))),
    )
    expect([state, counts.rejected]).toEqual(['applied', 0])
    expect((await resultsOf(key, engagement)).map(({ kind, asset }) => [kind, asset]).toSorted()).toEqual([
      ['host', '192.0.2.10'],
      ['vulnerability', '192.0.2.10'],
    ])
    expect(counts.targets.created).toBe(1)
  })

  test('proves nothing of its results from when it was alive, wherever in the host it is marked', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, nessus(nessusHost('192.0.2.11', item('1'), item('2'))))
    const later = await imported(key, engagement, nessus(nessusHost('192.0.2.11', item('1'), ping(DEAD[0] as string))))
    expect(later.counts.results).toMatchObject({ created: 0, gone: 0 })
    expect((await imported(key, engagement, nessus(nessusHost('192.0.2.11', item('1'))))).counts.results).toMatchObject(
      { gone: 1 },
    )
  })

  test('is not a result in a CSV either', async () => {
    const engagement = await newEngagement(key)
    const csv = `Plugin ID,Risk,Host,Protocol,Port,Name,Plugin Output\n10180,None,192.0.2.11,tcp,0,Ping the remote host,${DEAD[0]}`
    expect((await imported(key, engagement, csv)).counts).toMatchObject({
      rejected: 0,
      targets: { created: 0 },
      results: { created: 0 },
    })
  })
})

describe('OpenVAS: a severity below zero', () => {
  const statuses = async (engagement: string) =>
    (await resultsOf(key, engagement, { kind: 'vulnerability' })).map(({ title, severity, status, state }) => [
      title,
      severity,
      status,
      state,
    ])
  const FILES: [string, string][] = [
    [
      'XML',
      openvas(
        openvasResult('1', '-1.0', '<original_severity>5.0</original_severity>'),
        openvasResult('2', '-2.0'),
        openvasResult('3', '-3.0'),
        openvasResult('4', '4.0'),
      ),
    ],
    [
      'CSV',
      'IP,Port,Port Protocol,CVSS,Severity,NVT Name,NVT OID\n192.0.2.10,443,tcp,-1.0,False Positive,N 1,1\n192.0.2.10,443,tcp,-2.0,Debug,N 2,2\n192.0.2.10,443,tcp,-3.0,Error,N 3,3\n192.0.2.10,443,tcp,4.0,Medium,N 4,4',
    ],
  ]

  test.each(FILES)(
    '%s: -1 is a false positive, and what the scanner reports of itself is not a finding',
    async (format, file) => {
      const engagement = await newEngagement(key)
      expect((await imported(key, engagement, file)).counts.rejected).toBe(0)
      expect((await statuses(engagement)).toSorted()).toEqual([
        ['N 1', format === 'XML' ? 'medium' : null, 'false_positive', 'present'],
        ['N 4', 'medium', 'open', 'present'],
      ])
    },
  )

  test('that comes later makes an open finding a false positive, unless a person has decided on it', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, openvas(openvasResult('1', '5.0'), openvasResult('2', '5.0')))
    const confirmed = (await resultsOf(key, engagement)).find(({ title }) => title === 'N 2')
    await key.patch(`/api/v1/results/${confirmed?.id}`, { status: 'confirmed' })
    app.clock.advance(1_000)
    await imported(key, engagement, openvas(openvasResult('1', '-1.0'), openvasResult('2', '-1.0')))
    expect((await statuses(engagement)).toSorted()).toEqual([
      ['N 1', 'medium', 'false_positive', 'present'],
      ['N 2', 'medium', 'confirmed', 'present'],
    ])
  })

  test('is recognised by the word if there is no number', async () => {
    const engagement = await newEngagement(key)
    const word = (oid: string, threat: string) => openvasResult(oid, '', `<threat>${threat}</threat>`)
    await imported(
      key,
      engagement,
      openvas(word('1', 'False Positive'), word('2', 'Error'), word('3', 'Debug'), word('4', 'Log')),
    )
    expect((await statuses(engagement)).toSorted()).toEqual([
      ['N 1', null, 'false_positive', 'present'],
      ['N 4', 'info', 'open', 'present'],
    ])
  })
})

describe('lines of a terminal among the output', () => {
  const ESC = String.fromCodePoint(27)
  const BANNER = `
                     __     _
   ____  __  _______/ /__  (_)
  / __ \\/ / / / ___/ / _ \\/ /
 / / / / /_/ / /__/ /  __/ /
/_/ /_/\\__,_/\\___/_/\\___/_/   v3.3.7

		projectdiscovery.io
`
  const LOG = [
    `[${ESC}[34mINF${ESC}[0m] Current nuclei version: v3.3.7 (${ESC}[92mlatest${ESC}[0m)`,
    `${ESC}[1m[WRN]${ESC}[0m Loading 1 unsigned template, "custom" {x}`,
    '[0:00:05] | Templates: 10 | Hosts: 1 | RPS: 2 | Matched: 0 | Errors: 0 | Requests: 10/20 (50%)',
    '{"duration":"0:00:05","errors":"0","hosts":"1","matched":"0","percent":"50","requests":"10","rps":"2","templates":"10","total":"20"}',
  ]
  const rows = (format: string): string[] =>
    fixture(`${format}.jsonl`)
      .toString()
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('{'))

  test('nuclei: banner, coloured log, statistics and colours before a row are not records of the file', async () => {
    const engagement = await newEngagement(key)
    const [first = '', ...others] = rows('nuclei')
    const file = [
      BANNER,
      ...LOG,
      `${ESC}[0m${first}`,
      ...LOG.flatMap((line, index) => [line, others[index] ?? '']),
      ...others.slice(LOG.length),
    ].join('\n')
    expect(await imported(key, engagement, file)).toMatchObject({
      format: 'nuclei',
      state: 'applied',
      counts: { rejected: 0, results: { created: 4 } },
    })
  })

  test.each([
    ['httpx', 11],
    ['subfinder', 1],
  ])('%s: banner and log', async (format, created) => {
    const engagement = await newEngagement(key)
    const file = [BANNER, LOG[0], ...rows(format), LOG[1]].join('\n')
    expect(await imported(key, engagement, file)).toMatchObject({
      format,
      state: 'applied',
      counts: { rejected: 0, results: { created } },
    })
  })

  test.each([
    ['naabu', '192.0.2.1:80'],
    ['subfinder', 'www.example.com'],
  ])('%s: log lines in a list', async (format, line) => {
    const engagement = await newEngagement(key)
    const file = [LOG[0], `${ESC}[92m${line}${ESC}[0m`, LOG[1]].join('\n')
    expect(await imported(key, engagement, file)).toMatchObject({
      format,
      state: 'applied',
      counts: { rejected: 0, targets: { created: 1 } },
    })
  })

  test('other text between rows is still reported', async () => {
    const engagement = await newEngagement(key)
    const [first, ...others] = rows('nuclei')
    expect((await imported(key, engagement, [first, 'Segmentation fault', ...others].join('\n'))).counts.rejected).toBe(
      1,
    )
  })

  test('a log of many lines before the first row does not hide it, and an object in a cell does not make a CSV JSON', async () => {
    const engagement = await newEngagement(key)
    const log = Array.from({ length: 400 }, (_, index) => `[INF] Request ${index}`)
    expect(await imported(key, engagement, [...log, ...rows('nuclei')].join('\n'))).toMatchObject({
      format: 'nuclei',
      counts: { rejected: 0 },
    })
    const csv =
      'title,severity,host,evidence\nOpen API,low,192.0.2.1,"it says:\n{""url"": ""x"", ""status_code"": 200}\n"'
    expect(await imported(key, engagement, csv)).toMatchObject({
      format: 'csv',
      counts: { rejected: 0, results: { created: 1 } },
    })
  })
})

describe('amass', () => {
  const targets = async (engagement: string): Promise<string[]> =>
    (await key.get(`/api/v1/targets?engagementId=${engagement}`)).body.data
      .map(({ canonical }: { canonical: string }) => canonical)
      .toSorted()

  test('a plain list of names is imported under its name', async () => {
    const engagement = await newEngagement(key)
    const { format, state } = await imported(key, engagement, 'www.example.com\nmail.example.com\n', {
      format: 'amass',
    })
    expect([format, state, await targets(engagement)]).toEqual([
      'amass',
      'applied',
      ['mail.example.com', 'www.example.com'],
    ])
  })

  test('relations of version 4: names are targets, records of names are records, and networks are neither', async () => {
    const engagement = await newEngagement(key)
    const file = [
      'example.com (FQDN) --> ns_record --> ns1.example.net (FQDN)',
      'example.com (FQDN) --> node --> www.example.com (FQDN)',
      'www.example.com (FQDN) --> a_record --> 192.0.2.10 (IPAddress)',
      'www.example.com (FQDN) --> aaaa_record --> 2001:db8::10 (IPAddress)',
      'app.example.com (FQDN) --> cname_record --> www.example.com (FQDN)',
      '10.2.0.192.in-addr.arpa (FQDN) --> ptr_record --> www.example.com (FQDN)',
      '192.0.2.0/24 (Netblock) --> contains --> 192.0.2.10 (IPAddress)',
      '64500 (ASN) --> announces --> 192.0.2.0/24 (Netblock)',
      '64500 (ASN) --> managed_by --> EXAMPLE-AS (RIROrganization)',
    ].join('\n')
    expect(await imported(key, engagement, file)).toMatchObject({
      format: 'amass',
      state: 'applied',
      counts: { rejected: 0 },
    })
    expect((await resultsOf(key, engagement)).map(({ asset, title }) => `${asset} ${title}`).toSorted()).toEqual([
      'app.example.com CNAME www.example.com',
      'example.com NS ns1.example.net',
      'www.example.com A 192.0.2.10',
      'www.example.com AAAA 2001:db8::10',
    ])
    expect(await targets(engagement)).toEqual(['app.example.com', 'example.com', 'www.example.com'])
  })
})

describe('SARIF: a run whose tool, rules and artifacts come after its results', () => {
  const COUNT = isNightly ? 20_005 : 1_005
  const result = (index: number) =>
    `{"ruleIndex":0,"message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":${index + 1}}}}]}`
  const results = (count: number) =>
    `"results":[${Array.from({ length: count }, (_, index) => result(index)).join(',\n')}]`
  const tool = (name: string) =>
    `"artifacts":[{"location":{"uri":"src/${name}.c"}}],"tool":{"driver":{"name":"${name}","rules":[{"id":"r-${name}","defaultConfiguration":{"level":"error"}}]}}`
  const file = (count: number) =>
    `{"version":"2.1.0","runs":[{${results(count)},${tool('One')}},{${results(1)},${tool('Two')}}]}`

  test('has any number of them', async () => {
    const engagement = await newEngagement(key)
    const { state, tool: tools, counts } = await imported(key, engagement, file(COUNT))
    expect([state, tools, counts.rejected, counts.results['created']]).toEqual(['applied', 'One, Two', 0, COUNT + 1])
    const ofTool = async (name: string) =>
      (await key.get(`/api/v1/results?engagementId=${engagement}&tool=${name}&sort=createdAt&perPage=1`)).body.data[0]
    for (const name of ['One', 'Two']) {
      expect(await ofTool(name)).toMatchObject({
        asset: `src/${name}.c`,
        severity: 'high',
        data: { ruleId: `r-${name}` },
      })
    }
    expect(await resultsOf(key, engagement, { tool: 'sarif' })).toEqual([])
  })

  test('that is truncated before them has none, and reports it for each', async () => {
    const engagement = await newEngagement(key)
    const whole = file(COUNT)
    const { state, counts } = await imported(key, engagement, whole.slice(0, whole.indexOf('"artifacts"')))
    expect([state, counts.rejected, counts.results['created']]).toEqual(['failed', COUNT, 0])
  })
})
