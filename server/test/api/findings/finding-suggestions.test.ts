import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const PATH = '/api/web/finding-suggestions'

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

interface Suggestion {
  key: string
  title: string
  count: number
  reason: string
  dismissed: boolean
  libraryEntryId: string | null
  resultFilter: Record<string, unknown>
}

const newEngagement = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Imported', details })).body.data.id

/** Results as an importer leaves them: of a tool, under a rule. */
const report = async (engagementId: string, tool: string | null, fields: object): Promise<string> => {
  const { body, status, text } = await owner.post('/api/web/results', {
    engagementId,
    title: 'Reported',
    asset: '192.0.2.1',
    severity: 'low',
    ...fields,
  })
  expect(status, text).toBe(201)
  if (tool !== null) await app.asSuperuser(`update results set tools = '{${tool}}' where id = '${body.data.id}'`)
  return body.data.id
}
const suggestionsOf = async (engagementId: string): Promise<Suggestion[]> =>
  (await owner.get(`${PATH}?engagementId=${engagementId}`)).body.data
const listed = async (filter: Record<string, unknown>): Promise<string[]> => {
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [value].flat().join(',')])),
  )
  return (await owner.get(`/api/web/results?${query.toString()}&sort=createdAt&order=asc`)).body.data.map(
    ({ id }: { id: string }) => id,
  )
}

describe('the filters of results', () => {
  test('ruleId, cwe, findingId and resultId find the results of a rule, a weakness, a finding, and those of none', async () => {
    const engagementId = await newEngagement()
    const first = await report(engagementId, 'nuclei', { data: { ruleId: 'a-rule', cwe: ['CWE-79'] } })
    const second = await report(engagementId, 'nuclei', { data: { ruleId: 'b-rule', cwe: ['CWE-89', 'CWE-79'] } })
    const finding = (await owner.post('/api/web/findings', { engagementId, resultIds: [first] })).body.data
    expect(await listed({ engagementId, ruleId: 'a-rule' })).toEqual([first])
    expect(await listed({ engagementId, ruleId: ['a-rule', 'b-rule'] })).toEqual([first, second])
    expect(await listed({ engagementId, cwe: 'CWE-89' })).toEqual([second])
    expect(await listed({ engagementId, findingId: finding.id })).toEqual([first])
    expect(await listed({ engagementId, findingId: 'none' })).toEqual([second])
    expect(await listed({ engagementId, resultId: second })).toEqual([second])
    expect((await owner.delete(`/api/web/findings/${finding.id}`)).status).toBe(200)
    expect(await listed({ engagementId, findingId: 'none' })).toEqual([first, second])
  })

  test('findingId is 403 for a key that may not read findings', async () => {
    const key = await app.withKey(['targets:read'])
    expect((await key.get('/api/v1/results?findingId=none')).status).toBe(403)
  })
})

