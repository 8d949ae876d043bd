import { gzipSync } from 'node:zlib'
import { IMPORT_FORMATS } from '@sortie/contract/inventory/imports.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { zipOf } from '../../support/inputs/zip.ts'
import { IMPORTED_FILES } from '../../support/scans/imported-files.ts'
import { FIXTURE_NAMES, fixture, importBytes, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const byKind = (rows: readonly { kind: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const sarifOf = (...tools: [name: string, version: string][]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: tools.map(([name, version]) => ({
      tool: { driver: { name, version, rules: [{ id: 'r' }] } },
      results: [{ ruleId: 'r', message: { text: 'x' } }],
    })),
  })
const bomOf = (tools: unknown) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { tools },
    components: [{ type: 'library', name: 'a' }],
  })

describe('each format', () => {
  test.each(IMPORTED_FILES)(
    '%s is recognised by its bytes and imports its content; the same file again changes nothing',
    async (file, format, state, results, rejected) => {
      const engagement = await newEngagement(key)
      const first = await imported(key, engagement, fixture(file))
      expect(first).toMatchObject({ format, state, counts: { rejected } })
      const rows = await resultsOf(key, engagement)
      expect(byKind(rows)).toEqual(results)
      expect(first.counts.results).toEqual({
        created: rows.length,
        unchanged: 0,
        changed: 0,
        gone: 0,
        reappeared: 0,
        older: 0,
      })
      const second = await imported(key, engagement, fixture(file))
      expect(second.duplicateOf).toBe(first.id)
      expect(second.counts.results).toEqual({
        created: 0,
        unchanged: rows.length,
        changed: 0,
        gone: 0,
        reappeared: 0,
        older: 0,
      })
      const after = await resultsOf(key, engagement)
      expect(after.map(({ id, title, data, tools }) => ({ id, title, data, tools }))).toEqual(
        rows.map(({ id, title, data, tools }) => ({ id, title, data, tools })),
      )
    },
  )

  test.each<[string, string, [tool: string, version: string | null], string[]]>([
    ['SARIF', sarifOf(['Trivy', '0.47.0']), ['Trivy', '0.47.0'], ['Trivy']],
    ['SARIF of two tools', sarifOf(['Trivy', '0.47.0'], ['KICS', '2']), ['Trivy, KICS', '2'], ['KICS', 'Trivy']],
    ['CycloneDX 1.4', bomOf([{ vendor: 'anchore', name: 'grype', version: '0.41.0' }]), ['grype', '0.41.0'], ['grype']],
    [
      'CycloneDX 1.5',
      bomOf({ components: [{ type: 'application', name: 'syft', version: '1' }] }),
      ['syft', '1'],
      ['syft'],
    ],
    [
      'CycloneDX in XML',
      '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><metadata><tools><tool><name>grype</name><version>1</version></tool></tools></metadata><components><component type="library"><name>a</name></component></components></bom>',
      ['grype', '1'],
      ['grype'],
    ],
    ['CycloneDX that does not say it', bomOf(undefined), ['cyclonedx', null], ['cyclonedx']],
    ['CSV of testssl', fixture('testssl.csv').toString(), ['testssl', null], ['testssl']],
    ['nmap', fixture('nmap.xml').toString(), ['nmap', '7.95'], ['nmap']],
  ])('the tool is the program that wrote the file: %s', async (_, file, [tool, toolVersion], tools) => {
    const engagement = await newEngagement(key)
    expect(await imported(key, engagement, file)).toMatchObject({ tool, toolVersion })
    expect([...new Set((await resultsOf(key, engagement)).flatMap((row) => row.tools))].toSorted()).toEqual(tools)
    expect((await resultsOf(key, engagement, { tool: tools[0] as string })).length).toBeGreaterThan(0)
    const nothing = file.includes('"runs"')
      ? '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Trivy"}},"results":[]}]}'
      : undefined
    if (nothing === undefined) return
    await imported(key, engagement, nothing, { covered: 'all' })
    expect((await resultsOf(key, engagement, { state: 'gone' })).flatMap((row) => row.tools)).toEqual(['Trivy'])
  })

  test('GET formats: lists the formats and whether they report what they examined', async () => {
    const { body } = await key.get('/api/v1/imports/formats')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...IMPORT_FORMATS])
    expect(new Set(IMPORTED_FILES.map(([, format]) => format))).toEqual(new Set(IMPORT_FORMATS))
    expect(
      body.data
        .filter((format: { knowsCoverage: boolean }) => format.knowsCoverage)
        .map(({ id }: { id: string }) => id),
    ).toEqual(['nmap', 'nuclei', 'nessus', 'zap', 'openvas'])
  })
})

