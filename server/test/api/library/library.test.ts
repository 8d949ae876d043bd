import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/library-entries'
const V1 = '/api/v1/library-entries'
const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

let app: TestApp
let owner: TestClient
let member: TestClient
let clientId: string
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  const client = {
    name: 'Contoso Ltd.',
    domains: ['contoso.de'],
    language: 'de-AT',
    contacts: [{ name: 'Noa Night', role: '', phone: '', email: '' }],
  }
  clientId = (await owner.post('/api/web/clients', client)).body.data.id
  engagementId = (await owner.post('/api/web/engagements', { name: 'Library', details: { clientId } })).body.data.id
})
afterAll(() => app.close())

let count = 0
const create = async (fields: object = {}, client = member) => {
  const { status, body, text } = await client.post(WEB, {
    key: `entry-${count++}`,
    mainLanguage: 'en',
    texts: { en: { title: 'Written' } },
    ...fields,
  })
  expect(status, text).toBe(201)
  return body.data
}
const approve = async (id: string) =>
  expect((await owner.patch(`${WEB}/${id}`, { state: 'approved' })).status).toBe(200)

describe('an entry', () => {
  test('is created as a draft; texts merge by language and field, null removes a language, and versions are kept', async () => {
    const entry = await create({ cvssVector: VECTOR })
    expect(entry).toMatchObject({
      state: 'draft',
      version: 1,
      severity: 'critical',
      title: 'Written',
      languages: ['en'],
      builtIn: false,
    })
    const path = `${WEB}/${entry.id}`
    const second = (await member.patch(path, { texts: { en: { impact: 'Bad.' }, de: { title: 'Geschrieben' } } })).body
      .data
    expect(second).toMatchObject({
      version: 2,
      texts: { en: { title: 'Written', impact: 'Bad.' }, de: { title: 'Geschrieben', impact: '' } },
    })
    expect((await member.patch(path, { tags: ['a'], guidance: 'g', cwe: ['CWE-79'] })).body.data.version).toBe(2)
    expect((await member.patch(path, { texts: { de: null }, severity: 'low' })).body.data).toMatchObject({
      version: 3,
      languages: ['en'],
      severity: 'low',
    })
    const versions = (await member.get(`${path}/versions`)).body.data
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
    expect((await member.get(`${path}/versions/1`)).body.data).toMatchObject({
      severity: 'critical',
      texts: { en: { impact: '' } },
    })
    const rules = [{ tool: 'nuclei', ruleId: 'new-rule' }]
    expect((await member.patch(path, { rules })).body.data).toMatchObject({ version: 4, rules })
    const languages = Array.from({ length: 20 }, (_, index) => `y${String.fromCodePoint(97 + index)}`)
    const many = Object.fromEntries(languages.map((language) => [language, { title: language }]))
    expect((await member.patch(path, { texts: many })).body.error.message).toBe('texts: must have at most 20 languages')
    expect((await member.patch(path, { texts: { en: null } })).status).toBe(422)
    expect((await member.patch(path, { cvssVector: 'CVSS:3.1/AV:N' })).status).toBe(422)
    expect((await member.patch(path, { texts: { 'not a language': { title: 'x' } } })).status).toBe(422)
  })

  test('its key is unique, and a stale change is 409', async () => {
    const entry = await create()
    expect((await member.post(WEB, { key: entry.key, mainLanguage: 'en', texts: { en: { title: 'x' } } })).status).toBe(
      409,
    )
    await member.patch(`${WEB}/${entry.id}`, { guidance: 'new' })
    expect((await member.patch(`${WEB}/${entry.id}`, { guidance: 'stale', ifUpdatedAt: entry.updatedAt })).status).toBe(
      409,
    )
  })

  test('is approved by the owner, admins and keys with organizations:write, and then changed only by them', async () => {
    const entry = await create()
    const path = `${WEB}/${entry.id}`
    const plain = await app.withKey(['reports:read', 'reports:write'])
    const whole = await app.withKey(['reports:read', 'reports:write', 'organizations:write'])
    expect((await member.patch(path, { state: 'approved' })).status).toBe(403)
    expect((await plain.patch(`${V1}/${entry.id}`, { state: 'approved' })).status).toBe(403)
    expect((await whole.patch(`${V1}/${entry.id}`, { state: 'approved' })).status).toBe(200)
    expect((await member.patch(path, { guidance: 'x' })).status).toBe(403)
    expect((await member.delete(path)).status).toBe(403)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  test('twenty people who write twenty languages at once lose nothing', async () => {
    const entry = await create()
    const languages = Array.from({ length: 19 }, (_, index) => `x${String.fromCodePoint(97 + index)}`)
    const answers = await Promise.all(
      languages.map((language) => member.patch(`${WEB}/${entry.id}`, { texts: { [language]: { title: language } } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(languages.map(() => 200))
    const { texts, version } = (await member.get(`${WEB}/${entry.id}`)).body.data
    expect(Object.keys(texts).toSorted()).toEqual(['en', ...languages].toSorted())
    expect(version).toBe(20)
  })
})

describe('the built-in entries', () => {
  test('are 80, listed with the own ones, read-only, and copied to be changed', async () => {
    const { data, meta } = (await member.get(`${WEB}?builtIn=true&perPage=100&sort=key&order=asc`)).body
    expect([data.length, meta.total]).toEqual([80, 80])
    const [first] = data
    expect(first).toMatchObject({ builtIn: true, state: 'approved', createdBy: null, languages: ['de', 'en'] })
    expect((await owner.patch(`${WEB}/${first.id}`, { severity: 'low' })).status).toBe(409)
    expect((await owner.delete(`${WEB}/${first.id}`)).status).toBe(409)
    const copy = (await member.post(`${WEB}/${first.id}/copy`)).body.data
    expect(copy).toMatchObject({ builtIn: false, state: 'draft', key: first.key, title: first.title })
    expect((await member.post(`${WEB}/${first.id}/copy`)).body.data.key).toBe(`${first.key}-2`)
    expect((await member.get(`${WEB}?q=${encodeURIComponent(first.title)}&builtIn=false`)).body.meta.total).toBe(2)
  })

  test('are all that a key for one engagement sees', async () => {
    const entry = await create()
    await approve(entry.id)
    const { body } = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: ['reports:read', 'reports:write'],
      engagementIds: [engagementId],
    })
    const limited = app.anonymous.with({ authorization: `Bearer ${body.data.value}` })
    expect((await limited.get(`${V1}?perPage=1`)).body.meta.total).toBe(80)
    expect((await limited.get(`${V1}/${entry.id}`)).status).toBe(404)
    expect((await limited.post(V1, { key: 'x', mainLanguage: 'en', texts: { en: { title: 'x' } } })).status).toBe(403)
    const [builtIn] = (await limited.get(`${V1}?builtIn=true&perPage=1`)).body.data
    expect((await limited.post('/api/v1/findings', { engagementId, libraryEntryId: builtIn.id })).status).toBe(201)
    expect(
      (await limited.post('/api/v1/findings', { engagementId, title: 'x', libraryEntryId: entry.id })).status,
    ).toBe(422)
  })
})

describe('a finding from an entry', () => {
  test('copies its texts in the language of the client; the diff shows what changed since', async () => {
    const entry = await create({
      cvssVector: VECTOR,
      cwe: ['CWE-89'],
      texts: {
        en: { title: 'Injection', impact: 'Bad.' },
        de: { title: 'Einschleusung', references: ['https://example.com'] },
      },
    })
    await approve(entry.id)
    const finding = (await member.post('/api/web/findings', { engagementId, libraryEntryId: entry.id })).body.data
    expect(finding).toMatchObject({
      title: 'Einschleusung',
      impact: 'Bad.',
      severity: 'critical',
      cvssScore: 9.8,
      cwe: ['CWE-89'],
      libraryEntryId: entry.id,
      libraryVersion: 1,
    })
    const english = (
      await member.post('/api/web/findings', {
        engagementId,
        libraryEntryId: entry.id,
        language: 'en-GB',
        title: 'Own',
      })
    ).body.data
    expect(english).toMatchObject({ title: 'Own', references: [] })
    await owner.patch(`${WEB}/${entry.id}`, { texts: { en: { impact: 'Worse.' } } })
    const diff = (await member.get(`/api/web/findings/${finding.id}/library-diff`)).body.data
    expect(
      (await member.patch(`/api/web/findings/${finding.id}`, { libraryVersion: diff.currentVersion + 1 })).status,
    ).toBe(422)
    const compared = (await member.patch(`/api/web/findings/${finding.id}`, { libraryVersion: diff.currentVersion }))
      .body
    expect(compared).toMatchObject({
      data: { libraryVersion: diff.currentVersion, revision: finding.revision },
      meta: { returnedToReview: false },
    })
    expect(diff).toMatchObject({ usedVersion: 1, currentVersion: 2, language: 'de', text: { impact: 'Worse.' } })
    expect(diff.diff.impact.map(({ type }: { type: string }) => type).toSorted()).toEqual(['added', 'removed'])
    expect((await member.get(`${WEB}/${entry.id}`)).body.data.usedCount).toBe(2)
    const plain = (await member.post('/api/web/findings', { engagementId, title: 'Plain' })).body.data
    expect((await member.get(`/api/web/findings/${plain.id}/library-diff`)).status).toBe(404)
    expect((await member.patch(`/api/web/findings/${plain.id}`, { libraryVersion: 1 })).status).toBe(422)
  })

  test('is in the given language, else that of the client, else that of the organization, else the main one', async () => {
    const titled = (...languages: string[]) =>
      Object.fromEntries(languages.map((language) => [language, { title: `In ${language}` }]))
    const entry = await create({ texts: titled('en', 'de', 'fr', 'it') })
    const rare = await create({ texts: titled('en', 'pt') })
    const plain = (await owner.post('/api/web/engagements', { name: 'Of no client' })).body.data.id
    const titleOf = async (wanted: object) => (await member.post('/api/web/findings', wanted)).body.data.title
    const libraryEntryId = entry.id
    expect(await titleOf({ engagementId: plain, libraryEntryId })).toBe('In en')
    await owner.patch('/api/web/report-settings', { language: 'fr' })
    expect(await titleOf({ engagementId: plain, libraryEntryId })).toBe('In fr')
    expect(await titleOf({ engagementId, libraryEntryId })).toBe('In de')
    expect(await titleOf({ engagementId, libraryEntryId, language: 'it-CH' })).toBe('In it')
    expect(await titleOf({ engagementId, libraryEntryId: rare.id, language: 'ja' })).toBe('In en')
    await owner.patch('/api/web/report-settings', { language: 'en' })
  })

  test('from results and an entry has the severity of the results and the texts of the entry', async () => {
    const entry = await create({
      cvssVector: VECTOR,
      texts: { en: { title: 'From the library', description: 'Described.' } },
    })
    const result = {
      engagementId,
      title: 'Reported',
      asset: '192.0.2.4',
      severity: 'low',
      data: { description: 'By a tool.', cve: ['CVE-2024-1234'] },
    }
    const { id } = (await member.post('/api/web/results', result)).body.data
    const finding = (
      await member.post('/api/web/findings', { engagementId, libraryEntryId: entry.id, resultIds: [id] })
    ).body.data
    expect(finding).toMatchObject({
      title: 'From the library',
      description: 'Described.',
      severity: 'low',
      cve: ['CVE-2024-1234'],
      affectedCounts: { open: 1 },
    })
  })

  test('approved own entries come before built-in ones in suggestions', async () => {
    const other = (await owner.post('/api/web/engagements', { name: 'Suggested' })).body.data.id
    const entry = await create({
      rules: [{ tool: 'nuclei', ruleId: 'deprecated-*' }],
      texts: { en: { title: 'Ours' } },
    })
    const exact = await create({
      rules: [{ tool: 'nuclei', ruleId: 'deprecated-tls' }],
      texts: { en: { title: 'Ours, exactly' } },
    })
    const { id } = (
      await owner.post('/api/web/results', {
        engagementId: other,
        title: 'x',
        asset: 'a',
        severity: 'low',
        data: { ruleId: 'deprecated-tls' },
      })
    ).body.data
    await app.asSuperuser(`update results set tools = '{nuclei}' where id = '${id}'`)
    const suggested = async () =>
      (await owner.get(`/api/web/finding-suggestions?engagementId=${other}`)).body.data[0].title
    await approve(entry.id)
    expect(await suggested()).not.toBe('Ours')
    await approve(exact.id)
    expect(await suggested()).toBe('Ours, exactly')
  })
})

describe('an entry describes a result', () => {
  test('by an exact rule before a beginning, by the longer beginning, and as an own one before a built-in one', async () => {
    const other = (await owner.post('/api/web/engagements', { name: 'Described' })).body.data.id
    const entryFor = async (title: string, ...ruleIds: string[]) => {
      const rules = ruleIds.map((ruleId) => ({ tool: 'acme', ruleId }))
      const { id } = await create({ rules, texts: { en: { title } } })
      await approve(id)
    }
    await entryFor('Short beginning', 'web-*')
    await entryFor('Longer beginning', 'web-sql-*')
    await entryFor('Exact', 'web-sql-blind')
    const { id: ownId } = await create({
      rules: [{ tool: 'zap', ruleId: '10021' }],
      texts: { en: { title: 'Own before built in' } },
    })
    await approve(ownId)
    const suggested = async (tool: string, ruleId: string) => {
      const data = { ruleId }
      const wanted = { engagementId: other, title: 'x', asset: 'a', severity: 'low', data }
      const { id } = (await owner.post('/api/web/results', wanted)).body.data
      await app.asSuperuser(`update results set tools = '{${tool}}' where id = '${id}'`)
      const { data: all } = (await owner.get(`/api/web/finding-suggestions?engagementId=${other}`)).body
      await owner.patch(`/api/web/results/${id}`, { status: 'fixed' })
      return all[0].title
    }
    expect(await suggested('acme', 'web-xss')).toBe('Short beginning')
    expect(await suggested('acme', 'web-sql-union')).toBe('Longer beginning')
    expect(await suggested('acme', 'web-sql-blind')).toBe('Exact')
    expect(await suggested('zap', '10021')).toBe('Own before built in')
  })
})

describe('a proposal', () => {
  test('lists client data, cannot be approved until it is replaced or confirmed, and then loses its engagement', async () => {
    const impact = 'Noa Night of Contoso Ltd. uses 10.1.2.3 and vpn.contoso.de; see app.example.com.'
    const finding = (await member.post('/api/web/findings', { engagementId, title: 'Weak VPN', impact })).body.data
    const { data: entry, meta } = (await member.post(WEB, { fromFindingId: finding.id })).body
    expect(entry).toMatchObject({
      state: 'proposed',
      key: 'weak-vpn',
      mainLanguage: 'de-AT',
      fromFindingId: finding.id,
    })
    expect(meta.clientData.toSorted()).toEqual([
      '10.1.2.3',
      'Contoso Ltd.',
      'Noa Night',
      'contoso.de',
      'vpn.contoso.de',
    ])
    const refused = await owner.patch(`${WEB}/${entry.id}`, { state: 'approved' })
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('Contoso Ltd.')])
    const texts = { 'de-AT': { impact: 'An employee of the client uses 10.1.2.3.' } }
    const approved = await owner.patch(`${WEB}/${entry.id}`, { state: 'approved', texts, confirmed: ['10.1.2.3'] })
    expect(approved.body).toMatchObject({ data: { state: 'approved', fromFindingId: null }, meta: { clientData: [] } })
  })

  test('is hidden from those who do not see the engagement, in lists, exports, copies and keys', async () => {
    const outsider = await app.signedIn('member')
    const closed = (await owner.post('/api/web/engagements', { name: 'Closed', details: { access: 'team' } })).body.data
      .id
    const finding = (await owner.post('/api/web/findings', { engagementId: closed, title: 'Secret finding' })).body.data
    const { id } = (await owner.post(WEB, { fromFindingId: finding.id })).body.data
    expect((await outsider.get(`${WEB}/${id}`)).status).toBe(404)
    expect((await outsider.get(`${WEB}?q=Secret%20finding`)).body.data).toEqual([])
    expect((await outsider.patch(`${WEB}/${id}`, { guidance: 'x' })).status).toBe(404)
    expect((await outsider.post(`${WEB}/${id}/copy`)).status).toBe(404)
    expect((await outsider.get(`${WEB}/${id}/versions`)).status).toBe(404)
    expect((await outsider.get(`${WEB}/export?format=json`)).text).not.toContain('Secret')
    expect((await owner.get(`${WEB}/export?format=json`)).text).not.toContain('Secret')
    expect((await owner.post(`${WEB}/${id}/copy`)).status).toBe(409)
    expect(
      (await outsider.post(WEB, { key: 'secret-finding', mainLanguage: 'en', texts: { en: { title: 'Mine' } } }))
        .status,
    ).toBe(201)
    expect((await outsider.post(WEB, { fromFindingId: finding.id })).status).toBe(422)
  })
})
