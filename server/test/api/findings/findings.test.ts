import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/findings'
const V1 = '/api/v1/findings'
const UNKNOWN = `fnd_${'0'.repeat(26)}`
const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let mate: Awaited<ReturnType<TestApp['signedIn']>>
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false, env: { FINDING_LIMIT: '60' } })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  key = await app.withKey(['reports:read', 'reports:write', 'organizations:read', 'organizations:write'])
  engagementId = await engagement()
})
afterAll(() => app.close())

const engagement = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'With findings', details })).body.data.id

interface Finding {
  id: string
  revision: number
  updatedAt: string
  number: number
}

const create = async (fields: object = {}, client: TestClient = owner, prefix = WEB) => {
  const { status, body, text } = await client.post(prefix, { engagementId, title: 'Before', ...fields })
  expect(status, text).toBe(201)
  return body.data as Finding & Record<string, unknown>
}
const read = async (id: string) => (await owner.get(`${WEB}/${id}`)).body.data
const patch = (id: string, change: object, client: TestClient = owner) => client.patch(`${WEB}/${id}`, change)

describe('a finding', () => {
  test('is created with its defaults as a draft, numbered and last', async () => {
    const other = await engagement()
    const [first, second] = [
      await create({ engagementId: other }, key, V1),
      await create({ engagementId: other }, key, V1),
    ]
    expect([first.number, second.number]).toEqual([1, 2])
    expect(first).toMatchObject({
      title: 'Before',
      severity: 'info',
      state: 'draft',
      status: 'open',
      verification: 'none',
      summary: '',
      author: null,
      revision: 1,
      publishedAt: null,
      affectedCounts: { open: 0, partly_fixed: 0, fixed: 0, not_reproducible: 0, withdrawn: 0 },
    })
    const listed = (await key.get(`${V1}?engagementId=${other}`)).body.data
    expect(listed.map(({ id }: Finding) => id)).toEqual([first.id, second.id])
    expect(Object.keys(listed[0])).not.toContain('summary')
    expect((await key.get(`${V1}/${first.id}`)).body.data).toEqual(first)
  })

  test('keeps every field, and its number is never given again', async () => {
    const other = await engagement()
    const fields = {
      severity: 'high',
      severityReason: 'Only reachable by employees.',
      cvssVector: CRITICAL,
      verification: 'human_verified',
      summary: 's',
      description: 'd',
      impact: 'i',
      reproduction: '![[run_x]]',
      recommendation: 'r',
      references: ['https://example.com/'],
      cwe: ['CWE-89'],
      cve: ['CVE-2026-1234'],
      owasp: ['A03:2021'],
      wstg: ['WSTG-INPV-05'],
      attack: ['T1059.001'],
      tags: ['shop'],
    }
    const finding = await create({ engagementId: other, ...fields, authorId: mate.user.id, reviewerId: null })
    expect(finding).toMatchObject({ ...fields, cvssScore: 9.8, author: { id: mate.user.id }, reviewer: null })
    await owner.delete(`${WEB}/${finding.id}?forever=true`)
    expect((await create({ engagementId: other })).number).toBe(2)
  })

  test.each([
    [{ title: undefined }, 'title: is needed'],
    [{ cvssVector: 'CVSS:3.1/AV:N' }, 'cvssVector: must be a complete CVSS'],
    [{ cwe: ['89'] }, 'cwe.0: '],
    [{ authorId: `usr_${'0'.repeat(26)}` }, 'authorId: must be a member with access to this engagement'],
    [
      { proofs: [{ type: 'run', id: `run_${'0'.repeat(26)}` }] },
      'proofs.0.id: must be a run of this engagement that you can see',
    ],
    [{ engagementId: `eng_${'0'.repeat(26)}` }, 'engagementId: '],
    [{ resultIds: [`res_${'0'.repeat(26)}`] }, 'resultIds: must be results of this engagement'],
  ])('is not created with %j', async (wrong, message) => {
    const { status, body } = await owner.post(WEB, { engagementId, title: 'Wrong', ...wrong })
    expect(status).toBe(422)
    expect(body.error.message).toContain(message)
  })

  test('has the severity of its vector unless that is given; without the vector the severity stays', async () => {
    const { id } = await create({ cvssVector: CRITICAL })
    expect(await read(id)).toMatchObject({ severity: 'critical', cvssScore: 9.8 })
    await patch(id, { cvssVector: CRITICAL.replace('C:H/I:H/A:H', 'C:L/I:N/A:N'), severity: 'low' })
    expect(await read(id)).toMatchObject({ severity: 'low', cvssScore: 5.3 })
    await patch(id, { cvssVector: null })
    expect(await read(id)).toMatchObject({ severity: 'low', cvssVector: null, cvssScore: null })
  })

  test('made from results has their highest severity, ids and assets; that needs targets:read', async () => {
    const result = async (asset: string, severity: string, data: object) =>
      (await owner.post('/api/web/results', { engagementId, title: 'SQL injection', asset, severity, data })).body.data
        .id
    const resultIds = [
      await result('shop.example', 'low', { cwe: ['CWE-89'], description: 'How' }),
      await result('api.example', 'high', { cve: ['CVE-2026-0001'], solution: 'Fix' }),
      await result('shop.example', 'low', { cwe: ['CWE-89'] }),
    ]
    const { title: _, ...finding } = await create({ title: undefined, resultIds })
    expect(finding).toMatchObject({
      severity: 'high',
      cwe: ['CWE-89'],
      cve: ['CVE-2026-0001'],
      description: 'How',
      recommendation: 'Fix',
    })
    expect(finding).toMatchObject({ affectedCounts: { open: 2 } })
    const assets = (await owner.get(`${WEB}/${finding.id}/affected`)).body.data
    expect(
      assets
        .map(({ asset, resultIds: seen }: { asset: string; resultIds: string[] }) => [asset, seen.length])
        .toSorted(),
    ).toEqual([
      ['api.example', 1],
      ['shop.example', 2],
    ])
    expect((await key.post(V1, { engagementId, resultIds })).status).toBe(403)
    const filtered = await create({ resultFilter: { engagementId, q: 'SQL injection' } })
    expect(filtered).toMatchObject({ title: 'Before', affectedCounts: { open: 2 } })
  })

  test('made from results embeds the recorded proof of the worst one after its reproduction, unless the request gives one', async () => {
    const add = async (severity: string, data: object): Promise<string> =>
      (
        await owner.post('/api/web/results', {
          engagementId,
          title: 'Listed',
          asset: 'https://a.example',
          severity,
          data,
        })
      ).body.data.id
    const proved = await add('low', { request: 'GET / HTTP/1.1', response: 'HTTP/1.1 200 OK' })
    const worse = await add('high', { evidence: ['root:x:0:0'] })
    const bare = await add('critical', { description: 'Seen.' })
    const from = async (fields: object) =>
      (await owner.post('/api/web/findings', { engagementId, title: 'Listed', ...fields })).body.data.reproduction
    expect(await from({ resultIds: [proved, worse, bare] })).toBe(`![[${worse}]]`)
    expect(await from({ resultIds: [bare] })).toBe('')
    expect(await from({ resultIds: [proved], reproduction: 'Own steps.' })).toBe('Own steps.')
    const entry = (await owner.get('/api/web/library-entries?q=directory&builtIn=true')).body.data[0]
    expect(await from({ resultIds: [proved], libraryEntryId: entry.id })).toMatch(
      new RegExp(`^1\\. [^]+\\n\\n!\\[\\[${proved}\\]\\]$`),
    )
  })

  test('made from results of a clone is the retest of the finding that has their originals', async () => {
    const from = await engagement({ clientName: 'Retested' })
    const found = async (title: string) =>
      (
        await owner.post('/api/web/results', {
          engagementId: from,
          title,
          asset: 'https://a.example',
          severity: 'high',
        })
      ).body.data.id
    const [first, second, single] = [await found('First'), await found('Second'), await found('Single')]
    const earlier = await create({ engagementId: from, resultIds: [first, second] })
    await create({ engagementId: from, resultIds: [single] })
    const cloned = await owner.post(`/api/web/engagements/${from}/clone`, {
      name: 'Retest',
      include: ['details', 'vulnerabilities'],
    })
    const to = cloned.body.data.id
    const copies: { id: string; retestOf: string }[] = (await owner.get(`/api/web/results?engagementId=${to}`)).body
      .data
    const copyOf = (id: string) => copies.find(({ retestOf }) => retestOf === id)?.id
    expect(await create({ engagementId: to, resultIds: [copyOf(first), copyOf(second)] })).toMatchObject({
      retestOf: earlier.id,
    })
    expect(await create({ engagementId: to, resultIds: [copyOf(first)], retestOf: null })).toMatchObject({
      retestOf: null,
    })
    // Two findings: which one it retests is a decision.
    expect(await create({ engagementId: to, resultIds: copies.map(({ id }) => id) })).toMatchObject({ retestOf: null })
  })

  test('is the retest of a finding of another engagement of its client that the caller sees, until that one is deleted', async () => {
    const [contoso, next, fabrikam] = [
      await engagement({ clientName: 'Contoso' }),
      await engagement({ clientName: 'Contoso' }),
      await engagement({ clientName: 'Fabrikam' }),
    ]
    const [earlier, foreign] = [await create({ engagementId: contoso }), await create({ engagementId: fabrikam })]
    const { id } = await create({ engagementId: next, retestOf: earlier.id })
    expect(await read(id)).toMatchObject({ retestOf: earlier.id })
    const sibling = await create({ engagementId: next })
    for (const retestOf of [foreign.id, sibling.id, id, UNKNOWN]) {
      expect((await patch(id, { retestOf })).body.error.message).toBe(
        'retestOf: must be a finding of another engagement of the same client that you can see',
      )
      expect((await owner.post(WEB, { engagementId: next, title: 'Wrong', retestOf })).status).toBe(422)
    }
    await owner.patch(`/api/web/engagements/${contoso}/details`, { access: 'team' })
    expect((await patch(sibling.id, { retestOf: earlier.id }, mate)).status).toBe(422)
    expect((await patch(id, { retestOf: null })).body.data).toMatchObject({ retestOf: null })
    expect((await patch(id, { retestOf: earlier.id })).body.data).toMatchObject({ retestOf: earlier.id })
    await owner.delete(`${WEB}/${earlier.id}`)
    expect((await patch(sibling.id, { retestOf: earlier.id })).status).toBe(422)
    await owner.delete(`${WEB}/${earlier.id}?forever=true`)
    expect(await read(id)).toMatchObject({ retestOf: null })
  })

  test('is verified only by people', async () => {
    expect((await key.post(V1, { engagementId, title: 'x', verification: 'human_verified' })).status).toBe(422)
    const { id } = await create({ verification: 'machine_found' })
    expect((await key.patch(`${V1}/${id}`, { verification: 'human_verified' })).status).toBe(422)
    expect((await patch(id, { verification: 'human_verified' })).status).toBe(200)
  })

  test('is found by filters, facets and search, and not while it is in the trash', async () => {
    const { id } = await create({
      title: 'Zyzzyva',
      severity: 'critical',
      cwe: ['CWE-1'],
      tags: ['rare'],
      description: 'quokka',
    })
    const found = async (query: string) => (await owner.get(`${WEB}?${query}`)).body.data.map((row: Finding) => row.id)
    for (const query of [
      'q=zyzz',
      'cwe=CWE-1',
      'tag=rare',
      `tag=rare&engagementId=${engagementId}&published=false&sort=severity`,
    ]) {
      expect(await found(query), query).toEqual([id])
    }
    expect(await found('tag=rare&published=true')).toEqual([])
    expect((await owner.get(`${WEB}/facets?by=severity&tag=rare`)).body.data.severity).toMatchObject({
      critical: 1,
      info: 0,
    })
    const hits = async () => (await owner.get('/api/web/search?q=quokka&type=finding')).body.data
    expect(await hits()).toMatchObject([{ type: 'finding', id, title: 'Zyzzyva' }])
    await owner.delete(`${WEB}/${id}`)
    expect([await found('q=zyzz'), await hits()]).toEqual([[], []])
    expect(await found('q=zyzz&trashed=true')).toEqual([id])
  })

  test('in the trash is readable, refuses changes, comes back, and is deleted forever only by the owner and admins', async () => {
    const { id } = await create()
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(200)
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(409)
    expect((await read(id)).trashedAt).not.toBeNull()
    for (const change of [
      patch(id, { title: 'x' }),
      owner.post(`${WEB}/${id}/affected`, { assets: ['x'] }),
      owner.post(`${WEB}/${id}/publish`),
    ]) {
      expect((await change).body.error.message).toBe('This finding is in the trash: restore it first.')
    }
    expect((await owner.post(`${WEB}/${id}/restore`)).body.data.trashedAt).toBeNull()
    expect((await owner.post(`${WEB}/${id}/restore`)).status).toBe(409)
    expect((await mate.delete(`${WEB}/${id}?forever=true`)).status).toBe(403)
    expect((await owner.delete(`${WEB}/${id}?forever=true`)).status).toBe(200)
    expect((await owner.get(`${WEB}/${id}`)).status).toBe(404)
  })

  test('is moved before and after others', async () => {
    const other = await engagement()
    const [a, b, c] = [
      await create({ engagementId: other }),
      await create({ engagementId: other }),
      await create({ engagementId: other }),
    ]
    const order = async () => (await owner.get(`${WEB}?engagementId=${other}`)).body.data.map(({ id }: Finding) => id)
    await owner.post(`${WEB}/${c.id}/move`, { beforeId: a.id })
    await owner.post(`${WEB}/${a.id}/move`, { afterId: b.id })
    expect(await order()).toEqual([c.id, b.id, a.id])
    for (const wrong of [{}, { beforeId: a.id, afterId: b.id }, { afterId: c.id }, { afterId: UNKNOWN }]) {
      expect((await owner.post(`${WEB}/${c.id}/move`, wrong)).status).toBe(422)
    }
  })

  test('beyond the limit of an engagement is 409', async () => {
    const other = await engagement()
    await app.db
      .insertInto('finding_numbers')
      .values({ organization_id: app.organization.id, engagement_id: other, last: 0 })
      .execute()
    for (let place = 0; place < 60; place++) await create({ engagementId: other })
    const { status, body } = await owner.post(WEB, { engagementId: other, title: 'One more' })
    expect([status, body.error.message]).toEqual([409, 'An engagement has at most 60 findings (FINDING_LIMIT).'])
  })
})