describe('preview, undo, delete', () => {
  const snapshot = async (engagement: string) =>
    (await resultsOf(key, engagement)).map((row) => ({ ...row, updatedAt: undefined }))

  test('a preview counts its effects and changes nothing until it is applied', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan.ndjson'))
    const before = await snapshot(engagement)
    const preview = await imported(key, engagement, fixture('nmap.xml'), {
      mode: 'preview',
      seenAt: new Date().toISOString(),
    })
    expect(preview).toMatchObject({ state: 'previewed', counts: { results: { created: 9, changed: 1, unchanged: 1 } } })
    expect(await snapshot(engagement)).toEqual(before)
    const { status, body } = await key.post(`/api/v1/imports/${preview.id}/apply?wait=30`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ state: 'applied', mode: 'apply', counts: { results: preview.counts.results } })
    expect((await key.post(`/api/v1/imports/${preview.id}/apply`)).status).toBe(409)
  })

  test('of simultaneous imports of one file one brings the rows, and the others name it', async () => {
    for (const wait of ['30', '0']) {
      const engagement = await newEngagement(key)
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => importBytes(key, engagement, fixture('nmap.xml'), { wait })),
      )
      const atOnce = answers.map(({ body }) => body.data.duplicateOf)
      expect(atOnce.filter((id) => id === null)).toHaveLength(1)
      const ended = async () => {
        const { data } = (await key.get(`/api/v1/imports?engagementId=${engagement}&perPage=100`)).body
        return data.every(({ state }: { state: string }) => state === 'applied') ? data : undefined
      }
      const imports = (await vi.waitUntil(ended, { timeout: 60_000, interval: 100 })) as {
        id: string
        duplicateOf: string | null
        counts: { results: Record<string, number> }
      }[]
      const [first, ...others] = imports.toSorted(
        (a, b) => Number(a.duplicateOf !== null) - Number(b.duplicateOf !== null),
      )
      expect(first?.counts.results['created']).toBeGreaterThan(0)
      expect(others.map(({ duplicateOf, counts }) => [duplicateOf, counts.results['created']])).toEqual(
        others.map(() => [first?.id, 0]),
      )
    }
  })

  test('a preview does not count as an earlier import of the same file; whether it repeats one is reported once it is applied', async () => {
    const engagement = await newEngagement(key)
    const preview = await imported(key, engagement, fixture('masscan.ndjson'), { mode: 'preview' })
    const first = await imported(key, engagement, fixture('masscan.ndjson'))
    expect([preview.duplicateOf, first.duplicateOf]).toEqual([null, null])
    expect((await key.post(`/api/v1/imports/${preview.id}/apply?wait=30`)).body.data.duplicateOf).toBe(first.id)
  })

  test('undo reverts exactly what an import brought: the inventory is as before', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    const before = await snapshot(engagement)
    const second = await imported(
      key,
      engagement,
      `<nmaprun scanner="nmap"><scaninfo protocol="tcp" services="1-65535"/><host><status state="up" reason="x"/><address addr="192.0.2.10" addrtype="ipv4"/><ports><port protocol="tcp" portid="80"><state state="open"/><service name="http" product="Apache" method="probed"/></port><port protocol="tcp" portid="81"><state state="open"/></port></ports></host><runstats/></nmaprun>`,
    )
    expect(second.counts.results).toMatchObject({ created: 2, changed: 1, gone: 3 })
    expect(await snapshot(engagement)).not.toEqual(before)
    const { body } = await key.post(`/api/v1/imports/${second.id}/undo?wait=30`)
    expect(body.data.state).toBe('undone')
    expect(await snapshot(engagement)).toEqual(before)
  })

  test('undo keeps what other sources have seen or people have changed since', async () => {
    const engagement = await newEngagement(key)
    const first = await imported(key, engagement, fixture('nmap.xml'))
    await imported(key, engagement, fixture('masscan.ndjson'))
    const [host] = await resultsOf(key, engagement, { kind: 'host' })
    await key.patch(`/api/v1/results/${host?.id}`, { notes: 'The jump host.' })
    await key.post(`/api/v1/imports/${first.id}/undo?wait=30`)
    expect((await resultsOf(key, engagement)).map(({ asset }) => asset)).toEqual([
      '192.0.2.10',
      '192.0.2.10:80/tcp',
      '192.0.2.10:53/udp',
    ])
  })

  test('an import in effect cannot be deleted; an undone one can, with its file', async () => {
    const engagement = await newEngagement(key)
    const { id } = await imported(key, engagement, fixture('nmap.xml'))
    const path = `/api/v1/imports/${id}`
    expect((await key.delete(path)).status).toBe(409)
    const file = await key.get(`${path}/file`)
    expect(Buffer.from(file.text)).toEqual(fixture('nmap.xml'))
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
    await key.post(`${path}/undo?wait=30`)
    expect((await key.delete(path)).body).toEqual({ data: { deleted: true, id } })
    for (const gone of [path, `${path}/file`, `${path}/rejections`]) expect((await key.get(gone)).status).toBe(404)
  })
})

