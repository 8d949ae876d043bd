import { scoreOf } from '@sortie/contract/inventory/cvss.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneObservations } from '../../../src/features/results/results.jobs.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement, upload } from '../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N'

const written = async (engagementId: string, fields: object = {}) => {
  const wanted = {
    engagementId,
    title: 'Stored XSS',
    asset: 'https://portal.example.com',
    data: { cvssVector: VECTOR },
    ...fields,
  }
  return key.post('/api/v1/results', wanted)
}

/** Vectors with the scores that FIRST gives: examples of the specifications of 3.0, 3.1 and 4.0, and their limits. */
test.each([
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVSS:3.0/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
  ['CVSS:3.1/AC:L/AV:N/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
  ['CVSS:3.1/AV:N', undefined],
  ['CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/ZZ:Q', undefined],
  ['CVSS:3.2/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
  ['AV:N/AC:L/Au:N/C:P/I:P/A:P', undefined],
])('the score of %s is %s', (vector, score) => {
  expect(scoreOf(vector)).toBe(score)
})

describe('added by hand', () => {
  test('the severity follows from the vector unless it is given; without either, or with a wrong vector, it is 422', async () => {
    const engagement = await newEngagement(key)
    const { status, body } = await written(engagement)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      kind: 'vulnerability',
      severity: 'medium',
      status: 'open',
      state: 'present',
      tools: [],
      data: { cvssVector: VECTOR, cvssScore: 5.4 },
    })
    expect((await written(engagement, { severity: 'high' })).body.data.severity).toBe('high')
    expect((await written(engagement, { data: {} })).status).toBe(422)
    expect((await written(engagement, { data: { cvssVector: 'CVSS:3.1/AV:N' } })).status).toBe(422)
    expect((await written(engagement, { asset: undefined })).status).toBe(422)
    expect((await written('eng_01jd7w2v4pf1y8m3c6k9t0r5xz')).status).toBe(422)
  })

  test('it gathers results of its engagement, and belongs to a target', async () => {
    const [engagement, other] = [await newEngagement(key), await newEngagement(key)]
    const { id } = (await written(engagement)).body.data
    expect((await written(engagement, { includes: [id], retestOf: id })).body.data).toMatchObject({
      includes: [id],
      retestOf: id,
    })
    expect((await written(other, { includes: [id] })).status).toBe(422)
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'allow', pattern: 'example.com' })
    const target = (await key.post('/api/v1/targets', { engagementId: engagement, value: 'example.com' })).body.data
    expect((await written(engagement, { asset: undefined, targetId: target.id })).body.data).toMatchObject({
      asset: 'example.com',
      targetId: target.id,
      verdict: 'in',
    })
    expect((await written(other, { targetId: target.id })).status).toBe(422)
  })

  test("title, asset and data can be changed, and it can be deleted; a tool's result cannot", async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('masscan.list'))
    const [seen] = await resultsOf(key, engagement)
    const { id, updatedAt } = (await written(engagement)).body.data
    const changed = await key.patch(`/api/v1/results/${id}`, {
      title: 'XSS',
      asset: 'https://b.example.com',
      data: { description: 'Text' },
      ifUpdatedAt: updatedAt,
    })
    expect(changed.body.data).toMatchObject({
      title: 'XSS',
      asset: 'https://b.example.com',
      data: { description: 'Text' },
    })
    expect((await key.patch(`/api/v1/results/${id}`, { title: 'Later', ifUpdatedAt: updatedAt })).status).toBe(409)
    expect((await key.patch(`/api/v1/results/${seen?.id}`, { title: 'No' })).status).toBe(422)
    expect((await key.patch(`/api/v1/results/${seen?.id}`, { status: 'fixed' })).status).toBe(422)
    expect((await key.delete(`/api/v1/results/${seen?.id}`)).status).toBe(409)
    expect((await key.delete(`/api/v1/results/${id}`)).body).toEqual({ data: { deleted: true, id } })
    expect((await key.get(`/api/v1/results/${id}`)).status).toBe(404)
  })

  test('an accepted risk is open again after its day', async () => {
    const engagement = await newEngagement(key)
    const { id } = (await written(engagement)).body.data
    expect((await key.patch(`/api/v1/results/${id}`, { acceptedUntil: '2020-01-01' })).status).toBe(422)
    const accepted = await key.patch(`/api/v1/results/${id}`, { status: 'accepted', acceptedUntil: '2020-01-01' })
    expect(accepted.body.data).toMatchObject({ status: 'accepted', acceptedUntil: '2020-01-01' })
    const { results } = await import('../../../src/features/results/results.feature.ts')
    await results.cleanUp?.(app.platform)
    expect((await key.get(`/api/v1/results/${id}`)).body.data).toMatchObject({
      status: 'open',
      reopenedAt: expect.any(String),
    })
  })
})