describe('texts', () => {
  test('without a base revision are 422, and one of the future too', async () => {
    const { id } = await create()
    expect((await patch(id, { summary: 'x' })).body.error.message).toBe('baseRevision: is needed with a text')
    expect((await patch(id, { summary: 'x', baseRevision: 2 })).status).toBe(422)
  })

  test('of other sections and other lines merge; the same lines are 409 and nothing is written', async () => {
    const { id } = await create({ summary: 'one', description: 'a\n\nb\n\nc' })
    expect((await patch(id, { summary: 'two', description: 'A\n\nb\n\nc', baseRevision: 1 })).body.meta).toEqual({
      merged: false,
      returnedToReview: false,
    })
    const second = await patch(id, { impact: 'new', description: 'a\n\nb\n\nC', baseRevision: 1 }, mate)
    expect(second.body).toMatchObject({
      data: { summary: 'two', impact: 'new', description: 'A\n\nb\n\nC', revision: 3 },
      meta: { merged: true },
    })
    const third = await patch(id, { title: 'Lost', summary: 'three', baseRevision: 1 })
    expect(third.status).toBe(409)
    expect(await read(id)).toMatchObject({ title: 'Before', summary: 'two', revision: 3 })
  })

  test('twenty people who edit different lines and sections at once lose nothing', async () => {
    const lines = Array.from({ length: 10 }, (_, line) => `line ${line}`)
    const { id } = await create({ description: lines.join('\n\n'), impact: lines.join('\n\n') })
    const edited = await Promise.all(
      Array.from({ length: 20 }, (_, place) => {
        const section = place < 10 ? 'description' : 'impact'
        const text = lines.map((line, number) => (number === place % 10 ? `${line} edited` : line)).join('\n\n')
        return patch(id, { [section]: text, baseRevision: 1 }, place % 2 ? owner : mate)
      }),
    )
    expect(edited.map(({ status }) => status)).toEqual(edited.map(() => 200))
    const whole = lines.map((line) => `${line} edited`).join('\n\n')
    expect(await read(id)).toMatchObject({ description: whole, impact: whole, revision: 21 })
  })

  test('have a history that joins saves of one person, compares and restores', async () => {
    const { id } = await create({ summary: 'one' })
    await patch(id, { summary: 'two', baseRevision: 1 })
    await patch(id, { summary: 'three', baseRevision: 2 }, mate)
    const revisions = (await owner.get(`${WEB}/${id}/revisions`)).body.data
    expect(revisions.map(({ revision }: Finding) => revision)).toEqual([3, 2])
    const compared = (await owner.get(`${WEB}/${id}/revisions/3?against=2`)).body.data
    expect(compared).toMatchObject({
      summary: 'three',
      diff: {
        summary: [
          { type: 'removed', lines: ['two'] },
          { type: 'added', lines: ['three'] },
        ],
      },
    })
    expect((await owner.post(`${WEB}/${id}/revisions/2/restore`)).body.data).toMatchObject({
      summary: 'two',
      revision: 4,
    })
    expect((await owner.get(`${WEB}/${id}/revisions/99`)).status).toBe(404)
  })
})