describe('the file', () => {
  test('U2: gzip is read; a file that expands too much fails with a reason', async () => {
    const engagement = await newEngagement(key)
    expect(await imported(key, engagement, gzipSync(fixture('nmap.xml')))).toMatchObject({
      state: 'applied',
      format: 'nmap',
    })
    const bomb = await imported(key, engagement, gzipSync(Buffer.alloc(30_000_000, ' ')))
    expect(bomb).toMatchObject({ state: 'failed', stateReason: expect.stringMatching(/100 times/) })
    const rows = await imported(
      key,
      engagement,
      gzipSync(`title,host,severity\nOne,192.0.2.1,high\n${'\n'.repeat(30_000_000)}`),
    )
    expect(rows).toMatchObject({ state: 'failed', stateReason: expect.stringMatching(/100 times/) })
  })

  test('a gzip file is a file; one that is sent with Content-Encoding is refused with a hint, and nothing is stored', async () => {
    const engagement = await newEngagement(key)
    const bytes = gzipSync(fixture('nmap.xml'))
    const path = `/api/v1/imports?engagementId=${engagement}&fileName=scan.xml.gz`
    for (const encoding of ['gzip', 'GZIP', 'deflate', 'br', 'gzip, gzip']) {
      const { status, body } = await key.request('POST', path, {
        rawBody: bytes,
        headers: { 'content-encoding': encoding },
      })
      expect([status, body.error.code, body.error.message], encoding).toEqual([
        400,
        'BAD_REQUEST',
        'Content-Encoding is not supported: send the body as it is.',
      ])
    }
    expect((await key.get(`/api/v1/imports?engagementId=${engagement}`)).body.data).toEqual([])
    expect(await imported(key, engagement, bytes)).toMatchObject({
      state: 'applied',
      format: 'nmap',
      counts: { rejected: 0 },
    })
  })

  test('UTF-16, byte order marks and old encodings are read', async () => {
    const engagement = await newEngagement(key)
    const text = fixture('httpx.jsonl').toString()
    for (const bytes of [
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      Buffer.from(text, 'utf16le'),
    ]) {
      expect(await imported(key, engagement, bytes)).toMatchObject({ format: 'httpx', state: 'applied' })
    }
    expect((await resultsOf(key, engagement, { kind: 'http_response' })).map(({ title }) => title)).toContain(
      '200 Portal – Anmeldung',
    )
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><nmaprun scanner="nmap"><host><status state="up"/><address addr="192.0.2.50" addrtype="ipv4"/><os><osmatch name="Büro"/></os></host></nmaprun>',
      'latin1',
    )
    await imported(key, engagement, latin)
    expect((await resultsOf(key, engagement, { kind: 'host' }))[0]?.data.os).toBe('Büro')
  })

  test.each(['jsonl', 'array', 'one', 'pretty'])('records come as %s', async (shape) => {
    const rows = fixture('masscan.ndjson').toString().trim().split('\n')
    const pretty = rows.map((row) => JSON.stringify(JSON.parse(row), null, 2))
    const text = {
      jsonl: rows.join('\n'),
      array: `[${rows.join(',')}]`,
      one: rows[0] as string,
      pretty: pretty.join('\n'),
    }[shape] as string
    const engagement = await newEngagement(key)
    expect(await imported(key, engagement, text)).toMatchObject({
      format: 'masscan',
      state: 'applied',
      counts: { results: { created: shape === 'one' ? 1 : 2 } },
    })
  })

  test('a first record of megabytes is recognised by its keys, wherever they are in it', async () => {
    const engagement = await newEngagement(key)
    const body = 'x'.repeat(3 * 1024 * 1024)
    const row = (path: string) => JSON.stringify({ url: `https://portal.example.com/${path}`, body, status_code: 200 })
    expect(await imported(key, engagement, `${row('a')}\n${row('b')}`)).toMatchObject({
      format: 'httpx',
      state: 'applied',
    })
    expect(await resultsOf(key, engagement, { kind: 'http_response' })).toHaveLength(2)
    const nuclei = JSON.stringify({
      response: body,
      info: { name: 'A' },
      'matched-at': 'https://portal.example.com/',
      'template-id': 'a',
    })
    expect(await imported(key, engagement, nuclei)).toMatchObject({
      format: 'nuclei',
      state: 'applied',
      counts: { results: { created: 1 } },
    })
    const result = { ruleId: 'r', message: { text: body } }
    const sarif = JSON.stringify({
      runs: [{ tool: { driver: { name: 'own', rules: [] } }, results: [result] }],
      version: '2.1.0',
    })
    expect(await imported(key, engagement, sarif)).toMatchObject({ format: 'sarif', state: 'applied' })
    expect(await imported(key, engagement, JSON.stringify({ a: body, b: body }))).toMatchObject({ state: 'failed' })
  })

  test('an unknown file fails and lists the expected formats; a named format is accepted only if the bytes match it', async () => {
    const engagement = await newEngagement(key)
    expect(await imported(key, engagement, '{"surprise":1,"unknown":[]}')).toMatchObject({
      state: 'failed',
      format: null,
      tool: null,
      stateReason: expect.stringMatching(/no format.*surprise, unknown.*docs\/imports.md/),
    })
    expect(await imported(key, engagement, fixture('nmap.xml'), { format: 'nessus' })).toMatchObject({
      state: 'failed',
      stateReason: expect.stringMatching(/nessus/),
    })
    expect(await imported(key, engagement, '', {})).toMatchObject({
      state: 'failed',
      stateReason: expect.stringMatching(/empty/),
    })
    expect(await imported(key, engagement, '', { format: 'nmap' })).toMatchObject({ state: 'applied' })
  })

  test.each<[string, Buffer | string, string]>([
    ['an archive', zipOf({ 'scan.xml': '<nmaprun/>' }), 'failed'],
    ['a program', Buffer.from('7f454c460201010000000000000000003e0001', 'hex'), 'failed'],
    ['a table with NUL in its names', 'na\u0000me,b\n1,2\n', 'failed'],
    [
      'a report with NUL in the version of its program',
      '{"@version":"1\\u0000","site":[{"@host":"a.example","@port":"80","alerts":[]}]}',
      'applied',
    ],
    [
      'a row with NUL in the name of a rule',
      '{"template-id":"a\\u0000b","info":{"name":"x","severity":"info"},"type":"http","host":"https://a.example","matched-at":"https://a.example/","matcher-status":false}',
      'applied',
    ],
  ])('%s ends at once, and its reason can be stored', async (_, file, state) => {
    const { state: ended, stateReason } = await imported(key, await newEngagement(key), file)
    expect(ended).toBe(state)
    expect(stateReason ?? '').not.toContain('\u0000')
  })

  test('a CSV with unknown columns fails and names the parameter that reads it', async () => {
    const engagement = await newEngagement(key)
    expect(await imported(key, engagement, fixture('mapped.csv'))).toMatchObject({
      state: 'failed',
      stateReason: expect.stringMatching(/mapping=column:field/),
    })
    expect(
      await imported(key, engagement, fixture('mapped.csv'), { mapping: 'Finding:title,Risk:severity,Where:host' }),
    ).toMatchObject({ state: 'applied' })
    expect(await resultsOf(key, engagement)).toMatchObject([
      { title: 'Old TLS', severity: 'high', asset: 'portal.example.com' },
    ])
    expect((await importBytes(key, engagement, 'a', { mapping: 'a:nothing' })).status).toBe(400)
  })

  test('rejections have their place and reason, page by page', async () => {
    const engagement = await newEngagement(key)
    const rows = Array.from({ length: 30 }, (_, index) =>
      index % 2 ? `{"ip":"192.0.2.${index}","port":22}` : `{"ip":"300.0.0.${index}","port":22}`,
    )
    const { id, state, stateReason } = await imported(key, engagement, rows.join('\n'))
    expect([state, stateReason]).toEqual(['partial', '15 entries could not be imported'])
    const first = (await key.get(`/api/v1/imports/${id}/rejections?perPage=10`)).body
    expect(first.data[0]).toEqual({
      position: 'line 1',
      excerpt: '{"ip":"300.0.0.0","port":22}',
      reason: 'ip is not an IP address',
    })
    const second = (await key.get(`/api/v1/imports/${id}/rejections?perPage=10&cursor=${first.meta.nextCursor}`)).body
    expect([first.data.length, second.data.length, second.meta.nextCursor]).toEqual([10, 5, null])
  })

  test('U3, N8: entities, deep nesting and endless elements end with a reason', async () => {
    const engagement = await newEngagement(key)
    const entities =
      '<?xml version="1.0"?><!DOCTYPE nmaprun [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><nmaprun scanner="nmap"><host>&b;</host></nmaprun>'
    expect(await imported(key, engagement, entities)).toMatchObject({
      state: 'failed',
      stateReason: expect.stringMatching(/entities/),
    })
    expect(await imported(key, engagement, `<nmaprun scanner="nmap">${'<a>'.repeat(100_000)}`)).toMatchObject({
      state: 'failed',
      stateReason: expect.stringMatching(/nested deeper/),
    })
    expect(await imported(key, engagement, `{"template-id":"x","a":${'['.repeat(100_000)}`)).toMatchObject({
      state: 'failed',
    })
    expect(
      await imported(key, engagement, `{"runs":[{"results":[{"a":${'['.repeat(100_000)}`, { format: 'sarif' }),
    ).toMatchObject({ state: 'failed' })
  })

  test.each(FIXTURE_NAMES)(
    '%s, cut at 25, 50 and 90 %, with random bytes and in other encodings, ends with a reason',
    async (file) => {
      const whole = fixture(file)
      const engagement = await newEngagement(key)
      const wild = Buffer.from(whole)
      for (let at = 150; at < wild.length; at += 97) wild[at] = (at * 31) % 256
      const text = whole.toString()
      const cut = [0.25, 0.5, 0.9].map((part) => whole.subarray(0, Math.floor(whole.length * part)))
      const otherwise = [
        Buffer.from(`\ufeff${text}`, 'utf16le'),
        Buffer.from(text, 'utf16le'),
        Buffer.from(text, 'latin1'),
      ]
      for (const bytes of variantsFor(file, 3, [...cut, wild, ...otherwise])) {
        const { state, stateReason, counts } = await imported(key, engagement, bytes)
        expect(['applied', 'partial', 'failed']).toContain(state)
        if (state !== 'applied') expect(stateReason).toEqual(expect.any(String))
        // Damaged files prove nothing; files in other encodings do.
        if (!otherwise.includes(bytes as Buffer<ArrayBuffer>)) expect(counts.results.gone).toBe(0)
      }
    },
  )
})

