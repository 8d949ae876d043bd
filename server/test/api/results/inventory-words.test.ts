import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, freePort } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { asSuperuserRows, newSuperuser } from '../../support/database/test-databases.ts'
import { newEngagement } from '../../support/document/files.ts'
import { importBytes, imported, resultsOf } from '../../support/scans/imports.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

/** Sentences of the design of results, scans and imports that no other test shows. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const row = (more: object): string => JSON.stringify({ port: 80, ...more })
const list = async (path: string) => (await key.get(path)).body.data as { id: string }[]

describe('an import', () => {
  test('covers the hosts of the targets that it names: an address, a name, the addresses in a network; nothing else is gone', async () => {
    const engagement = await newEngagement(key)
    const seen = [
      { ip: '192.0.2.1' },
      { ip: '192.0.2.200' },
      { ip: '198.51.100.1' },
      { ip: '198.51.100.2' },
      { host: 'a.example' },
      { host: 'b.example' },
    ]
    await imported(key, engagement, seen.map(row).join('\n'))
    const ids: string[] = []
    await key.post('/api/v1/targets', { engagementId: engagement, value: '192.0.2.0/24' })
    for (const target of (await key.get(`/api/v1/targets?engagementId=${engagement}`)).body.data as {
      id: string
      canonical: string
    }[])
      if (['192.0.2.0/24', '198.51.100.1', 'a.example'].includes(target.canonical)) ids.push(target.id)
    expect(ids).toHaveLength(3)
    const { counts } = await imported(key, engagement, row({ ip: '192.0.2.1' }), { covered: ids.join(',') })
    expect(counts.results['gone']).toBe(3)
    const gone = await resultsOf(key, engagement, { state: 'gone' })
    expect(gone.map(({ asset }) => asset)).toEqual(['192.0.2.200:80/tcp', '198.51.100.1:80/tcp', 'a.example:80/tcp'])
  })

  test('is identified by its bytes: their hash is that of the upload, and a file that failed or was undone makes no duplicate', async () => {
    const engagement = await newEngagement(key)
    const bytes = gzipSync(row({ ip: '192.0.2.1' }))
    const first = (await importBytes(key, engagement, bytes)).body.data
    expect([first.sha256, first.size, first.duplicateOf]).toEqual([
      createHash('sha256').update(bytes).digest('hex'),
      bytes.length,
      null,
    ])
    expect((await imported(key, engagement, bytes)).duplicateOf).toBe(first.id)
    for (const { id } of await list(`/api/v1/imports?engagementId=${engagement}`))
      await key.post(`/api/v1/imports/${id}/undo?wait=30`)
    expect((await imported(key, engagement, bytes)).duplicateOf).toBeNull()
    expect((await imported(key, engagement, 'nothing')).state).toBe('failed')
    expect((await imported(key, engagement, 'nothing')).duplicateOf).toBeNull()
  })

  test('is listed by engagement, state and format', async () => {
    const engagement = await newEngagement(key)
    const applied = await imported(key, engagement, row({ ip: '192.0.2.1' }))
    const failed = await imported(key, engagement, 'nothing')
    const idsOf = async (query: string) =>
      (await list(`/api/v1/imports?engagementId=${engagement}&${query}`)).map(({ id }) => id)
    expect(await idsOf('')).toEqual([failed.id, applied.id])
    expect(await idsOf('state=failed')).toEqual([failed.id])
    expect(await idsOf('format=naabu,nmap')).toEqual([applied.id])
  })

  test('accepts what its tool has accepted, without an end date, and does not change what people accepted', async () => {
    const engagement = await newEngagement(key)
    const sarif = (suppressions?: object[]) =>
      JSON.stringify({
        version: '2.1.0',
        runs: [{ tool: { driver: { name: 'T' } }, results: [{ ruleId: 'r', message: { text: 'm' }, suppressions }] }],
      })
    await imported(key, engagement, sarif([{ kind: 'external', status: 'accepted' }]))
    const [result] = await resultsOf(key, engagement)
    expect(result).toMatchObject({ status: 'accepted', acceptedUntil: null })
    await imported(key, engagement, sarif())
    expect((await resultsOf(key, engagement))[0]).toMatchObject({ status: 'accepted' })
    for (const status of ['rejected', 'underReview']) {
      for (const suppressions of [
        [{ kind: 'external', status }],
        [{ kind: 'inSource' }, { kind: 'external', status }],
      ]) {
        const other = await newEngagement(key)
        await imported(key, other, sarif(suppressions))
        expect((await resultsOf(key, other))[0]).toMatchObject({ status: 'open' })
      }
    }
  })

  test('uses the level of a rule only for its failures', async () => {
    const engagement = await newEngagement(key)
    const rule = { id: 'r', defaultConfiguration: { level: 'error' } }
    const results = [{ kind: 'fail' }, {}, { kind: 'informational' }, { kind: 'review', level: 'note' }].map(
      (more, index) => ({
        ruleId: 'r',
        message: { text: 'm' },
        locations: [{ logicalLocations: [{ name: String(index) }] }],
        ...more,
      }),
    )
    await imported(
      key,
      engagement,
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'T', rules: [rule] } }, results }] }),
    )
    expect((await resultsOf(key, engagement)).map(({ severity }) => severity)).toEqual(['high', 'high', 'info', 'low'])
  })

  test('never overwrites known values with blanks', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, row({ ip: '192.0.2.1', name: 'http', product: 'nginx', version: '1.25' }))
    const { counts } = await imported(key, engagement, row({ ip: '192.0.2.1', name: '', product: null }))
    expect(counts.results).toMatchObject({ changed: 0, unchanged: 1 })
    expect((await resultsOf(key, engagement, { kind: 'service' }))[0]).toMatchObject({
      title: 'http (nginx 1.25)',
      data: { product: 'nginx', version: '1.25' },
    })
  })
})

describe('results', () => {
  test('written by hand are never merged with others', async () => {
    const engagementId = await newEngagement(key)
    const written = { engagementId, title: 'Open redirect', asset: 'https://a.example', severity: 'low' }
    for (let i = 0; i < 2; i++) expect((await key.post('/api/v1/results', written)).status).toBe(201)
    expect(await resultsOf(key, engagementId)).toHaveLength(2)
  })

  test('are exported by the filters of the list, and in no other format', async () => {
    const engagementId = await newEngagement(key)
    await imported(key, engagementId, [row({ ip: '192.0.2.1' }), row({ ip: '192.0.2.2', port: 443 })].join('\n'))
    const csv = (await key.get(`/api/v1/results/export?engagementId=${engagementId}&port=443&format=csv`)).text
    expect(csv.trim().split('\n')).toHaveLength(2)
    expect(csv).toContain('192.0.2.2:443/tcp')
    const json = JSON.parse(
      (await key.get(`/api/v1/results/export?engagementId=${engagementId}&port=443&format=json`)).text,
    )
    expect((json.data ?? json).map(({ asset }: { asset: string }) => asset)).toEqual(['192.0.2.2:443/tcp'])
    expect((await key.get(`/api/v1/results/export?engagementId=${engagementId}&format=xml`)).status).toBe(400)
  })
})

describe('scans', () => {
  test('GET scanners: lists what each takes and produces, and its options with defaults and limits', async () => {
    const scanners = (await key.get('/api/v1/scanners')).body.data as {
      id: string
      options: { properties: Record<string, object> }
    }[]
    expect(scanners.map((scanner) => Object.keys(scanner).toSorted())).toEqual(
      Array.from({ length: 5 }, () => [
        'available',
        'description',
        'id',
        'name',
        'options',
        'produces',
        'reason',
        'takes',
      ]),
    )
    const options = Object.fromEntries(scanners.map(({ id, options: { properties } }) => [id, properties]))
    expect(
      Object.fromEntries(Object.entries(options).map(([id, properties]) => [id, Object.keys(properties)])),
    ).toEqual({
      dns: ['types', 'addTargets'],
      ports: ['ports', 'rate', 'timeoutMs'],
      http: ['timeoutMs', 'followRedirects'],
      tls: ['timeoutMs', 'addTargets'],
      nmap: ['profile'],
    })
    expect(options['ports']?.['rate']).toMatchObject({ default: 200, maximum: 2_000 })
    expect(options['dns']?.['types']).toMatchObject({
      items: { enum: ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'PTR'] },
    })
    expect(options['nmap']?.['profile']).toMatchObject({ enum: ['quick', 'full', 'udp', 'version'] })
  })

  test('run on targets without a rule and on those marked caution; they are listed by engagement, state and scanner', async () => {
    const port = await freePort()
    const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.0.1', '127.0.0.2'] })
    await key.post('/api/v1/scope-rules', { engagementId, effect: 'caution', pattern: '127.0.0.2' })
    const targets = (await key.get(`/api/v1/targets?engagementId=${engagementId}`)).body.data as { verdict: string }[]
    expect(targets.map(({ verdict }) => verdict).toSorted()).toEqual(['caution', 'unknown'])
    const { id } = await started(key, { engagementId, scanners: [portScan([port])], targets: { ids } })
    expect(await ended(key, id)).toMatchObject({ state: 'succeeded', counts: { skipped: 0, created: 2 } })
    const idsOf = async (query: string) =>
      (await list(`/api/v1/scans?engagementId=${engagementId}&${query}`)).map((scan) => scan.id)
    expect(await idsOf('scanner=ports')).toEqual([id])
    expect(await idsOf('scanner=dns,http')).toEqual([])
    expect(await idsOf('state=succeeded')).toEqual([id])
    expect(await idsOf('state=queued,running')).toEqual([])
  })

  test('a schedule has the fields of the design', async () => {
    const { engagementId } = await engagementWith(key, { targets: ['127.0.0.1'] })
    const wanted = {
      engagementId,
      name: 'Nightly',
      cron: '0 2 * * 1-5',
      timeZone: 'Europe/Berlin',
      scanners: [portScan('80')],
      targets: { filter: { engagementId } },
    }
    const { status, body } = await key.post('/api/v1/scan-schedules', wanted)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...wanted,
      enabled: true,
      lastScanId: null,
      lastSkippedAt: null,
      lastSkipReason: null,
    })
    expect(body.data.id).toMatch(/^sch_/)
    expect((await list(`/api/v1/scan-schedules?engagementId=${engagementId}`)).map(({ id }) => id)).toEqual([
      body.data.id,
    ])
  })
})

describe('the search', () => {
  const found = async (q: string) =>
    (await list(`/api/v1/search?q=${encodeURIComponent(q)}&type=result`)).map(({ id }) => id)
  const wordsOf = (id: string) =>
    asSuperuserRows(app.settings, `select words::text from object_words where object_id = '${id}'`)

  test('finds the results of every batch of an import that ended', async () => {
    const engagement = await newEngagement(key)
    const rows = Array.from({ length: 2_050 }, (_, index) => row({ ip: `10.77.${index >> 8}.${index & 255}` }))
    await imported(key, engagement, rows.join('\n'))
    for (const address of ['10.77.0.200', '10.77.4.200', '10.77.8.1']) {
      const [of] = await resultsOf(key, engagement, { q: `${address}:80` })
      expect(await found(address)).toEqual([of?.['id']])
    }
    expect(
      await asSuperuserRows(
        app.settings,
        `select count(*)::int as wordless from results r
         where engagement_id = '${engagement}' and not exists (select from object_words w where w.object_id = r.id)`,
      ),
    ).toEqual([{ wordless: 0 }])
  })

  test('finds no result that was deleted while an import wrote its words, and its words are written for its organization only', async () => {
    const engagement = await newEngagement(key)
    const { body } = await key.post('/api/v1/results', {
      engagementId: engagement,
      asset: 'www.example.com',
      title: 'Larkspur in a cookie',
      severity: 'low',
    })
    const { id } = body.data
    await app.asSuperuser(`delete from object_words where object_id = '${id}'`)
    const writer = await newSuperuser(app.settings)
    try {
      const write = async (organization: string) => {
        await writer.query(`begin; select set_config('sortie.organization', '${organization}', true)`)
        await writer.query('select write_words_of_results($1)', [[id]])
      }
      await write('org_another')
      await writer.query('commit')
      expect(await wordsOf(id)).toEqual([])
      await write(app.organization.id)
      const deleted = key.delete(`/api/v1/results/${id}`)
      await eventually(async () => {
        const waiting = await asSuperuserRows(
          app.settings,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(waiting).not.toEqual([])
      })
      await writer.query('commit')
      expect((await deleted).status).toBe(200)
      expect(await found('larkspur')).toEqual([])
      expect(await wordsOf(id)).toEqual([])
    } finally {
      await writer.end()
    }
  })
})