describe('observations', () => {
  test('a manual result has its severity in the history', async () => {
    const engagement = await newEngagement(key)
    const { id } = (
      await key.post('/api/v1/results', { engagementId: engagement, title: 'A', asset: 'the office', severity: 'high' })
    ).body.data
    const [created] = (await key.get(`/api/v1/results/${id}/observations`)).body.data
    expect(created.after).toMatchObject({ title: 'A', severity: 'high' })
  })

  test('after 90 days those without a change are deleted: the first, every change and the last stay, and so do counts and what undo needs', async () => {
    const engagement = await newEngagement(key)
    const row = (banner: string) =>
      JSON.stringify({
        ip: '192.0.2.10',
        port: 80,
        proto: 'tcp',
        rec_type: 'banner',
        data: { service_name: 'http', banner },
      })
    const ids: string[] = []
    for (const banner of ['a', 'a', 'b', 'b', 'b']) ids.push((await imported(key, engagement, row(banner))).id)
    const [seen] = await resultsOf(key, engagement)
    const changes = async () => {
      const { data } = (await key.get(`/api/v1/results/${seen?.id}/observations`)).body
      return data.map(({ change }: { change: string }) => change)
    }
    const pruneIn = (days: number) =>
      pruneObservations({
        db: app.platform.db,
        clock: { ...app.clock, now: () => app.clock.now() + days * 86_400_000 } as never,
      })
    await pruneIn(89)
    expect(await changes()).toEqual(['unchanged', 'unchanged', 'changed', 'unchanged', 'created'])
    await pruneIn(91)
    expect(await changes()).toEqual(['unchanged', 'changed', 'created'])
    expect((await key.get(`/api/v1/imports/${ids[1]}`)).body.data.counts.results).toMatchObject({ unchanged: 1 })
    const banner = async () => (await key.get(`/api/v1/results/${seen?.id}`)).body.data.data.banner
    expect(await banner()).toBe('http: b')
    for (const id of ids.slice(1).toReversed()) await key.post(`/api/v1/imports/${id}/undo?wait=30`)
    expect([await banner(), await changes()]).toEqual(['http: a', ['created']])
  })
})