describe('simultaneous imports', () => {
  test('two imports into one engagement end as one after the other', async () => {
    const engagement = await newEngagement(key)
    const rows = Array.from({ length: 1_200 }, (_, index) => `{"ip":"192.0.${index >> 8}.${index & 255}","port":22}`)
    const [one, two] = await Promise.all([
      imported(key, engagement, rows.join('\n')),
      imported(key, engagement, rows.toReversed().join('\n')),
    ])
    const counts = [one, two].map((each) => each.counts.results)
    expect(counts.map(({ created }) => created).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1_200])
    expect(counts.map(({ unchanged }) => unchanged).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1_200])
  })
})

describe('access to imports', () => {
  test('an archived engagement accepts no import; another organization sees none; a reader imports nothing', async () => {
    const engagement = await newEngagement(key)
    const { id } = await imported(key, engagement, fixture('masscan.list'))
    const other = await app.withKey(['targets:read', 'targets:write'], await app.createOrganization())
    for (const path of [
      `/api/v1/imports/${id}`,
      `/api/v1/imports/${id}/file`,
      `/api/v1/imports/${id}/rejections`,
      `/api/v1/imports?engagementId=${engagement}`,
    ]) {
      expect((await other.get(path)).status, path).toBe(404)
    }
    expect((await importBytes(other, engagement, 'x')).status).toBe(404)
    const reader = await app.withKey(['targets:read'])
    expect((await importBytes(reader, engagement, 'x')).status).toBe(403)
    for (const status of ['completed', 'archived']) await key.patch(`/api/v1/engagements/${engagement}`, { status })
    expect((await importBytes(key, engagement, 'x')).status).toBe(409)
    expect((await key.post(`/api/v1/imports/${id}/undo`)).status).toBe(409)
  })
})
