import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneObservations } from '../../../src/features/results/results.jobs.ts'
import { isoTime } from '../../../src/platform/clock.ts'
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

test('an import finishes its file also when the database has no time for statistics', async () => {
  await app.asSuperuser(
    'create or replace function analyze_results() returns void language plpgsql as $$ begin perform pg_sleep(30); end $$',
  )
  const rows = Array.from({ length: 4_000 }, (_, index) => `{"ip":"10.9.${index >> 8}.${index & 255}","port":80}`)
  const { state, stateReason, counts } = await imported(key, await newEngagement(key), rows.join('\n'))
  expect([state, stateReason, counts.results['created']]).toEqual(['applied', null, 4_000])
})

describe('one inventory', () => {
  const nuclei = (response: string) =>
    JSON.stringify({
      'template-id': 'a',
      info: { name: 'A', severity: 'low' },
      type: 'http',
      'matched-at': 'https://portal.example.com/',
      response,
    })
  const nmapScripts = (scripts: Record<string, string>) =>
    `<nmaprun scanner="nmap"><host><status state="up"/><address addr="192.0.2.10" addrtype="ipv4"/><ports><port protocol="tcp" portid="80"><state state="open"/>${Object.entries(
      scripts,
    )
      .map(
        ([id, output]) => `<script id="${id}" output="${output.replaceAll('<', '&lt;').replaceAll('\n', '&#xa;')}"/>`,
      )
      .join('')}</port></ports></host></nmaprun>`
  const masscanBanner = (banner: string) =>
    JSON.stringify({
      ip: '192.0.2.10',
      port: 80,
      proto: 'tcp',
      rec_type: 'banner',
      data: { service_name: 'http', banner },
    })

  test('sightings of two tools of one network are one service for each port, and a guess never replaces a known value', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    const { counts } = await imported(key, engagement, fixture('masscan.ndjson'))
    expect(counts.results).toMatchObject({ created: 0, changed: 1, unchanged: 1 })
    const services = await resultsOf(key, engagement, { kind: 'service' })
    expect(services.map(({ asset }) => asset)).toEqual([
      '192.0.2.10:53/tcp',
      '192.0.2.10:80/tcp',
      '192.0.2.10:443/tcp',
      '192.0.2.10:9999/tcp',
      '192.0.2.10:53/udp',
      '192.0.2.10:161/udp',
    ])
    const web = services.find(({ asset }) => asset === '192.0.2.10:80/tcp')
    expect(web).toMatchObject({
      title: 'http (nginx 1.25.3)',
      tools: ['masscan', 'nmap'],
      data: { product: 'nginx', version: '1.25.3' },
    })
    expect(services.find(({ asset }) => asset === '192.0.2.10:443/tcp')?.title).toBe('https')
  })

  test("a second tool's sighting of the same result is not a change; its result names both until that import is undone", async () => {
    const engagement = await newEngagement(key)
    await imported(
      key,
      engagement,
      '{"ip":"192.0.2.10","port":80,"proto":"tcp","rec_type":"status","data":{"status":"open"}}',
    )
    const from = isoTime(app.clock.now())
    const [web] = await resultsOf(key, engagement)
    app.clock.advance(1_000)
    const file = '{"ip":"192.0.2.10","port":80}'
    expect((await imported(key, engagement, file, { mode: 'preview' })).counts.results).toMatchObject({
      changed: 0,
      unchanged: 1,
    })
    const { id, counts } = await imported(key, engagement, file)
    expect(counts.results).toMatchObject({ created: 0, changed: 0, unchanged: 1 })
    expect((await resultsOf(key, engagement)).map(({ tools }) => tools)).toEqual([['masscan', 'naabu']])
    expect((await key.get(`/api/v1/results/diff?engagementId=${engagement}&from=${from}`)).body.data).toEqual([])
    await imported(key, engagement, file)
    await pruneObservations({
      db: app.platform.db,
      clock: { ...app.clock, now: () => app.clock.now() + 91 * 86_400_000 } as never,
    })
    await key.post(`/api/v1/imports/${id}/undo?wait=30`)
    expect((await key.get(`/api/v1/results/${web?.id}/observations`)).body.data[0].before).toEqual({
      tools: ['masscan'],
    })
  })

  test.each<[string, (each: 0 | 1) => string]>([
    [
      'headers of httpx',
      (each) =>
        JSON.stringify({
          url: 'https://portal.example.com/',
          status_code: 200,
          header: {
            date: ['Sun, 22 Nov 2026 10:00:00 GMT', 'Mon, 23 Nov 2026 10:00:00 GMT'][each],
            age: String(each),
            expires: String(each),
            x_request_id: `id-${each}`,
            set_cookie: `sid=${each}; Expires=Wed, 0${each + 1} Dec 2026 10:00:00 GMT; Secure`,
            content_security_policy: `script-src 'nonce-${each}'`,
          },
        }),
    ],
    [
      'headers in the answer of a finding',
      (each) =>
        nuclei(`HTTP/1.1 200 OK\r\nDate: ${each}\r\nSet-Cookie: sid=${each}; Path=/\r\nServer: nginx\r\n\r\nbody`),
    ],
    [
      'clocks in scripts of nmap',
      (each) =>
        nmapScripts({
          'http-date': `skew ${each}s`,
          'rdp-ntlm-info': `\n  System_Time: ${each}\n  Product_Version: 10`,
        }),
    ],
    [
      'clocks and ids in the greeting that nmap wrote by its script',
      (each) => nmapScripts({ banner: `+OK ready 10:0${each}:00 <189${each}.6971@mail.example>` }),
    ],
    [
      'the salt in the greeting of a database that nmap wrote by its script',
      (each) => nmapScripts({ banner: `J\\x00\\x00\\x00\\x0A8.0.34\\x00\\x0${each}\\x00\\x00\\x00salt-${each}` }),
    ],
    [
      'the salt in the greeting of a database',
      (each) => masscanBanner(`J\u0000\u0000\u0000\n8.0.34\u0000${each}\u0000\u0000\u0000salt-${each}`),
    ],
    ['headers in a banner', (each) => masscanBanner(`HTTP/1.1 200 OK\r\nDate: ${each}\r\nServer: nginx`)],
    [
      'times and ids in the greeting of a mail server',
      (each) => masscanBanner(`+OK POP3 Tue, 24 Nov 2026 10:0${each}:00 +0000 <189${each}.6971@mail.example>`),
    ],
    [
      'counts and clocks in the greeting of an FTP server',
      (each) => masscanBanner(`220-You are user number ${each} of 50 allowed.\n220-Local time is now 10:0${each}.`),
    ],
  ])('%s that differ with every response are not a change', async (_, file) => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, file(0))
    expect((await imported(key, engagement, file(1))).counts.results).toMatchObject({ created: 0, changed: 0 })
  })

  test.each<[string, string, string]>([
    ['the flag of a cookie', nuclei('Set-Cookie: sid=1; Secure\r\n'), nuclei('Set-Cookie: sid=1\r\n')],
    ['another header', nuclei('Date: 1\r\nServer: nginx\r\n'), nuclei('Date: 2\r\nServer: Apache\r\n')],
    [
      'another version in the greeting of a database',
      nmapScripts({ banner: 'J\\x00\\x00\\x00\\x0A8.0.34\\x00\\x01' }),
      nmapScripts({ banner: 'J\\x00\\x00\\x00\\x0A8.0.35\\x00\\x01' }),
    ],
    [
      'another server in a greeting',
      masscanBanner('220 a.example ESMTP Postfix 10:00:00'),
      masscanBanner('220 a.example ESMTP Exim 10:00:01'),
    ],
    [
      'the output of a script in addition to the time',
      nmapScripts({ a: 'Date: 1\nb' }),
      nmapScripts({ a: 'Date: 2\nc' }),
    ],
  ])('%s is a change', async (_, first, second) => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, first)
    expect((await imported(key, engagement, second)).counts.results).toMatchObject({ created: 0, changed: 1 })
  })

  test('masscan writes the bytes of banners in its list as in its rows: UTF-8, or Latin-1 if they are not UTF-8', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan-bytes.list'))
    const banners = (await resultsOf(key, engagement)).map(
      async ({ id }) => (await key.get(`/api/v1/results/${id}`)).body.data.data.banner,
    )
    expect(await Promise.all(banners)).toEqual(['http.server: café', 'http.server: shop/1.0 (über)'])
    expect((await imported(key, engagement, fixture('masscan-bytes.ndjson'))).counts.results).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 2,
    })
  })

  test('a service with several banners of masscan keeps all, and the same file again changes nothing', async () => {
    const engagement = await newEngagement(key)
    const seen = (kind: string, banner: string) =>
      JSON.stringify({
        ip: '192.0.2.10',
        port: 443,
        proto: 'tcp',
        rec_type: 'banner',
        data: { service_name: kind, banner },
      })
    const file = [
      seen('ssl', 'TLS/1.2 cipher:0xc030'),
      seen('http.server', 'nginx'),
      seen('title', 'Portal'),
      seen('http.server', 'nginx'),
    ].join('\n')
    await imported(key, engagement, file)
    const [service] = await resultsOf(key, engagement, { kind: 'service' })
    const bannerNow = async () => (await key.get(`/api/v1/results/${service?.id}`)).body.data.data.banner
    expect(await bannerNow()).toBe('ssl: TLS/1.2 cipher:0xc030\nhttp.server: nginx\ntitle: Portal')
    expect((await imported(key, engagement, `${file}\n`)).counts.results).toMatchObject({ created: 0, changed: 0 })
    expect(await bannerNow()).toBe('ssl: TLS/1.2 cipher:0xc030\nhttp.server: nginx\ntitle: Portal')
  })

  test('OpenVAS: the severity that an override replaced is kept', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('openvas-override.xml'))
    const [found] = await resultsOf(key, engagement, { kind: 'vulnerability' })
    const { data } = (await key.get(`/api/v1/results/${found?.id}`)).body
    expect(data).toMatchObject({
      severity: 'critical',
      data: { evidence: ['Installed: 116', 'severity before an override: 5'] },
    })
  })

  test('values that people set are not changed by an import', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nuclei.jsonl'))
    const [found] = await resultsOf(key, engagement, { q: 'Git Configuration' })
    const path = `/api/v1/results/${found?.id}`
    const set = { severity: 'critical', status: 'false_positive', notes: 'A honeypot.', tags: ['lab'] }
    expect((await key.patch(path, set)).body.data).toMatchObject(set)
    await imported(key, engagement, fixture('nuclei.jsonl'))
    expect((await key.get(path)).body.data).toMatchObject(set)
  })

  test('a fixed vulnerability that is seen again is open, and has the time since when', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nuclei.jsonl'))
    const [found] = await resultsOf(key, engagement, { q: 'Git Configuration' })
    await key.patch(`/api/v1/results/${found?.id}`, { status: 'fixed' })
    const { counts } = await imported(key, engagement, fixture('nuclei.jsonl'))
    expect(counts.results).toMatchObject({ changed: 1, unchanged: 3 })
    const { data } = (await key.get(`/api/v1/results/${found?.id}`)).body
    expect(data.status).toBe('open')
    expect(data.reopenedAt).toEqual(expect.any(String))
  })

  test('severity words in any case count, unknown ones are null; NUL and half pairs become U+FFFD; a repeated finding is one', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nuclei.jsonl'))
    const rows = await resultsOf(key, engagement)
    const severityOf = (title: string) => rows.filter((row) => row.title === title).map(({ severity }) => severity)
    expect(severityOf('Git Configuration')).toEqual(['medium'])
    expect(severityOf('Missing headers')).toEqual([null, null])
    const git = rows.find(({ title }) => title === 'Git Configuration')
    expect((await key.get(`/api/v1/results/${git?.id}`)).body.data.data.response).toBe('[core]\ufffd\ufffd')
    const tls = rows.filter(({ title }) => title === 'TLS Version')
    expect(tls).toHaveLength(1)
    expect((await key.get(`/api/v1/results/${tls[0]?.id}`)).body.data.data.evidence).toEqual(['tls12', 'tls13'])
  })
})
