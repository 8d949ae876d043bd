import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Sighting } from '../../../../src/features/inventory/sightings/sightings.ts'
import { UnreadableFile } from '../../../../src/features/scanner-formats/registry/format.ts'
import { readFile } from '../../../../src/features/scanner-formats/registry/read-file.ts'
import { fixture } from '../../../support/scans/imports.ts'

/** Files of older and newer versions, and in other layouts, than those of the other tests. */

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-shapes-'))
afterAll(() => rmSync(directory, { recursive: true }))

const read = async (text: string | Uint8Array, mapping: Record<string, string> = {}) => {
  const file = path.join(directory, 'file')
  writeFileSync(file, text)
  const found = {
    format: '',
    sightings: [] as Sighting[],
    warnings: [] as string[],
    rejected: [] as string[],
    cut: undefined as string | undefined,
  }
  for await (const item of readFile({
    path: file,
    format: 'auto',
    mapping,
    limits: { maxRatio: 100, maxBytes: 10_000_000 },
  })) {
    if (item.type === 'format') found.format = item.format
    if (item.type === 'sighting') found.sightings.push(item.sighting)
    if (item.type === 'warning') found.warnings.push(item.text)
    if (item.type === 'rejection') found.rejected.push(item.reason)
    if (item.type === 'cut') found.cut = item.reason
  }
  return found
}