describe('lists', () => {
  test('filters match their fields, sorts follow weight and addresses, facets count', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    await imported(key, engagement, fixture('nuclei.jsonl'))
    const count = async (filters: Record<string, string>) => (await resultsOf(key, engagement, filters)).length
    // Four open ports, and two that were looked at and are filtered.
    expect(await count({ kind: 'service' })).toBe(6)
    expect(await count({ kind: 'service,host' })).toBe(8)
    expect(await count({ port: '443', kind: 'service' })).toBe(1)
    expect(await count({ severity: 'medium' })).toBe(1)
    expect(await count({ severity: 'critical,medium' })).toBe(2)
    expect(await count({ tool: 'nuclei' })).toBe(4)
    expect(await count({ status: 'open', q: 'GIT CONF' })).toBe(1)
    expect(await count({ verdict: 'out' })).toBe(0)
    const { body } = await key.get(`/api/v1/results/facets?engagementId=${engagement}&by=kind,state,severity,tool`)
    expect(body.data).toMatchObject({
      state: { present: 15, gone: 0 },
      kind: { service: 6, vulnerability: 5 },
      tool: { nmap: 11, nuclei: 4 },
      severity: { critical: 1, medium: 1 },
    })
    const bySeverity = await resultsOf(key, engagement, { kind: 'vulnerability', sort: 'severity', order: 'desc' })
    expect(bySeverity.map(({ severity }) => severity)).toEqual(['critical', 'medium', 'info', null, null])
    const assets = (await resultsOf(key, engagement, { kind: 'service' })).map(({ asset }) => asset)
    expect(assets).toEqual([
      '192.0.2.10:53/tcp',
      '192.0.2.10:80/tcp',
      '192.0.2.10:443/tcp',
      '192.0.2.10:9999/tcp',
      '192.0.2.10:53/udp',
      '192.0.2.10:161/udp',
    ])
  })

  test('lists leave out large fields; one result has them', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('burp.xml'))
    const [row] = await resultsOf(key, engagement, { q: 'says one thing' })
    expect(row?.data).not.toHaveProperty('request')
    expect((await key.get(`/api/v1/results/${row?.id}`)).body.data.data.request).toBe('GET / HTTP/1.1')
  })

  test('CSV keeps spreadsheets from executing cells; JSON is the rows', async () => {
    const engagement = await newEngagement(key)
    await written(engagement, { title: '=HYPERLINK("x")', severity: 'low' })
    const lines = (await key.get(`/api/v1/results/export?engagementId=${engagement}&format=csv`)).text
    expect(lines).toContain(`'=HYPERLINK`)
    const json = await key.get(`/api/v1/results/export?engagementId=${engagement}&format=json`)
    expect(JSON.parse(json.text).data).toMatchObject([{ title: '=HYPERLINK("x")', severity: 'low' }])
  })
})

describe('bulk', () => {
  test('selected by ids or filter are changed: status only of vulnerabilities, tags of all', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    const set = { status: 'confirmed', addTags: ['dmz', 'a'], notes: 'Seen.' }
    expect(
      (await key.post('/api/v1/results/bulk-update', { filter: { engagementId: engagement }, set })).body.data,
    ).toEqual({ updated: 11 })
    const rows = (await resultsOf(key, engagement)) as unknown as {
      kind: string
      status: string | null
      tags: string[]
      id: string
    }[]
    expect(rows.every(({ tags }) => tags.join() === 'a,dmz')).toBe(true)
    expect(rows.filter(({ status }) => status !== null).map(({ kind, status }) => [kind, status])).toEqual([
      ['vulnerability', 'confirmed'],
    ])
    expect(
      (await key.post('/api/v1/results/bulk-delete', { ids: rows.slice(0, 3).map(({ id }) => id) })).body.data,
    ).toEqual({ deleted: 3 })
    expect(await resultsOf(key, engagement)).toHaveLength(8)
    expect((await key.post('/api/v1/results/bulk-delete', {})).status).toBe(422)
  })

  test('with one object of an archived engagement: 409, and nothing changes', async () => {
    const [open, archived] = [await newEngagement(key), await newEngagement(key)]
    const ids = [(await written(open)).body.data.id, (await written(archived)).body.data.id]
    for (const status of ['completed', 'archived']) await key.patch(`/api/v1/engagements/${archived}`, { status })
    expect((await key.post('/api/v1/results/bulk-update', { ids, set: { notes: 'x' } })).status).toBe(409)
    expect((await key.get(`/api/v1/results/${ids[0]}`)).body.data.notes).toBe('')
  })
})

