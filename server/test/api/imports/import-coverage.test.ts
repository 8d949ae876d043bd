import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('coverage', () => {
  /** The results that remain when a port is closed, filtered, or was not scanned. */
  const later = (ports: string, services = '22,53,80,443,8080,9999') =>
    `<nmaprun scanner="nmap" version="7.95"><scaninfo type="syn" protocol="tcp" numservices="6" services="${services}"/><host><status state="up" reason="syn-ack"/><address addr="192.0.2.10" addrtype="ipv4"/><ports>${ports}</ports></host><runstats/></nmaprun>`
  const open = (port: number) => `<port protocol="tcp" portid="${port}"><state state="open"/></port>`

  const statesAfter = async (file: string, options: Record<string, string> = {}) => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    const result = await imported(key, engagement, file, options)
    const rows = await resultsOf(key, engagement, { kind: 'service' })
    return {
      result,
      engagement,
      states: Object.fromEntries(rows.map(({ asset, state }) => [asset.slice('192.0.2.10:'.length), state])),
    }
  }

  test('nmap: a result that it examined and does not report is gone; filtered and other protocols were not examined', async () => {
    const { states, result } = await statesAfter(
      later(
        `<extraports state="closed" count="4"/>${open(80)}<port protocol="tcp" portid="53"><state state="filtered"/></port>`,
      ),
    )
    expect(states).toEqual({
      '53/tcp': 'present',
      '80/tcp': 'present',
      '443/tcp': 'gone',
      '9999/tcp': 'gone',
      '53/udp': 'present',
      '161/udp': 'present',
    })
    expect(result.counts.results).toMatchObject({ gone: 2 })
  })

  test('nmap: ports that were not scanned, and sums without port numbers, prove nothing', async () => {
    expect((await statesAfter(later(open(80), '80'))).states).toMatchObject({
      '443/tcp': 'present',
      '53/tcp': 'present',
    })
    const vague = later(`<extraports state="filtered" count="3"/><extraports state="closed" count="1"/>${open(80)}`)
    expect((await statesAfter(vague)).states).toMatchObject({ '443/tcp': 'present', '53/tcp': 'present' })
    const exact = later(
      `<extraports state="filtered" count="1"><extrareasons reason="no-response" count="1" proto="tcp" ports="53"/></extraports><extraports state="closed" count="4"><extrareasons reason="resets" count="4" proto="tcp" ports="22,443,8080,9999"/></extraports>${open(80)}`,
    )
    expect((await statesAfter(exact)).states).toMatchObject({ '443/tcp': 'gone', '53/tcp': 'present' })
  })

  describe('nmap --open', () => {
    const shown = (ports: string, address = '192.0.2.10') =>
      `<nmaprun scanner="nmap" args="nmap -&#45;open -p 22,53,80,443 -oX - 192.0.2.0/24" version="7.95"><scaninfo type="syn" protocol="tcp" numservices="4" services="22,53,80,443"/><host><status state="up" reason="syn-ack"/><address addr="${address}" addrtype="ipv4"/><ports>${ports}</ports></host><runstats><hosts up="256" down="0" total="256"/></runstats></nmaprun>`

    test('a host that it leaves out stays unchanged, whatever its ports were', async () => {
      const { states, engagement } = await statesAfter(
        shown(`<extraports state="closed" count="3"/>${open(80)}`, '192.0.2.11'),
      )
      expect(states).toMatchObject({ '80/tcp': 'present', '443/tcp': 'present', '53/tcp': 'present' })
      expect(await resultsOf(key, engagement, { state: 'gone' })).toEqual([])
    })

    test('ports that it sums up as closed are gone; those that it neither lists nor sums up are not', async () => {
      const summed = `<extraports state="closed" count="3"><extrareasons reason="reset" count="3" proto="tcp" ports="22,53,443"/></extraports>`
      expect((await statesAfter(shown(summed + open(80)))).states).toMatchObject({
        '80/tcp': 'present',
        '443/tcp': 'gone',
        '53/tcp': 'gone',
      })
      for (const ports of [open(80), `<extraports state="closed" count="1"/>${open(80)}`]) {
        const { states, result } = await statesAfter(shown(ports))
        expect([states, result.counts.results['gone']]).toEqual([
          expect.objectContaining({ '443/tcp': 'present', '53/tcp': 'present' }),
          0,
        ])
      }
    })
  })

  describe('results of a port', () => {
    const ANSWERS = [
      {
        url: 'https://192.0.2.10/',
        status_code: 200,
        host: '192.0.2.10',
        tech: ['Nginx:1.25'],
        tls: { host: '192.0.2.10', port: '443', serial: '1', issuer_cn: 'x' },
      },
      { url: 'https://portal.example.com/', status_code: 200, host_ip: '192.0.2.10' },
      { url: 'http://192.0.2.10/', status_code: 200, host: '192.0.2.10' },
    ]
    const zapped = JSON.stringify({
      '@version': '2.15.0',
      site: [
        {
          '@name': 'https://192.0.2.10',
          alerts: [
            { pluginid: '1', name: 'A', riskcode: '1', confidence: '2', instances: [{ uri: 'https://192.0.2.10/a' }] },
          ],
        },
      ],
    })

    const goneAfter = async (...files: string[]) => {
      const engagement = await newEngagement(key)
      await imported(key, engagement, ANSWERS.map((row) => JSON.stringify(row)).join('\n'))
      await imported(key, engagement, zapped)
      await imported(key, engagement, fixture('masscan.list'))
      const wouldBe: unknown[] = []
      const is: unknown[] = []
      for (const file of files) {
        wouldBe.push((await imported(key, engagement, file, { mode: 'preview' })).counts.results['gone'])
        is.push((await imported(key, engagement, file)).counts.results['gone'])
      }
      expect(wouldBe).toEqual(is)
      return (await resultsOf(key, engagement, { state: 'gone' }))
        .map(({ kind, asset }) => `${kind} ${asset}`)
        .toSorted()
    }

    test('are gone with the port at that address; findings are left to their tools, and names to a source that examines all their addresses', async () => {
      expect(await goneAfter(later(`<extraports state="closed" count="5"/>${open(80)}`))).toEqual([
        'http_response https://192.0.2.10/',
        'service 192.0.2.10:443/tcp',
        'technology https://192.0.2.10',
        'tls_certificate 192.0.2.10:443/tcp',
        'web_path https://192.0.2.10/a',
      ])
    })

    test.each([
      ['open', later(`<extraports state="closed" count="4"/>${open(80)}${open(443)}`)],
      ['filtered', later(`<extraports state="filtered" count="5"/>${open(80)}`)],
      ['unfiltered, which is open or closed', later(`<extraports state="unfiltered" count="5"/>${open(80)}`)],
      ['not looked at', later(open(80), '80')],
      [
        'closed for UDP',
        later('<extraports state="closed" count="2"/>', '')
          .replace('protocol="tcp" numservices', 'protocol="udp" numservices')
          .replace('services=""', 'services="80,443"'),
      ],
    ])('stay while the port is %s', async (_, file) => {
      expect(await goneAfter(file)).not.toContainEqual(
        expect.stringMatching(/^(?:http_response|web_path|tls_certificate|technology) /),
      )
    })

    test('that were seen after the file was written stay', async () => {
      const engagement = await newEngagement(key)
      await imported(key, engagement, JSON.stringify(ANSWERS[0]))
      await imported(key, engagement, later(`<extraports state="closed" count="6"/>`), {
        seenAt: '2026-01-01T00:00:00.000Z',
      })
      expect(await resultsOf(key, engagement, { state: 'gone' })).toEqual([])
    })
  })

  test('a result that is gone and seen again has reappeared, and every sighting can be read', async () => {
    const { engagement } = await statesAfter(later(`<extraports state="closed" count="5"/>${open(80)}`))
    const { counts } = await imported(key, engagement, fixture('nmap.xml'), { seenAt: new Date().toISOString() })
    expect(counts.results).toMatchObject({ reappeared: 3, gone: 0 })
    const [https] = await resultsOf(key, engagement, { port: '443', kind: 'service' })
    const { body } = await key.get(`/api/v1/results/${https?.id}/observations`)
    expect(body.data.map(({ change }: { change: string }) => change)).toEqual(['reappeared', 'gone', 'created'])
    expect(body.data[1]).toMatchObject({ before: { state: 'present' }, after: { state: 'gone' } })
  })

  test('a result that is left out as out of scope counts neither as gone nor as unreadable', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'deny', pattern: '192.0.2.10' })
    for (const more of [{}, { fullRescan: 'true' }, { covered: 'all' }, { covered: 'all', mode: 'preview' }] as Record<
      string,
      string
    >[]) {
      const options = { outOfScope: 'skip', ...more }
      const { counts, warnings } = await imported(key, engagement, fixture('nmap.xml'), options)
      expect([counts.results['gone'], warnings]).toEqual([0, [expect.stringContaining('no certain answer')]])
      expect(counts.outOfScope).toBeGreaterThan(0)
    }
    expect((await resultsOf(key, engagement)).filter(({ state }) => state === 'gone')).toEqual([])
  })

  test('covered=all without out-of-scope results: of its hosts nothing is gone, of others what the file does not show', async () => {
    const engagement = await newEngagement(key)
    const row = (ip: string, port: number) =>
      `{"ip":"${ip}","port":${port},"proto":"tcp","rec_type":"status","data":{"status":"open"}}`
    const all = [row('192.0.2.1', 22), row('192.0.2.1', 80), row('192.0.2.2', 22), row('192.0.2.2', 80)]
    await imported(key, engagement, all.join('\n'))
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'deny', pattern: '192.0.2.1' })
    const later = [all[0], all[2]].join('\n')
    const { counts, warnings } = await imported(key, engagement, later, { outOfScope: 'skip', covered: 'all' })
    expect([counts.results.gone, counts.rejected, counts.outOfScope, warnings]).toEqual([1, 1, 1, []])
    expect((await resultsOf(key, engagement, { state: 'gone' })).map(({ asset }) => asset)).toEqual([
      '192.0.2.2:80/tcp',
    ])
  })

  test('a marked result out of scope is counted, stored, and lets the file cover everything', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan.list'))
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'deny', pattern: '192.0.2.10' })
    const marked = await imported(key, engagement, 'open tcp 80 192.0.2.10 1795336855', {
      outOfScope: 'mark',
      covered: 'all',
    })
    expect(marked).toMatchObject({
      state: 'applied',
      warnings: [],
      counts: { rejected: 0, outOfScope: 1, results: { gone: 1 } },
    })
  })

  test('a result that a person has decided on since the file was written stays', async () => {
    const engagement = await newEngagement(key)
    const [first, second] = [-120_000, -60_000].map((ago) => new Date(app.clock.now() + ago).toISOString()) as [
      string,
      string,
    ]
    await imported(key, engagement, fixture('nessus.nessus'), { seenAt: first })
    const [confirmed] = await resultsOf(key, engagement, { kind: 'vulnerability' })
    await key.patch(`/api/v1/results/${confirmed?.id}`, { status: 'confirmed' })
    await imported(
      key,
      engagement,
      fixture('nessus.nessus')
        .toString()
        .replaceAll(/<ReportItem[\s\S]*?<\/ReportItem>/g, ''),
      { seenAt: second },
    )
    const gone = await resultsOf(key, engagement, { kind: 'vulnerability', state: 'gone' })
    expect(gone.map(({ id }) => id)).not.toContain(confirmed?.id)
    expect(gone.length).toBeGreaterThan(0)
  })

  test('a file with only out-of-scope results ends as partial, and its rejections have their lines', async () => {
    const engagement = await newEngagement(key)
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'allow', pattern: '*.example.org' })
    const file = ['one.example.com', 'two.example.com'].join('\n')
    const { id, state, counts } = await imported(key, engagement, file, { format: 'subfinder', outOfScope: 'skip' })
    expect([state, counts.rejected]).toEqual(['partial', 2])
    const { data } = (await key.get(`/api/v1/imports/${id}/rejections`)).body
    expect(data.map(({ position }: { position: string }) => position)).toEqual(['line 1', 'line 2'])
  })

  test('SARIF: a finding that is suppressed later is accepted, unless a person has decided on it', async () => {
    const engagement = await newEngagement(key)
    const file = (suppressions: object[]) =>
      JSON.stringify({
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'T' } },
            results: ['a', 'b'].map((ruleId) => ({ message: { text: ruleId }, ruleId, suppressions })),
          },
        ],
      })
    await imported(key, engagement, file([]))
    const [confirmed, other] = await resultsOf(key, engagement)
    await key.patch(`/api/v1/results/${confirmed?.id}`, { status: 'confirmed' })
    app.clock.advance(1_000)
    await imported(key, engagement, file([{ kind: 'external', status: 'accepted' }]))
    const statusOf = new Map((await resultsOf(key, engagement)).map(({ id, status }) => [id, status]))
    expect([statusOf.get(confirmed?.id as string), statusOf.get(other?.id as string)]).toEqual([
      'confirmed',
      'accepted',
    ])
  })

  test('masscan proves nothing; a full rescan is everything that the tool sees of its hosts', async () => {
    const row = '{"ip":"192.0.2.10","port":80,"proto":"tcp","rec_type":"status","data":{"status":"open"}}'
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan.ndjson'))
    expect((await imported(key, engagement, row)).counts.results.gone).toBe(0)
    expect((await imported(key, engagement, row, { fullRescan: 'true' })).counts.results.gone).toBe(1)
    expect((await resultsOf(key, engagement, { state: 'gone' })).map(({ asset }) => asset)).toEqual([
      '192.0.2.10:53/udp',
    ])
  })

  test.each([
    ['SARIF', 'sarif.json'],
    ['CycloneDX', 'cyclonedx.json'],
  ])('a full rescan by %s says that results without a host are not gone, and how they would be', async (_, file) => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture(file))
    for (const mode of ['preview', 'apply']) {
      const { warnings, counts } = await imported(key, engagement, fixture(file), { fullRescan: 'true', mode })
      expect([warnings, counts.results['gone']]).toEqual([
        expect.arrayContaining([expect.stringMatching(/without a host.*covered=all/)]),
        0,
      ])
    }
    expect(
      (await imported(key, engagement, fixture(file), { fullRescan: 'true', covered: 'all' })).warnings.filter(
        (text) => !/passed|^Statements about/.test(text),
      ),
    ).toEqual([])
  })

  test('covered=all: an empty file of a named format makes everything gone', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan.ndjson'))
    const { state, counts } = await imported(key, engagement, '', { format: 'masscan', covered: 'all' })
    expect(state).toBe('applied')
    expect(counts.results.gone).toBe(2)
  })

  test('an inventory of thousands is compared to its end, and a preview counts the same', async () => {
    const engagement = await newEngagement(key)
    const row = (index: number) =>
      `{"ip":"10.9.${index >> 8}.${index & 255}","port":80,"proto":"tcp","rec_type":"status","data":{"status":"open"}}`
    const all = Array.from({ length: 4_100 }, (_, index) => row(index))
    const first = await imported(key, engagement, all.join('\n'), { format: 'masscan' })
    const kept = all.filter((_, index) => index % 1_000 === 0).join('\n')
    const preview = await imported(key, engagement, kept, { format: 'masscan', covered: 'all', mode: 'preview' })
    expect(preview.counts.results.gone).toBe(4_100 - 5)
    expect(first.counts.results.created).toBe(4_100)
    expect((await imported(key, engagement, kept, { format: 'masscan', covered: 'all' })).counts.results.gone).toBe(
      4_100 - 5,
    )
  })

  test('nuclei, Nessus: a finding of a rule that was checked without a match, or that its host no longer has, is gone', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nuclei.jsonl'))
    const row = {
      'template-id': 'git-config',
      info: { name: 'Git' },
      'matched-at': 'https://portal.example.com/.git/config',
      'matcher-status': false,
    }
    expect((await imported(key, engagement, JSON.stringify(row))).counts.results.gone).toBe(1)
    await imported(key, engagement, fixture('nessus.nessus'))
    const clean = fixture('nessus.nessus')
      .toString()
      .replace(/<ReportItem port="443"[^]*?<\/ReportItem>/, '')
      .replace(/<ReportItem port="443"[^]*?<\/ReportItem>/, '')
    expect((await imported(key, engagement, clean)).counts.results.gone).toBe(1)
  })

  test('ZAP: a site is scheme, host and port: a report of one proves nothing of another on the same host', async () => {
    const engagement = await newEngagement(key)
    const site = (origin: string, hasAlert: boolean) => ({
      '@name': origin,
      '@host': 'portal.example.com',
      alerts: hasAlert
        ? [
            {
              pluginid: '10011',
              name: 'Cookie',
              riskcode: '1',
              confidence: '2',
              instances: [{ uri: `${origin}/a`, method: 'GET' }],
            },
          ]
        : [],
    })
    const report = (...sites: object[]) => JSON.stringify({ '@version': '2.15.0', site: sites })
    const SITES = [
      'https://portal.example.com',
      'http://portal.example.com',
      'https://portal.example.com:8443',
    ] as const
    await imported(key, engagement, report(...SITES.map((origin) => site(origin, true))))
    expect((await imported(key, engagement, report(site(SITES[2], false)))).counts.results.gone).toBe(1)
    const xml = `<OWASPZAPReport version="2.15.0"><site name="http://portal.example.com" host="portal.example.com" port="80" ssl="false"><alerts></alerts></site></OWASPZAPReport>`
    expect((await imported(key, engagement, xml)).counts.results.gone).toBe(1)
    const rows = await resultsOf(key, engagement, { kind: 'vulnerability' })
    expect(Object.fromEntries(rows.map(({ asset, state }) => [asset, state]))).toEqual({
      [SITES[0]]: 'present',
      [SITES[1]]: 'gone',
      [SITES[2]]: 'gone',
    })
  })

  test('ZAP: a false positive there is one here, and not gone', async () => {
    const engagement = await newEngagement(key)
    const report = (confidence: string) =>
      JSON.stringify({
        '@version': '2.15.0',
        site: [
          {
            '@name': 'https://portal.example.com',
            alerts: [
              {
                pluginid: '10011',
                name: 'Cookie',
                riskcode: '1',
                confidence,
                instances: [{ uri: 'https://portal.example.com/a', method: 'GET' }],
              },
            ],
          },
        ],
      })
    await imported(key, engagement, report('2'))
    expect((await imported(key, engagement, report('0'))).counts.results['gone']).toBe(0)
    expect(await resultsOf(key, engagement, { kind: 'vulnerability' })).toMatchObject([
      { state: 'present', status: 'false_positive', data: { confidence: 'medium' } },
    ])
    const other = await newEngagement(key)
    await imported(key, other, report('0'))
    expect(await resultsOf(key, other, { kind: 'vulnerability' })).toMatchObject([
      { state: 'present', status: 'false_positive' },
    ])
  })

  test('ZAP: a finding of a site at another host is gone only when a later report of the site omits it', async () => {
    const engagement = await newEngagement(key)
    const alert = (uri: string) => ({
      pluginid: '10011',
      name: 'Cookie',
      riskcode: '1',
      confidence: '2',
      instances: [{ uri, method: 'GET' }],
    })
    const report = (name: string, ...uris: string[]) =>
      JSON.stringify({ '@version': '2.15.0', site: [{ '@name': name, alerts: uris.map(alert) }] })
    const [site, other] = ['https://portal.example.com', 'https://shop.example.com']
    await imported(key, engagement, report(site, `${site}/a`, 'https://cdn.example.net/lib.js'))
    await imported(key, engagement, report('https://cdn.example.net', 'https://cdn.example.net/own.js'))
    expect((await imported(key, engagement, report(other))).counts.results['gone']).toBe(0)
    expect(
      (await imported(key, engagement, report('https://cdn.example.net', 'https://cdn.example.net/own.js'))).counts
        .results['gone'],
    ).toBe(0)
    const next = report(site, `${site}/a`)
    expect((await imported(key, engagement, next, { mode: 'preview' })).counts.results['gone']).toBe(1)
    expect((await imported(key, engagement, next)).counts.results['gone']).toBe(1)
    const [gone] = await resultsOf(key, engagement, { state: 'gone' })
    expect(gone).toMatchObject({
      kind: 'vulnerability',
      asset: site,
      data: { location: 'https://cdn.example.net/lib.js' },
    })
  })

  test.each<[string, object, string[]]>([
    [
      'a URL',
      {
        host: 'portal.example.com',
        port: '443',
        scheme: 'https',
        url: 'https://portal.example.com',
        path: '/.git/config',
        'matched-at': '',
      },
      ['443'],
    ],
    ['host and port', { host: 'portal.example.com', port: '8443' }, ['8443']],
    ['a host that is a URL', { host: 'https://portal.example.com:8443' }, ['8443']],
    ['only a host', { host: 'portal.example.com' }, ['443']],
    ['an address and a port', { ip: '192.0.2.20', port: '443' }, ['ip']],
    ['a URL with a path', { url: 'https://portal.example.com/elsewhere' }, []],
    ['another host', { host: 'www.example.com', port: '443' }, []],
    ['another rule', { host: 'portal.example.com', 'template-id': 'other' }, []],
  ])(
    'nuclei: a rule that was checked without a match at %s is gone there, and nowhere else',
    async (_, place, gone) => {
      const engagement = await newEngagement(key)
      const row = { 'template-id': 'git-config', info: { name: 'Git' }, type: 'http' }
      const places = {
        '443': 'https://portal.example.com/.git/config',
        '8443': 'https://portal.example.com:8443/.git/config',
        ip: 'https://192.0.2.20/.git/config',
      }
      await imported(
        key,
        engagement,
        Object.values(places)
          .map((at) => JSON.stringify({ ...row, 'matched-at': at }))
          .join('\n'),
      )
      await imported(key, engagement, JSON.stringify({ ...row, ...place, 'matcher-status': false }))
      const left = await resultsOf(key, engagement, { state: 'gone' })
      expect(left.map(({ data }) => data.location)).toEqual(gone.map((each) => places[each as keyof typeof places]))
    },
  )

  test('a truncated file marks as gone only what it had finished examining', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nessus.nessus'))
    const cut = fixture('nessus.nessus').toString()
    const { state, counts } = await imported(key, engagement, cut.slice(0, cut.indexOf('<ReportItem port="443"')))
    expect(state).toBe('partial')
    expect(counts.results.gone).toBe(0)
  })

  test('a file older than a sighting neither changes it nor marks it as gone', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'), { seenAt: '2026-11-20T10:00:00.000Z' })
    const before = await resultsOf(key, engagement)
    const { counts } = await imported(key, engagement, later(`<extraports state="closed" count="5"/>${open(80)}`), {
      seenAt: '2026-11-01T10:00:00.000Z',
    })
    expect(counts.results).toMatchObject({ older: 2, gone: 0, changed: 0 })
    expect(await resultsOf(key, engagement)).toEqual(before)
  })
})