const refusal = async (text: string | Uint8Array): Promise<string> => {
  try {
    await read(text)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
  return 'it was read'
}

const identities = ({ sightings }: { sightings: readonly Sighting[] }) =>
  new Set(sightings.map(({ identity }) => identity))
const lines = ({ sightings }: { sightings: readonly Sighting[] }) =>
  sightings.map(({ kind, asset, title, severity }) => [kind, asset, title, severity].filter(Boolean).join(' | '))
const json = (value: unknown): string => JSON.stringify(value)

describe('JSON documents', () => {
  const DOCUMENTS = [
    'trivy.json',
    'grype.json',
    'semgrep.json',
    'sslyze.json',
    'cyclonedx.json',
    'spdx.json',
    'openvex.json',
    'sarif.json',
    'zap.json',
    'ffuf.json',
    'dirsearch.json',
  ]

  test.each(DOCUMENTS)('%s in a list, per line, in a row, or below lines of a log is the same', async (name) => {
    const text = fixture(name)
      .toString()
      .replace(/^\uFEFF/, '')
    const one = await read(text)
    expect(one.sightings.length).toBeGreaterThan(0)
    const compact = json(JSON.parse(text))
    const pretty = JSON.stringify(JSON.parse(text), null, 2)
    for (const other of [
      `[${text},${text}]`,
      `${compact}\n${compact}\n`,
      `${pretty}\n${pretty}`,
      `2026-11-24T09:00:00Z\tINFO\tscanning\n${text}`,
    ]) {
      const found = await read(other)
      expect([found.format, found.cut, found.rejected]).toEqual([one.format, undefined, one.rejected])
      expect(identities(found)).toEqual(identities(one))
    }
  })

  test('bills in a row keep their references apart', async () => {
    const bom = (name: string) =>
      json({
        bomFormat: 'CycloneDX',
        components: [{ 'bom-ref': '1', type: 'library', name, version: '1', purl: `pkg:npm/${name}@1` }],
        vulnerabilities: [{ id: 'CVE-2026-1', affects: [{ ref: '1' }] }],
      })
    const { sightings } = await read(`${bom('a')}\n${bom('b')}`)
    expect(sightings.filter(({ kind }) => kind === 'vulnerability').map(({ asset }) => asset)).toEqual([
      'pkg:npm/a@1',
      'pkg:npm/b@1',
    ])
  })

  test('ZAP before 2.8: one site is an object', async () => {
    const site = {
      '@name': 'https://a.example',
      '@host': 'a.example',
      alerts: [
        { pluginid: '1', alert: 'A', riskcode: '2', instances: [{ uri: 'https://a.example/x', method: 'GET' }] },
      ],
    }
    const found = lines(await read(json({ '@version': '2.7.0', site })))
    expect(found).toEqual(lines(await read(json({ '@version': '2.7.0', site: [site] }))))
    expect(found).toContain('vulnerability | https://a.example | A | medium')
  })

  test('Trivy before 0.20, and of a cluster', async () => {
    const found = { VulnerabilityID: 'CVE-2026-1', PkgName: 'zlib', InstalledVersion: '1.2', Severity: 'HIGH' }
    const old = await read(json([{ Target: 'alpine', Type: 'alpine', Vulnerabilities: [found] }]))
    expect([old.format, lines(old)]).toEqual([
      'trivy',
      ['component | zlib@1.2 | zlib 1.2', 'vulnerability | zlib@1.2 | CVE-2026-1 | high'],
    ])
    const cluster = await read(
      json({
        ClusterName: 'c',
        Resources: [
          {
            Namespace: 'web',
            Kind: 'Pod',
            Name: 'p',
            Results: [
              {
                Target: 'image',
                Vulnerabilities: [found],
                Licenses: [{ Name: 'GPL-3.0' }],
                Misconfigurations: [{ ID: 'KSV001', Status: 'FAIL', Title: 'M', Severity: 'LOW' }],
              },
            ],
          },
        ],
      }),
    )
    expect(lines(cluster)).toContain('vulnerability | web/Pod/p: image | M | low')
    expect(cluster.warnings).toEqual(['Licences as findings, which are not imported: 1.'])
  })

  test('gitleaks before 8 shows no more of a secret than later versions', async () => {
    const { format, sightings } = await read(
      json([
        {
          rule: 'AWS',
          offender: 'AKIA0000EXAMPLE',
          line: 'key = AKIA0000EXAMPLE',
          file: 'a.env',
          lineNumber: 3,
          commit: 'c0ffee',
        },
      ]),
    )
    expect([format, sightings[0]?.data['location'], json(sightings[0]?.data).includes('AKIA0000')]).toEqual([
      'gitleaks',
      'a.env:3',
      false,
    ])
  })

  test('sslyze before 5 has its results without a status', async () => {
    const { sightings, warnings } = await read(
      json({
        sslyze_version: '4.1.0',
        server_scan_results: [
          {
            server_info: { server_location: { hostname: 'a.example', ip_address: '192.0.2.1', port: 443 } },
            scan_commands_results: {
              ssl_3_0_cipher_suites: { accepted_cipher_suites: [] },
              tls_1_0_cipher_suites: { accepted_cipher_suites: [{ cipher_suite: { name: 'A', key_size: 128 } }] },
              heartbleed: { is_vulnerable_to_heartbleed: false },
            },
          },
        ],
      }),
    )
    expect(sightings.map(({ title, passed }) => [title, passed])).toEqual([
      ['https', false],
      ['TLSv1.0 is offered', false],
      ['SSLv3 is offered', true],
      ['Heartbleed', true],
    ])
    expect(sightings[0]?.data).toMatchObject({ ciphers: ['TLSv1.0: A (128 bits)'], tlsVersions: ['TLSv1.0'] })
    expect(warnings).toEqual(['Checks that passed and are not findings: 2.'])
  })
})

describe('tables', () => {
  test.each([
    [
      'titles of several cells',
      'Scan Results,11/24/2026 at 09:00\nExample Ltd,"1 Street, Town",\n\nIP,DNS,QID,Title,Severity,Port\n192.0.2.1,a.example,1,Weak,4,22',
    ],
    [
      'a title with a comma above semicolons',
      'Findings, as of November\nIP;DNS;QID;Title;Severity;Port\n192.0.2.1;a.example;1;Weak;4;22',
    ],
    [
      'a title without a separator above tabs',
      'Findings\nIP\tDNS\tQID\tTitle\tSeverity\tPort\n192.0.2.1\ta.example\t1\tWeak\t4\t22',
    ],
    ['another order of the columns', 'Port,Severity,Title,QID,IP\n22,4,Weak,1,192.0.2.1'],
  ])('%s: the columns are found', async (_what, text) => {
    const found = await read(text)
    expect([found.format, lines(found), found.rejected]).toEqual([
      'csv',
      ['vulnerability | 192.0.2.1:22/tcp | Weak | high'],
      [],
    ])
  })

  test('mapped columns are found below a title', async () => {
    const found = await read('Liste\n\nNr;Befund;Stufe;Ort\n1;Alt;hoch;a.example', {
      befund: 'title',
      stufe: 'severity',
      ort: 'host',
    })
    expect(lines(found)).toEqual(['vulnerability | a.example | Alt | high'])
  })

  test('cells in no column with a name are kept, and an empty column does not hide another of its name', async () => {
    const { sightings, warnings } = await read(
      'title,severity,host,details,details\nA,high,a.example,first,,left over\n',
    )
    expect(sightings[0]?.data).toMatchObject({ description: 'first', columns: '(no column): left over' })
    expect(warnings).toEqual(['Rows with cells in no column with a name, kept as text of their finding: 1.'])
  })

  test('Qualys: what only informs is rated so, and Prowler: what is muted is accepted', async () => {
    const qualys = await read('IP,QID,Title,Type,Severity\n192.0.2.1,1,Ports,Ig,3\n192.0.2.1,2,Weak,Vuln,3\n')
    expect(lines(qualys)).toEqual([
      'vulnerability | 192.0.2.1 | Ports | info',
      'vulnerability | 192.0.2.1 | Weak | medium',
    ])
    const prowler = await read(
      'CHECK_ID;CHECK_TITLE;STATUS;SEVERITY;RESOURCE_UID;MUTED\na;A;FAIL;high;arn:aws:s3:::b;True\nb;B;FAIL;high;arn:aws:s3:::b;False\n',
    )
    expect(prowler.sightings.map(({ disposition }) => disposition)).toEqual(['accepted', null])
    const old = await read(
      'PROFILE,ACCOUNT_NUM,REGION,TITLE_ID,CHECK_RESULT,TITLE_TEXT,CHECK_RESULT_EXTENDED,CHECK_SEVERITY\nx,1,eu,1.1,PASS,A,ok,High\nx,1,eu,1.2,FAIL,B,bad,High\n',
    )
    expect(old.sightings.map(({ title, passed }) => [title, passed])).toEqual([
      ['A', true],
      ['B', false],
    ])
  })

  test('Nessus: a score of CVSS 2 is one if there is no newer', async () => {
    const { sightings } = await read(
      'Plugin ID,CVE,CVSS v2.0 Base Score,Risk,Host,Protocol,Port,Name,CVSS v3.0 Base Score\n1,,7.5,High,192.0.2.1,tcp,443,A,\n2,,7.5,High,192.0.2.1,tcp,443,B,9.8\n',
    )
    expect(sightings.map(({ data }) => data['cvssScore'])).toEqual([7.5, 9.8])
  })
})

describe('testssl', () => {
  const row = (id: string, severity: string, finding: string) => ({
    id,
    ip: 'a.example/192.0.2.1',
    port: '443',
    severity,
    finding,
  })
  const rows = [
    row('SSLv3', 'OK', 'not offered'),
    row('TLS1', 'LOW', 'offered (deprecated)'),
    row('TLS1_2', 'OK', 'offered'),
    row('cipherorder_TLSv1', 'INFO', 'AES128-SHA DES-CBC3-SHA'),
    row(
      'cipher-tls1_2_xc030',
      'INFO',
      'TLSv1.2   xc030   ECDHE-RSA-AES256-GCM-SHA384       ECDH 253   AESGCM      256      TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    ),
    row(
      'cipher_x0a',
      'MEDIUM',
      'x0a     DES-CBC3-SHA                      RSA        3DES        168      TLS_RSA_WITH_3DES_EDE_CBC_SHA',
    ),
    row('cert_serialNumber', 'INFO', '03F199'),
    row('cert_fingerprintSHA256', 'INFO', 'C0FFEE'.padEnd(64, '0')),
    row('cert_commonName', 'OK', 'a.example'),
    row('cert_subjectAltName', 'INFO', 'a.example b.example'),
    row('cert_caIssuers', 'INFO', 'R3'),
    row('cert_notAfter', 'OK', '2027-01-02 03:04'),
    row('cert_chain_of_trust', 'HIGH', 'failed (self signed)'),
    row('cert_ocspRevoked', 'CRITICAL', 'revoked'),
    row('clientAuth', 'INFO', 'required'),
  ]
  const csv = [
    'id,fqdn/ip,port,severity,finding',
    ...rows.map(({ id, ip, port, severity, finding }) => `${id},${ip},${port},${severity},"${finding}"`),
  ].join('\n')
  const { ip: _, ...host } = { ip: '', targetHost: 'a.example', port: '443' }
  const pretty = json({
    Invocation: 'x',
    scanResult: [{ ...host, ip: '192.0.2.1', protocols: rows.slice(0, 3), ciphers: rows.slice(3) }],
  })

  test.each([
    ['JSON', json(rows)],
    ['pretty JSON', pretty],
    ['CSV', csv],
  ])('%s: versions, ciphers with their strength, and the certificate are kept', async (_what, text) => {
    const { sightings } = await read(text)
    const of = (kind: string) => sightings.find((each) => each.kind === kind)
    expect(of('service')).toMatchObject({
      asset: '192.0.2.1:443/tcp',
      askedName: 'a.example',
      data: {
        tlsVersions: ['TLSv1.0', 'TLSv1.2'],
        ciphers: [
          'TLSv1.0: AES128-SHA',
          'TLSv1.0: DES-CBC3-SHA (168 bits, medium)',
          'TLSv1.2: ECDHE-RSA-AES256-GCM-SHA384 (256 bits)',
        ],
      },
    })
    expect(of('tls_certificate')?.data).toMatchObject({
      sha256: 'c0ffee'.padEnd(64, '0'),
      names: ['a.example', 'b.example'],
      notAfter: '2027-01-02T03:04:00.000Z',
      selfSigned: true,
      untrusted: true,
      revoked: true,
      clientCertificate: true,
    })
  })
})

describe('nmap as text', () => {
  const HEAD = 'Nmap scan report for a.example (192.0.2.1)\nHost is up (0.01s latency).\n'

  test('output of a terminal, with reasons, the name of the address and the operating system', async () => {
    const { format, sightings, cut } = await read(
      `Starting Nmap 7.95 ( https://nmap.org ) at 2026-11-24 09:00 UTC\n${HEAD}rDNS record for 192.0.2.1: edge.example.net
PORT    STATE SERVICE REASON         VERSION
22/tcp  open  ssh     syn-ack ttl 64 OpenSSH 9.6p1
80/tcp  open  http    syn-ack ttl 64
Running (JUST GUESSING): Linux 5.X (96%)
Running: Linux 5.X
OS CPE: cpe:/o:linux:linux_kernel:5
OS details: Linux 5.0 - 5.14
Service Info: OS: Linux; CPE: cpe:/o:linux:linux_kernel

Nmap done: 1 IP address (1 host up) scanned in 1.00 seconds\n`,
    )
    expect([format, cut]).toEqual(['nmap', undefined])
    const services = sightings.filter(({ kind }) => kind === 'service')
    expect(services.map(({ data }) => [data['port'], data['product'], data['version']])).toEqual([
      [22, 'OpenSSH', '9.6p1'],
      [80, undefined, undefined],
    ])
    expect(sightings.find(({ kind }) => kind === 'host')?.data).toMatchObject({
      os: 'Linux 5.0 - 5.14',
      cpe: ['cpe:/o:linux:linux_kernel:5'],
      hostnames: expect.arrayContaining(['edge.example.net']),
    })
  })

  test('output of a terminal that ends early is cut', async () => {
    expect((await read(`Starting Nmap 7.95 ( https://nmap.org )\n${HEAD}`)).cut).toMatch(/did not end/)
  })
})

test('nmap: a check of a script that passed is counted', async () => {
  const script = `<script id="s" output="x"><table key="CVE-2026-1"><elem key="title">T</elem><elem key="state">NOT VULNERABLE</elem></table></script>`
  const { warnings } = await read(
    `<nmaprun scanner="nmap"><host><status state="up" reason="syn-ack"/><address addr="192.0.2.1" addrtype="ipv4"/><hostscript>${script}</hostscript></host><runstats/></nmaprun>`,
  )
  expect(warnings).toEqual(['Checks of scripts that passed and are not findings: 1.'])
})

test.each([
  [
    'JSON',
    json([
      {
        ip: '192.0.2.1',
        timestamp: '1795336755',
        ports: [{ port: 0, proto: 'icmp', status: 'open', reason: 'echo-reply', ttl: 64 }],
      },
    ]),
  ],
  ['a list', '#masscan\nopen icmp 0 192.0.2.1 1795336755\n# end'],
  [
    'XML',
    '<nmaprun scanner="masscan"><host endtime="1795336755"><address addr="192.0.2.1" addrtype="ipv4"/><ports><port protocol="icmp" portid="0"><state state="open" reason="none"/></port></ports></host></nmaprun>',
  ],
])('masscan: a host that answered a discovery run is kept, in %s', async (_what, text) => {
  const { sightings, rejected } = await read(text)
  expect([rejected, sightings.map(({ kind, asset }) => `${kind} ${asset}`)]).toEqual([[], ['host 192.0.2.1']])
})

describe('nothing is cut or dropped without a word', () => {
  const nuclei = (more: object, info: object = {}) =>
    json({
      'template-id': 't',
      info: { name: 'N', severity: 'low', ...info },
      type: 'http',
      'matched-at': 'https://a.example/',
      ...more,
    })

  test('a banner and an extracted key of several lines are kept whole', async () => {
    const key = `-----BEGIN KEY-----\n${'A'.repeat(2_000)}\n-----END KEY-----`
    expect((await read(nuclei({ 'extracted-results': [key] }))).sightings[0]?.data['evidence']).toEqual([key])
    const banner = 'b'.repeat(20_000)
    const masscan = json({
      ip: '192.0.2.1',
      port: 80,
      proto: 'tcp',
      rec_type: 'banner',
      data: { service_name: 'http', banner },
    })
    expect((await read(masscan)).sightings[0]?.data['banner']).toBe(`http: ${banner}`)
  })

  test('lines that are cut, and words for a severity that are not known, are counted', async () => {
    const { warnings } = await read(
      [
        nuclei({ 'template-path': 'x'.repeat(70_000) }, { severity: 'spicy' }),
        nuclei({ 'matcher-name': 'm' }, { severity: 'unknown' }),
      ].join('\n'),
    )
    expect(warnings).toEqual([
      'Texts with more than 65,536 characters, which were cut there: 1.',
      'Unknown severities were left empty: "spicy" (1).',
    ])
  })

  test.each([
    ['httpx', 'url,input,status_code,failed,new_column\nhttps://a.example/,a.example,200,false,x\n'],
    ['naabu', 'host,ip,port,protocol,tls,new_column\na.example,192.0.2.1,443,tcp,true,x\n'],
  ])('CSV of %s: a column that it does not write is named', async (format, text) => {
    const found = await read(text)
    expect([found.format, found.warnings]).toEqual([
      format,
      ['Unknown fields were ignored, with the number of rows: new_column (1).'],
    ])
  })

  test('httpx: recorded requests and responses are kept', async () => {
    const { sightings } = await read(
      json({
        url: 'https://a.example/',
        input: 'a.example',
        status_code: 200,
        request: 'GET /',
        raw_header: 'HTTP/1.1 200 OK',
        body: 'x',
        words: 3,
      }),
    )
    expect(sightings[0]?.data).toMatchObject({ request: 'GET /', response: 'HTTP/1.1 200 OK\r\n\r\nx', words: 3 })
  })

  test('WhatWeb: what is not a program is kept with the response', async () => {
    const { sightings } = await read(
      json([
        {
          target: 'https://a.example/',
          http_status: 200,
          plugins: { Email: { string: ['x@a.example'] }, Title: { string: ['T'] }, nginx: {} },
        },
      ]),
    )
    expect(sightings[0]?.data).toMatchObject({ title: 'T', extracted: ['Email: x@a.example'] })
  })
})

test('Acunetix: a file or a program has no place, and the second scan has its own site', async () => {
  const scan = (site: string, affects: string) =>
    `<Scan>${site && `<StartURL>${site}</StartURL>`}<ReportItems><ReportItem><Name>N</Name><Affects>${affects}</Affects><Severity>high</Severity></ReportItem></ReportItems></Scan>`
  const { sightings, rejected } = await read(
    `<ScanGroup>${scan('https://a.example', 'login.php')}${scan('https://b.example', 'Web Server')}${scan('', '/x')}</ScanGroup>`,
  )
  expect(sightings.map(({ host }) => host)).toEqual(['a.example', 'b.example'])
  expect(rejected).toEqual(['the scan names no address'])
})

test('Nexpose, Qualys and Invicti: what passed or is fixed is counted', async () => {
  expect((await read(fixture('nexpose.xml'))).warnings).toEqual(['Checks that passed and are not findings: 1.'])
  const qualys = await read(
    '<ASSET_DATA_REPORT><HOST_LIST><HOST><IP>192.0.2.1</IP><VULN_INFO_LIST><VULN_INFO><QID>1</QID><TYPE>Vuln</TYPE><VULN_STATUS>Fixed</VULN_STATUS></VULN_INFO><VULN_INFO><QID>2</QID><TYPE>Ig</TYPE></VULN_INFO></VULN_INFO_LIST></HOST></HOST_LIST></ASSET_DATA_REPORT>',
  )
  expect([lines(qualys), qualys.warnings]).toEqual([
    ['host | 192.0.2.1 | 192.0.2.1', 'vulnerability | 192.0.2.1 | QID 1', 'vulnerability | 192.0.2.1 | QID 2 | info'],
    ['Checks that passed and are not findings: 1.'],
  ])
  const vulnerability = (state: string) =>
    `<vulnerability><url>https://a.example/</url><name>${state}</name><severity>High</severity><state>${state}</state></vulnerability>`
  const invicti = await read(
    `<invicti-enterprise><target><url>https://a.example/</url></target><vulnerabilities>${vulnerability('Fixed (Confirmed)')}${vulnerability('Accepted Risk')}</vulnerabilities></invicti-enterprise>`,
  )
  expect(invicti.sightings.map(({ passed, disposition }) => [passed, disposition])).toEqual([
    [true, null],
    [false, 'accepted'],
  ])
})

test.each([
  ['masscan in a terminal', 'Discovered open port 80/tcp on 192.0.2.1', /masscan.*-oJ/],
  [
    'masscan -oG of another version',
    '# Masscan 1.3.2 scan initiated Tue Nov 24 09:00:00 2026\nTimestamp: 1\tHost: 192.0.2.1 ()',
    /grepable output of masscan/,
  ],
  ['RustScan with -g', '192.0.2.1 -> [22,80]', /RustScan/],
  [
    'NetExec with times',
    '2026-11-24 09:00:00 SMB         192.0.2.20      445    SRV20            [*] Windows',
    /NetExec/,
  ],
  [
    'nuclei with times',
    '[2026-11-24 09:00:00] [git-config] [http] [medium] https://a.example/.git/config',
    /nuclei.*-jsonl/,
  ],
  ['CSV of Nikto', '"Nikto - v2.5.0/"\n"a.example","192.0.2.1","443","","","","nginx"', /Nikto.*json/],
  ['trufflehog 2', json({ branch: 'b', commit: 'c', printDiff: 'd', reason: 'r', stringsFound: ['x'] }), /trufflehog/],
  [
    'Arachni',
    '<report xsi="https://raw.githubusercontent.com/Arachni/arachni/v1.5.1/schema.xsd"><issues/></report>',
    /Arachni/,
  ],
  ['Prowler 3', json([{ FindingUniqueId: 'x', CheckID: 'c', Status: 'FAIL' }]), /json-ocsf/],
  ['ASFF', json([{ SchemaVersion: '2018-10-08', ProductArn: 'a', GeneratorId: 'g' }]), /ASFF/],
  ['Simple XML of Nexpose', '<NeXposeSimpleXML version="1.0"/>', /XML Export 2\.0/],
  ['pcap', Buffer.from('d4c3b2a1020004000000000000000000', 'hex'), /network traffic/],
])('%s is refused with what to do instead', async (_what, text, reason) => {
  const reasonGiven = await refusal(text)
  expect(reasonGiven).toMatch(reason)
  expect(reasonGiven.length).toBeLessThanOrEqual(300)
})