describe('affected assets', () => {
  const affected = async (id: string) =>
    (await owner.get(`${WEB}/${id}/affected`)).body.data as { id: string; asset: string; updatedAt: string }[]
  const add = (id: string, sources: object) => owner.post(`${WEB}/${id}/affected`, sources)

  test('are unique by line, from lines and targets, and at most one source is given', async () => {
    const { id } = await create()
    const target = (await owner.post('/api/web/targets', { engagementId, value: 'www.affected.example' })).body.data
    expect((await add(id, { assets: ['a', 'b', 'a'] })).body.data).toEqual({ created: 2, known: 1 })
    expect((await add(id, { targetIds: [target.id] })).body.data).toEqual({ created: 1, known: 0 })
    expect((await add(id, { assets: ['b', 'www.affected.example'] })).body.data).toEqual({ created: 0, known: 2 })
    expect((await add(id, { assets: ['x'], targetIds: [target.id] })).status).toBe(422)
    expect((await add(id, {})).status).toBe(422)
    const other = (await owner.post('/api/web/targets', { engagementId: await engagement(), value: 'other.example' }))
      .body.data
    expect((await add(id, { targetIds: [other.id] })).status).toBe(422)
    expect((await affected(id)).map(({ asset }) => asset).toSorted()).toEqual(['a', 'b', 'www.affected.example'])
  })

  test.each([
    [['open', 'open'], 'open'],
    [['fixed', 'fixed', 'withdrawn'], 'fixed'],
    [['fixed', 'open'], 'partly_fixed'],
    [['partly_fixed', 'fixed'], 'partly_fixed'],
    [['fixed', 'not_reproducible'], 'fixed'],
    [['open', 'not_reproducible'], 'open'],
    [['not_reproducible'], 'not_reproducible'],
    [['withdrawn'], 'withdrawn'],
  ])('with the statuses %j make the finding %s', async (statuses, status) => {
    const { id } = await create()
    await add(id, { assets: statuses.map((_, place) => `asset ${place}`) })
    for (const [place, asset] of (await affected(id)).entries())
      await owner.patch(`/api/web/affected/${asset.id}`, { status: statuses[place] })
    expect((await read(id)).status).toBe(status)
  })

  test('all get the status that is set on the finding, and are changed in bulk', async () => {
    const { id } = await create()
    await add(id, { assets: ['a', 'b'] })
    expect((await patch(id, { status: 'fixed' })).body.data).toMatchObject({
      status: 'fixed',
      affectedCounts: { fixed: 2, open: 0 },
    })
    const filter = { engagementId, findingId: id, status: ['fixed'] }
    const bulk = await owner.post('/api/web/affected/bulk-update', {
      filter,
      set: { status: 'open', clientStatus: { state: 'accepted' } },
    })
    expect(bulk.body.data).toEqual({ updated: 2 })
    expect(await affected(id)).toMatchObject([
      { status: 'open', clientStatus: { state: 'accepted', until: null, reason: '' } },
      { status: 'open' },
    ])
  })

  test('are renamed unless the finding has that asset, and removed', async () => {
    const { id } = await create()
    await add(id, { assets: ['a', 'b'] })
    const first = (await affected(id)).find(({ asset }) => asset === 'a')
    const path = `/api/web/affected/${first?.id}`
    expect((await owner.patch(path, { asset: 'b' })).status).toBe(409)
    expect((await owner.patch(path, { asset: 'c', note: 'n' })).body.data).toMatchObject({ asset: 'c', note: 'n' })
    expect((await owner.patch(path, { note: 'm', ifUpdatedAt: first?.updatedAt })).status).toBe(409)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await read(id)).affectedCounts.open).toBe(1)
  })
})