describe('the rating of a finding made from results', () => {
  test('is that of the vector of its entry, unless a person has set the severity of a result; without an entry, vector and severity agree', async () => {
    const entries = (await owner.get('/api/web/library-entries?q=sql-injection&builtIn=true')).body.data
    const entry = entries.find(({ key }: { key: string }) => key === 'sql-injection')
    const engagementId = await newEngagement()
    const reported = async (severity: string, data: object = {}) => {
      const id = await report(engagementId, 'nuclei', { severity, data })
      await app.asSuperuser(`update results set is_severity_set = false where id = '${id}'`)
      return id
    }
    const low = await reported('low')
    const scored = await reported('medium', { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' })
    const underrated = await reported('high', { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' })
    const made = async (fields: object) =>
      (await owner.post('/api/web/findings', { engagementId, title: 'Rated', ...fields })).body.data
    const ofEntry = { severity: entry.severity, cvssVector: entry.cvssVector, severityReason: '' }
    expect(entry.severity).toBe('critical')
    expect(await made({ resultIds: [low], libraryEntryId: entry.id })).toMatchObject(ofEntry)
    expect(await made({ resultIds: [low], libraryEntryId: entry.id, severity: 'info' })).toMatchObject({
      ...ofEntry,
      severity: 'info',
    })
    expect(await made({ resultIds: [low, scored] })).toMatchObject({
      severity: 'medium',
      cvssScore: 5.3,
      verification: 'machine_found',
    })
    const byHand = await report(engagementId, null, { title: 'By hand' })
    expect(await made({ resultIds: [byHand] })).toMatchObject({ verification: 'none' })
    expect(await made({ resultIds: [scored, underrated] })).toMatchObject({ severity: 'high', cvssVector: null })
    await owner.patch(`/api/web/results/${low}`, { severity: 'high' })
    expect(await made({ resultIds: [low], libraryEntryId: entry.id })).toMatchObject({ ...ofEntry, severity: 'high' })
  })
})

test('the texts of a finding made from results are those of the tool', async () => {
  const engagementId = await newEngagement()
  const id = await report(engagementId, 'nessus', { data: { description: 'How it works.', solution: 'Update it.' } })
  const texts = JSON.stringify({ synopsis: 'Old software.', impact: 'Others read the data.' })
  await app.asSuperuser(`update results set data = data || '${texts}'::jsonb where id = '${id}'`)
  const { body } = await owner.post('/api/web/findings', { engagementId, resultIds: [id] })
  expect(body.data).toMatchObject({
    summary: 'Old software.',
    description: 'How it works.',
    impact: 'Others read the data.',
    recommendation: 'Update it.',
  })
})

describe('suggestions', () => {
  test('group results by library entry, else by tool and rule; one added by hand is a group of its own', async () => {
    const engagementId = await newEngagement()
    await report(engagementId, 'nuclei', { severity: 'medium', data: { ruleId: 'deprecated-tls' } })
    await report(engagementId, 'nuclei', { asset: '192.0.2.2', data: { ruleId: 'deprecated-tls' } })
    await report(engagementId, 'acme', { title: 'Unknown thing', severity: 'high', data: { ruleId: 'ACME-1' } })
    await report(engagementId, 'acme', { title: 'Fixed thing', data: { ruleId: 'ACME-1' } }).then((id) =>
      owner.patch(`/api/web/results/${id}`, { status: 'fixed' }),
    )
    const manual = await report(engagementId, null, { title: 'Found by hand', severity: 'critical' })
    await report(engagementId, null, { title: 'Found by hand', severity: 'info', asset: '192.0.2.3' })
    const suggestions = await suggestionsOf(engagementId)
    expect(suggestions.map(({ title, count, reason }) => ({ title, count, reason }))).toEqual([
      { title: 'Found by hand', count: 1, reason: 'manual' },
      { title: 'Unknown thing', count: 1, reason: 'tool_rule' },
      { title: expect.stringContaining('TLS'), count: 2, reason: 'entry_rule' },
      { title: 'Found by hand', count: 1, reason: 'manual' },
    ])
    expect(suggestions[0]?.resultFilter['resultId']).toEqual([manual])
    expect(suggestions[2]?.libraryEntryId).toMatch(/^lib_/)
  })

  test('name exactly their results by their filter, also where two tools number their rules alike', async () => {
    const engagementId = await newEngagement()
    await report(engagementId, 'zap', { title: 'ZAP', data: { ruleId: '10035' } })
    await report(engagementId, 'nessus', { title: 'Nessus', data: { ruleId: '10035' } })
    await report(engagementId, 'zap', { title: 'Without a rule', asset: '192.0.2.7' })
    await report(engagementId, 'zap', { title: 'Without a rule', asset: '192.0.2.8' })
    const suggestions = await suggestionsOf(engagementId)
    const named = await Promise.all(suggestions.map(({ resultFilter }) => listed(resultFilter)))
    expect(named.map(({ length }) => length)).toEqual(suggestions.map(({ count }) => count))
    expect(new Set(named.flat()).size).toBe(4)
  })

  test('of more rules than a filter takes are several, and together cover all', async () => {
    const engagementId = await newEngagement()
    const rules = Array.from({ length: 130 }, (_, index) => `CVE-2024-${1000 + index}`)
    const first = await report(engagementId, 'nessus', { data: { ruleId: rules[0], cwe: ['CWE-1104'] } })
    await app.asSuperuser(`insert into results (id, organization_id, engagement_id, kind, asset, asset_key, title, severity, status, data, tools,
        first_seen_at, last_seen_at, evidence_at, created_at, updated_at)
      select 'res_' || lpad(n::text, 26, '0'), organization_id, engagement_id, kind, asset, asset_key, title, severity, status,
        jsonb_set(data, '{ruleId}', to_jsonb('CVE-2024-' || (1000 + n))), tools, first_seen_at, last_seen_at, evidence_at, created_at, updated_at
      from results, generate_series(1, 129) n where id = '${first}'`)
    const suggestions = await suggestionsOf(engagementId)
    expect(suggestions.reduce((sum, { count }) => sum + count, 0)).toBe(130)
    const keys = suggestions.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { resultFilter, count } of suggestions) {
      const { body, status, text } = await owner.post('/api/web/findings', {
        engagementId,
        title: 'Group',
        resultFilter,
      })
      expect(status, text).toBe(201)
      const results = (await owner.get(`/api/web/results?engagementId=${engagementId}&findingId=${body.data.id}`)).body
      expect(results.meta.total).toBe(count)
    }
    expect(await suggestionsOf(engagementId)).toEqual([])
  })

  test('that are dismissed are marked and come last, until they are undismissed', async () => {
    const engagementId = await newEngagement()
    await report(engagementId, 'acme', { title: 'Loud', severity: 'critical', data: { ruleId: 'LOUD' } })
    await report(engagementId, 'acme', { title: 'Quiet', severity: 'info', data: { ruleId: 'QUIET' } })
    const [loud] = await suggestionsOf(engagementId)
    const body = { engagementId, key: loud?.key }
    expect((await owner.post(`${PATH}/dismiss`, body)).body.data).toEqual({ ...body, dismissed: true })
    expect((await owner.post(`${PATH}/dismiss`, body)).status).toBe(200)
    expect((await suggestionsOf(engagementId)).map(({ title, dismissed }) => [title, dismissed])).toEqual([
      ['Quiet', false],
      ['Loud', true],
    ])
    expect((await owner.post(`${PATH}/undismiss`, body)).body.data.dismissed).toBe(false)
    expect((await suggestionsOf(engagementId))[0]).toMatchObject({ title: 'Loud', dismissed: false })
  })

  test('also need targets:read, and are 409 to dismiss in an archived engagement', async () => {
    const engagementId = await newEngagement()
    const key = await app.withKey(['reports:read', 'reports:write'])
    expect((await key.get(`/api/v1/finding-suggestions?engagementId=${engagementId}`)).status).toBe(403)
    expect((await key.post('/api/v1/finding-suggestions/dismiss', { engagementId, key: 'rule/a' })).status).toBe(403)
    for (const status of ['completed', 'archived'])
      await owner.patch(`/api/web/engagements/${engagementId}`, { status })
    expect((await owner.post(`${PATH}/dismiss`, { engagementId, key: 'rule/a' })).status).toBe(409)
    expect((await owner.get(`${PATH}?engagementId=eng_${'0'.repeat(26)}`)).status).toBe(404)
  })
})