describe('comparison of two moments', () => {
  test('new, changed, gone and reappeared results are reported, between imports and up to now', async () => {
    const engagement = await newEngagement(key)
    const nmap = (ports: string) =>
      `<nmaprun scanner="nmap"><scaninfo protocol="tcp" services="1-100"/><host><status state="up" reason="x"/><address addr="192.0.2.10" addrtype="ipv4"/><ports>${ports}</ports></host><runstats/></nmaprun>`
    const port = (id: number, product = '') =>
      `<port protocol="tcp" portid="${id}"><state state="open"/><service name="x" product="${product}" method="probed"/></port>`
    const first = await imported(key, engagement, nmap(port(21) + port(22) + port(23)))
    const second = await imported(key, engagement, nmap(port(22, 'Changed') + port(23) + port(24)))
    const third = await imported(key, engagement, nmap(port(21) + port(22, 'Changed') + port(23)))
    const diff = async (from: string, to?: string) => {
      const { body } = await key.get(
        `/api/v1/results/diff?engagementId=${engagement}&kind=service&from=${from}${to ? `&to=${to}` : ''}`,
      )
      return {
        summary: body.meta.summary,
        rows: body.data
          .map((row: { change: string; result: { asset: string } }) => `${row.change} ${row.result.asset}`)
          .toSorted(),
      }
    }
    expect(await diff(first.id, second.id)).toEqual({
      summary: { new: 1, changed: 1, gone: 1, reappeared: 0 },
      rows: ['changed 192.0.2.10:22/tcp', 'gone 192.0.2.10:21/tcp', 'new 192.0.2.10:24/tcp'],
    })
    expect((await diff(second.id, third.id)).rows).toEqual(['gone 192.0.2.10:24/tcp', 'reappeared 192.0.2.10:21/tcp'])
    expect((await diff(first.id)).rows).toEqual(['changed 192.0.2.10:22/tcp'])
    expect((await diff('2020-01-01T00:00:00.000Z')).summary).toEqual({ new: 3, changed: 0, gone: 0, reappeared: 0 })
    expect(
      (await key.get(`/api/v1/results/diff?engagementId=${engagement}&from=imp_01jd7w2v4pf1y8m3c6k9t0r5xz`)).status,
    ).toBe(400)
  })

  test('a difference names each changed field, with its first and last value', async () => {
    const engagement = await newEngagement(key)
    const seen = (version: string, product: string) =>
      JSON.stringify({ ip: '192.0.2.10', port: 80, protocol: 'tcp', product, version })
    const first = await imported(key, engagement, seen('1', 'a'))
    for (const [version, product] of [
      ['2', 'a'],
      ['3', 'a'],
      ['3', 'b'],
    ] as const) {
      app.clock.advance(1_000)
      await imported(key, engagement, seen(version, product))
    }
    const { data } = (await key.get(`/api/v1/results/diff?engagementId=${engagement}&kind=service&from=${first.id}`))
      .body
    expect(data).toMatchObject([
      {
        change: 'changed',
        before: { data: { version: '1', product: 'a' } },
        after: { data: { version: '3', product: 'b' } },
      },
    ])
    const [whole] = (
      await key.get(`/api/v1/results/diff?engagementId=${engagement}&kind=service&from=2020-01-01T00:00:00.000Z`)
    ).body.data
    expect(whole).toMatchObject({
      change: 'new',
      before: null,
      after: { title: expect.any(String), data: { version: '3' } },
    })
  })
})

