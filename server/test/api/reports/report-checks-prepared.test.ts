import { LIVE_TYPES } from '@sortie/contract/reports/report-data.ts'
import { CHECK_CODES } from '@sortie/contract/reports/reports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN_TEMPLATES } from '../../../src/features/report-templates/built-in/index.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { screenshot } from '../../support/reports/png.ts'

const WEB = '/api/web'
const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvbGdhIn0.c2lnbmF0dXJlLW9mLXRlc3Q'

type Code = (typeof CHECK_CODES)[number]

interface Problem {
  code: Code
  where: { type: string; id: string; section: string | null; quote: string | null }
}

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let clientId: string

const must = async (response: ReturnType<TestClient['post']>) => {
  const { status, text, body } = await response
  expect(status, text).toBeLessThan(300)
  return body.data
}
const post = (path: string, body: object) => must(owner.post(`${WEB}${path}`, body))
const patch = (path: string, body: object) => must(owner.patch(`${WEB}${path}`, body))
const upload = (path: string, name: string, rawBody: Uint8Array | string) =>
  must(owner.request('POST', `${WEB}${path}/files?fileName=${name}`, { rawBody: Buffer.from(rawBody) }))

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const contacts = [{ name: 'Carla Client', role: 'CISO', email: 'carla@contoso.example', phone: '+49 30 1234' }]
  clientId = (await post('/clients', { name: 'Contoso Bank', domains: ['contoso.example'], contacts })).id
  await post('/clients', { name: 'Fabrikam', shortName: 'Fabri', domains: ['fabrikam.example'] })
  await post('/clients', { name: 'Northwind Traders', domains: [] })
  const field = { objectType: 'finding', label: 'Business owner', type: 'text', required: true }
  await post('/field-definitions', { ...field, key: 'business_owner' })
})
afterAll(() => app.close())

interface Words {
  name?: string
  scopeNote?: string
  email?: string
  answer?: string
}

/** An engagement with scope, contacts, targets and a recorded exchange, in which these words are what is planted. */
const engagementWith = async ({
  name = 'Customer portal',
  scopeNote = 'Contract, annex A.',
  email = 'soc@contoso.example',
  answer = '{"users":[]}',
}: Words = {}) => {
  const contacts = [{ name: 'Noa Night', role: 'SOC on call', phone: '+49 30 123456', email }]
  const details = { clientId, startsOn: '2026-11-02', endsOn: '2026-11-13', contacts }
  const { id: engagementId } = await post('/engagements', { name, details })
  const rule = { engagementId, effect: 'allow', pattern: '*.contoso.example', note: scopeNote }
  await post('/scope-rules', rule)
  await post('/targets', { engagementId, value: 'shop.contoso.example' })
  const data = { request: 'GET /users HTTP/1.1\nHost: shop.contoso.example', response: `HTTP/1.1 200 OK\n\n${answer}` }
  const result = { engagementId, title: 'Users leak', asset: 'https://shop.contoso.example/users', severity: 'high' }
  const { id: resultId } = await post('/results', { ...result, data })
  const about = { engagementId, title: 'Test of the portal', kind: 'retest', language: 'en' }
  // Shows every part of a finding.
  const report = await post('/reports', { ...about, templateId: BUILT_IN_TEMPLATES[0]?.id })
  for (const { id } of report.sections) await must(owner.delete(`${WEB}/reports/${report.id}/sections/${id}`))
  for (const type of LIVE_TYPES) await post(`/reports/${report.id}/sections`, { title: type, live: { type } })
  return { engagementId: engagementId as string, resultId: resultId as string, reportId: report.id as string }
}

const FINDING = {
  title: 'SQL injection in the search',
  severity: 'critical',
  cvssVector: CRITICAL,
  summary: 'The search passes input on.',
  recommendation: 'Use parameters.',
  verification: 'human_verified',
  fields: { business_owner: 'Team Web' },
}

const checksOf = (reportId: string): Promise<Problem[]> => must(owner.get(`${WEB}/reports/${reportId}/checks`))

const textSection = (reportId: string, body: string, title = 'Text') =>
  post(`/reports/${reportId}/sections`, { title, body })

test('a report with every live section, figures, references, an exchange and a complete retest has no problem', async () => {
  const { engagementId, resultId, reportId } = await engagementWith()
  const finding = await post('/findings', { ...FINDING, engagementId, description: 'A quote ends the statement.' })
  await post(`/findings/${finding.id}/affected`, { assets: ['shop.contoso.example'] })
  const shot = await upload(`/findings/${finding.id}`, 'shot.png', screenshot(40, 30))
  const description = `A quote ends the statement, as [[${shot.id}]] shows.\n\n![The answer](${shot.id})\n\n![[${resultId}]]`
  await patch(`/findings/${finding.id}`, { description, baseRevision: 1 })
  const { id: retestId } = await post('/retests', { engagementId, name: 'Spring', findingIds: [finding.id] })
  const items = await must(owner.get(`${WEB}/retests/${retestId}/items`))
  for (const { id } of items) await patch(`/retests/${retestId}/items/${id}`, { outcome: 'fixed', note: 'Gone.' })
  for (const state of ['in_review', 'approved']) await patch(`/findings/${finding.id}`, { state })
  const own = await upload(`/reports/${reportId}`, 'overview.png', screenshot(30, 40))
  await textSection(
    reportId,
    `For {{client.name}}: {{findings.total}} findings from {{engagement.startsOn}}, see [[${finding.id}]] and [[${own.id}]].\n\n![[${own.id}|Overview]]`,
  )
  expect(await checksOf(reportId)).toEqual([])
})

