import type { CHECK_CODES } from '@sortie/contract/reports/reports.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { png } from '../../support/reports/png.ts'

const WEB = '/api/web/reports'
const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

type Code = (typeof CHECK_CODES)[number]

interface Problem {
  code: Code
  level: string
  message: string
  where: { type: string; id: string; section: string | null; quote: string | null }
  waived: { reason: string } | null
}

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let clientId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  clientId = (await must(owner.post('/api/web/clients', { name: 'Contoso Bank', domains: ['contoso.example'] }))).id
  await must(owner.post('/api/web/clients', { name: 'Fabrikam', shortName: 'Fabri', domains: ['fabrikam.example'] }))
  await must(owner.post('/api/web/clients', { name: 'Bank' }))
})
afterAll(() => app.close())

const must = async (response: Promise<{ status: number; text: string; body: { data: never } }>) => {
  const { status, text, body } = await response
  expect(status, text).toBeLessThan(300)
  return body.data as Record<string, never> & { id: string; revision: number }
}

/** A report with one finding, without problems. */
const clean = async ({
  finding = {},
  kind = 'final',
  language = 'en',
}: { finding?: object; kind?: string; language?: string } = {}) => {
  const details = { clientId, startsOn: '2026-11-02', endsOn: '2026-11-13' }
  const engagementId = (await must(owner.post('/api/web/engagements', { name: 'Shop', details }))).id
  const found = await must(
    owner.post('/api/web/findings', {
      engagementId,
      title: 'SQL injection in the search',
      severity: 'critical',
      cvssVector: CRITICAL,
      summary: 'The search passes input on.',
      description: 'A quote ends the statement.',
      recommendation: 'Use parameters.',
      verification: 'human_verified',
      ...finding,
    }),
  )
  const path = `/api/web/findings/${found.id}`
  await must(owner.post(`${path}/affected`, { assets: ['shop.contoso.example'] }))
  await must(owner.request('POST', `${path}/files?fileName=proof.txt`, { rawBody: 'proof' }))
  const report = await must(owner.post(WEB, { engagementId, title: 'Test of the shop', kind, language }))
  return { engagementId, findingId: found.id, reportId: report.id, path: `${WEB}/${report.id}` }
}

const approveFinding = async (findingId: string) => {
  for (const state of ['in_review', 'approved']) await must(owner.patch(`/api/web/findings/${findingId}`, { state }))
}

const checksOf = async (path: string, client: TestClient = owner): Promise<Problem[]> =>
  (await must(client.get(`${path}/checks`))) as never

const codesOf = async (path: string): Promise<Code[]> => [...new Set((await checksOf(path)).map(({ code }) => code))]

/** A section with this text in a report without problems. */
const withText = async (body: string, of?: Parameters<typeof clean>[0]) => {
  const made = await clean(of)
  const section = await must(owner.post(`${made.path}/sections`, { title: 'Planted', body }))
  return { ...made, sectionId: section.id, problems: await checksOf(made.path) }
}