describe('A10: findings of a closed engagement', () => {
  test('are seen neither by members outside its team nor by other keys', async () => {
    const closed = await engagement({ access: 'team' })
    const { id } = await create({ engagementId: closed, title: 'Secret' })
    expect((await mate.get(`${WEB}/${id}`)).text).toBe((await mate.get(`${WEB}/${UNKNOWN}`)).text)
    expect((await mate.get(`${WEB}?q=secret`)).body.data).toEqual([])
    expect((await mate.patch(`${WEB}/${id}`, { title: 'x' })).status).toBe(404)
  })

  test('are not read with scopes of before: a key without reports:read gets 403', async () => {
    const old = await app.withKey([
      'targets:read',
      'tasks:read',
      'wiki:read',
      'organizations:read',
      'api-requests:read',
    ])
    expect((await old.get(V1)).status).toBe(403)
  })

  test('in an archived engagement are readable and not changed', async () => {
    const archived = await engagement()
    const { id } = await create({ engagementId: archived })
    for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${archived}`, { status })
    expect((await owner.get(`${WEB}/${id}`)).status).toBe(200)
    expect((await patch(id, { title: 'x' })).status).toBe(409)
    expect((await owner.post(WEB, { engagementId: archived, title: 'x' })).status).toBe(409)
  })
})