test('a report with every problem: each is found, in its place', async () => {
  const { engagementId, resultId, reportId } = await engagementWith({
    name: 'Portal, as for Fabrikam',
    scopeNote: 'TODO: ask Northwind Traders. The password is "hT7#qLw92xVz".',
    email: 'soc@fabrikam.example',
    answer: `{"tenant":"Fabri","session":"${JWT}"}`,
  })
  await post('/scope-rules', { engagementId, effect: 'deny', pattern: 'out.contoso.example' })
  const out = await post('/targets', { engagementId, value: 'out.contoso.example' })
  const library = await post('/library-entries', {
    key: 'only-german',
    mainLanguage: 'de',
    texts: { de: { title: 'Nur auf Deutsch' } },
  })
  const bad = await post('/findings', {
    ...FINDING,
    engagementId,
    title: 'As at Fabrikam',
    severity: 'low',
    fields: {},
    verification: 'machine_found',
    reproduction: `![[${resultId}]]`,
    recommendation: 'Rotate ghp_012345678901234567890123456789abcdef.',
  })
  await post(`/findings/${bad.id}/affected`, { targetIds: [out.id] })
  const shot = await upload(`/reports/${reportId}`, 'shot.png', screenshot(40, 30))
  const bare = await post('/findings', { engagementId, libraryEntryId: library.id, language: 'de' })
  const unknown = '0'.repeat(26)
  const text = await textSection(
    reportId,
    `For {{client.nmae}}, by {{report.approvedBy}}. XXX\n\nThe pasword is misstyped.\n\n![[fil_${unknown}]]\n\nSee [[fnd_${unknown}]].\n\n![[${resultId}]]\n\n![[${shot.id}]]`,
  )
  const empty = await textSection(reportId, '', 'Empty')
  const problems = await checksOf(reportId)
  const { sections } = await must(owner.get(`${WEB}/reports/${reportId}`))
  const liveOf = (type: string): string =>
    sections.find(({ live }: { live: { type: string } | null }) => live?.type === type).id
  /** Places: id, section of a finding, quote. */
  type Found = [id: string, section: string | null, quote: string | null]
  const expected: Record<Code, Found[]> = {
    required_field_empty: [
      [bad.id, 'description', null],
      [bad.id, 'fields.business_owner', null],
      [empty.id, null, null],
    ],
    unknown_placeholder: [[text.id, null, '{{client.nmae}}']],
    empty_placeholder: [[text.id, null, '{{report.approvedBy}}']],
    todo_mark: [
      [text.id, null, 'XXX'],
      [liveOf('scope'), null, 'TODO'],
    ],
    missing_file: [[text.id, null, `fil_${unknown}`]],
    figure_without_caption: [[text.id, null, 'shot.png']],
    finding_not_approved: [
      [bad.id, null, 'draft'],
      [bare.id, null, 'draft'],
    ],
    finding_without_evidence: [[bare.id, null, null]],
    finding_without_assets: [[bare.id, null, null]],
    severity_differs_from_score: [[bad.id, null, 'low 9.8']],
    asset_out_of_scope: [[bad.id, 'affected', 'out.contoso.example']],
    other_client: [
      [reportId, null, 'Fabrikam'],
      [bad.id, null, 'Fabrikam'],
      [bad.id, 'reproduction', 'Fabri'],
      [text.id, null, 'Fabri'],
      [liveOf('scope'), null, 'Northwind Traders'],
      [liveOf('contacts'), null, 'fabrikam.example'],
    ],
    secret_in_text: [
      [bad.id, 'recommendation', 'ghp_'],
      [bad.id, 'reproduction', 'eyJh'],
      [text.id, null, 'eyJh'],
      [liveOf('scope'), null, 'hT7#'],
    ],
    missing_translation: [[bare.id, null, 'de']],
    retest_incomplete: [
      [bad.id, 'retest', null],
      [bare.id, 'retest', null],
    ],
    broken_reference: [[text.id, null, `fnd_${unknown}`]],
    machine_unverified: [[bad.id, null, 'machine_found']],
    spelling: [
      [text.id, null, 'pasword'],
      [text.id, null, 'misstyped'],
    ],
  }
  const found = problems.map(({ code, where: { id, section, quote } }) => JSON.stringify([code, id, section, quote]))
  for (const [code, places] of Object.entries(expected))
    for (const place of places) expect(found).toContain(JSON.stringify([code, ...place]))
  // No name of another client is anywhere else, and no secret is found where none is.
  for (const code of ['other_client', 'secret_in_text', 'todo_mark', 'spelling'] as const)
    expect(found.filter((problem) => problem.startsWith(`["${code}"`))).toHaveLength(expected[code].length)
  expect(CHECK_CODES.filter((code) => !problems.some((problem) => problem.code === code))).toEqual([])
})