describe('checks', () => {
  test('a report without problems has none', async () => {
    const { path, findingId } = await clean()
    await approveFinding(findingId)
    expect(await checksOf(path)).toEqual([])
  })

  test.each<[Code, string, string]>([
    ['unknown_placeholder', 'For {{client.nmae}}.', '{{client.nmae}}'],
    ['empty_placeholder', 'By {{report.approvedBy}}.', '{{report.approvedBy}}'],
    ['todo_mark', 'TODO: write this.', 'TODO'],
    ['todo_mark', 'Lorem ipsum dolor.', 'Lorem ipsum'],
    ['missing_file', `![[fil_${'0'.repeat(26)}]]`, `fil_${'0'.repeat(26)}`],
    ['missing_file', `![[run_${'0'.repeat(26)}]]`, `run_${'0'.repeat(26)}`],
    ['broken_reference', `See [[fnd_${'0'.repeat(26)}]].`, `fnd_${'0'.repeat(26)}`],
    ['other_client', 'As at Fabrikam last year.', 'Fabrikam'],
    ['other_client', 'See shop.fabrikam.example', 'fabrikam.example'],
    ['secret_in_text', 'The password is "hT7#qLw92xVz".', 'hT7#'],
    ['secret_in_text', 'Token: ghp_012345678901234567890123456789abcdef', 'ghp_'],
    ['secret_in_text', '-----BEGIN RSA PRIVATE KEY-----', '----'],
  ])('%s: %s', async (code, text, quote) => {
    const { problems, sectionId } = await withText(text)
    const found = problems.filter((problem) => problem.code === code)
    expect(found).toMatchObject([{ where: { type: 'section', id: sectionId, quote }, waived: null }])
  })

  test.each([
    'The TODOs app, {{client.name}}, Fabrikams and Fabri2 are fine, and so is `{{nothing}}` or \\{{nothing}}.',
    'The password policy asks for twelve characters; see https://docs.contoso.example/password-rules',
    'Contoso Bank is the client, though there is also one named like its last word.',
  ])('what only looks like a problem is none: %s', async (text) => {
    const { problems } = await withText(text)
    // Two of the words are invented.
    const isAbout = (code: string) => code !== 'finding_not_approved' && code !== 'spelling'
    expect(problems.map(({ code }) => code).filter(isAbout)).toEqual([])
  })

  test('problems of findings are found', async () => {
    const { findingId, path, engagementId } = await clean({
      finding: { description: '', severity: 'low', severityReason: '', verification: 'machine_found' },
    })
    expect(await codesOf(path)).toEqual(
      expect.arrayContaining<Code>([
        'required_field_empty',
        'finding_not_approved',
        'severity_differs_from_score',
        'machine_unverified',
      ]),
    )
    const bare = await must(owner.post('/api/web/findings', { engagementId, title: 'Bare' }))
    const ofBare = (await checksOf(path)).filter(({ where }) => where.id === bare.id).map(({ code }) => code)
    expect(ofBare).toEqual(expect.arrayContaining<Code>(['finding_without_evidence', 'finding_without_assets']))
    expect(await codesOf(path)).not.toContain('retest_incomplete')
    await must(owner.patch(path, { kind: 'retest' }))
    expect(await codesOf(path)).toContain('retest_incomplete')
    await must(owner.patch(path, { kind: 'final', findingFilter: { ids: [findingId] } }))
    expect((await checksOf(path)).filter(({ where }) => where.id === bare.id)).toEqual([])
  })

  test('an affected asset out of scope, a figure without a caption and missing words are warnings', async () => {
    const { engagementId, findingId, path } = await clean({ language: 'fr' })
    await must(owner.post('/api/web/scope-rules', { engagementId, effect: 'deny', pattern: 'out.contoso.example' }))
    const target = await must(owner.post('/api/web/targets', { engagementId, value: 'out.contoso.example' }))
    await must(owner.post(`/api/web/findings/${findingId}/affected`, { targetIds: [target.id] }))
    await must(
      owner.request('POST', `/api/web/findings/${findingId}/files?fileName=a.png`, {
        rawBody: png(3, 2, () => [9, 9, 9]),
      }),
    )
    const problems = await checksOf(path)
    for (const code of ['asset_out_of_scope', 'figure_without_caption', 'missing_translation'])
      expect(problems.find((problem) => problem.code === code)?.level, code).toBe('warning')
  })
})

describe('waivers', () => {
  test('hold for code, object, section and quote', async () => {
    const { path, sectionId, problems } = await withText('TODO')
    const { where } = problems.find(({ code }) => code === 'todo_mark') as Problem
    const waive = (change: object = {}) =>
      owner.post(`${path}/checks/waive`, { code: 'todo_mark', where, reason: 'The name of the app.', ...change })
    expect((await waive({ where: { ...where, quote: 'TBD' } })).status).toBe(409)
    expect((await waive()).body.data).toEqual({ waived: true })
    const marksOf = async () => (await checksOf(path)).filter(({ code }) => code === 'todo_mark')
    expect(await marksOf()).toMatchObject([{ waived: { reason: 'The name of the app.' } }])
    await must(owner.patch(`${path}/sections/${sectionId}`, { body: 'TODO and TBD', baseRevision: 1 }))
    expect((await marksOf()).map(({ where: { quote }, waived }) => [quote, waived !== null])).toEqual([
      ['TODO', true],
      ['TBD', false],
    ])
  })

  test('of other clients and secrets are for lead, owner and admins', async () => {
    const { path, problems } = await withText('As at Fabrikam.')
    const problem = problems.find(({ code }) => code === 'other_client') as Problem
    const body = { code: problem.code, where: problem.where, reason: 'A reference customer.' }
    const member = await app.signedIn('member')
    expect((await member.post(`${path}/checks/waive`, body)).status).toBe(403)
    expect((await owner.post(`${path}/checks/waive`, body)).status).toBe(200)
  })

  test('the message names no client that the reader does not see', async () => {
    const { path } = await withText('As at Fabrikam.')
    const member = await app.signedIn('member')
    const [seen] = (await checksOf(path)).filter(({ code }) => code === 'other_client')
    expect(seen?.message).toContain('Fabrikam')
    const [hidden] = (await checksOf(path, member)).filter(({ code }) => code === 'other_client')
    expect(hidden?.message).toBe('The text names another client of your organization.')
  })
})