describe('evidence and targets', () => {
  test('files are attached to a result, and deleted with it', async () => {
    const engagement = await newEngagement(key)
    const { id } = (await written(engagement)).body.data
    const files = `/api/v1/results/${id}/files`
    const file = (await upload(key, files, 'proof', 'proof.txt')).body.data
    expect((await key.get(files)).body.data).toMatchObject([{ id: file.id, fileName: 'proof.txt' }])
    expect((await key.get(`${files}/${file.id}`)).text).toBe('proof')
    await key.delete(`/api/v1/results/${id}`)
    expect((await key.get(`${files}/${file.id}`)).status).toBe(404)
  })

  test('a deleted target leaves its results, which then have no target', async () => {
    const engagement = await newEngagement(key)
    const { status } = await key.request('POST', `/api/v1/imports?engagementId=${engagement}&fileName=a.list&wait=20`, {
      rawBody: 'open tcp 80 192.0.2.1 1795336815\nopen tcp 80 192.0.2.2 1795336815\n',
    })
    expect(status).toBe(201)
    const targets = (await key.get(`/api/v1/targets?engagementId=${engagement}&sort=canonical&order=asc`)).body
      .data as { id: string }[]
    const results = async () =>
      (await key.get(`/api/v1/results?engagementId=${engagement}&sort=asset&order=asc`)).body.data as {
        targetId: string | null
      }[]
    expect((await results()).map(({ targetId }) => targetId)).toEqual(targets.map(({ id }) => id))
    expect((await key.delete(`/api/v1/targets/${targets[0]?.id}`)).status).toBe(200)
    expect((await results()).map(({ targetId }) => targetId)).toEqual([null, targets[1]?.id])
    expect((await key.post('/api/v1/targets/bulk-delete', { ids: [targets[1]?.id] })).body.data.deleted).toBe(1)
    expect((await results()).map(({ targetId }) => targetId)).toEqual([null, null])
  })

  test('an import makes targets of names and addresses, evaluated by the rules; skip rejects what is out of scope', async () => {
    const engagement = await newEngagement(key)
    for (const [effect, pattern] of [
      ['allow', '*.example.com'],
      ['deny', '192.0.2.0/24'],
    ])
      await key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })
    const skipped = await imported(key, engagement, fixture('naabu.jsonl'), { outOfScope: 'skip' })
    expect(skipped.counts).toMatchObject({ results: { created: 1 }, targets: { created: 1, known: 0 } })
    expect(skipped.counts.outOfScope).toBeGreaterThan(0)
    const marked = await imported(key, engagement, fixture('naabu.jsonl'))
    expect(marked.counts.targets).toEqual({ created: 2, known: 1 })
    const targets = (await key.get(`/api/v1/targets?engagementId=${engagement}&sort=canonical&order=asc`)).body.data
    expect(
      targets.map((target: { canonical: string; verdict: string; source: string }) => [
        target.canonical,
        target.verdict,
        target.source,
      ]),
    ).toEqual([
      ['192.0.2.10', 'out', 'import'],
      ['2001:db8::20', 'out', 'import'],
      ['portal.example.com', 'in', 'import'],
    ])
    // By an allowed name, but at a denied address.
    const [https] = await resultsOf(key, engagement, { port: '443' })
    expect(https).toMatchObject({ verdict: 'out' })
    for (const { id } of [marked, skipped]) await key.post(`/api/v1/imports/${id}/undo?wait=30`)
    expect((await key.get(`/api/v1/targets?engagementId=${engagement}`)).body.data).toEqual([])
  })

  test('Burp: the reported address decides: with an allowed name at a denied one, an issue is out, and skip leaves it out', async () => {
    const engagement = await newEngagement(key)
    const rule = (effect: string, pattern: string) =>
      key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })
    await rule('allow', '*.example.com')
    await rule('deny', '192.0.2.66')
    const issue = (name: string, ip: string) =>
      `<issue><serialNumber>1</serialNumber><type>2</type><name>XSS</name><host ip="${ip}">https://${name}.example.com</host><path>/</path><location>/</location><severity>High</severity></issue>`
    const file = `<issues burpVersion="2026.1">${issue('denied', '192.0.2.66')}${issue('fine', '192.0.2.67')}${issue('blank', '')}</issues>`
    expect((await imported(key, engagement, file, { outOfScope: 'skip', mode: 'preview' })).counts).toMatchObject({
      results: { created: 2 },
      outOfScope: 1,
    })
    await imported(key, engagement, file)
    const { data } = (await key.get(`/api/v1/results?engagementId=${engagement}&sort=asset&order=asc`)).body
    expect(data.map(({ asset, verdict }: { asset: string; verdict: string }) => [asset, verdict])).toEqual([
      ['https://blank.example.com', 'in'],
      ['https://denied.example.com', 'out'],
      ['https://fine.example.com', 'in'],
    ])
  })

  test('the overview counts results by kind and state, and vulnerabilities', async () => {
    const engagement = await newEngagement(key)
    await imported(key, engagement, fixture('nmap.xml'))
    const { data } = (await key.get(`/api/v1/engagements/${engagement}/overview`)).body
    expect(data.results.byKind).toMatchObject({ host: { present: 2, gone: 0 }, service: { present: 6, gone: 0 } })
    expect(data.vulnerabilities).toMatchObject({ bySeverity: { critical: 1 }, byStatus: { open: 1 } })
  })
})
