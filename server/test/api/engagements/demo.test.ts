import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRenderable } from '../../../src/features/report-renders/files/read-renderable.ts'
import { BUILT_IN_TEMPLATES } from '../../../src/features/report-templates/built-in/index.ts'
import { DEMO_PEOPLE, seedDemo } from '../../../src/operator/demo/seed-demo.ts'
import { plainChange } from '../../../src/platform/database/change.ts'
import { eventually } from '../../support/app/server-process.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { compile } from '../../support/reports/pdf.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Imports and the first scan run as jobs, on a machine that may be busy. */
const JOBS_MS = 120_000

let app: TestApp
let owner: TestClient
let engagements: { id: string; name: string; clientId: string }[]

beforeAll(async () => {
  app = await testApp()
  await seedDemo({ ...app.platform, change: plainChange(app.platform.db) }, PASSWORD)
  const [[name, email]] = DEMO_PEOPLE
  const { id } = await app.db
    .selectFrom('organizations')
    .select('id')
    .where('slug', '=', 'northwind-security')
    .executeTakeFirstOrThrow()
  owner = await app.signIn({ id: '', name, email }, id)
  engagements = (await owner.get('/api/web/engagement-summaries?perPage=100')).body.data
}, JOBS_MS)
afterAll(() => app.close())

const read = async (path: string) => {
  const { status, body, text } = await owner.get(`/api/web${path}`)
  expect(status, `${path} ${text}`).toBe(200)
  return body
}
const total = async (path: string): Promise<number> =>
  (await read(`${path}${path.includes('?') ? '&' : '?'}perPage=1`)).meta.total
const idOf = (name: string): string => engagements.find((engagement) => engagement.name === name)?.id as string
const allFindings = async () => {
  const first = await read('/findings?perPage=100')
  expect(first.meta.nextCursor).toBeNull()
  return first.data
}

test('the demonstration has engagements in every status, with tasks, pages, requests, and a matrix of which four in five checks are done', async () => {
  expect(engagements.length).toBeGreaterThanOrEqual(8)
  const counts = Object.fromEntries(
    await Promise.all(
      ['/tasks', '/wiki-pages', '/api-requests', '/request-runs', '/targets'].map(async (path) => [
        path,
        await total(path),
      ]),
    ),
  )
  expect(counts['/tasks']).toBeGreaterThan(400)
  expect(counts['/wiki-pages']).toBeGreaterThanOrEqual(8)
  expect(counts['/api-requests']).toBeGreaterThanOrEqual(8)
  expect(counts['/request-runs']).toBeGreaterThanOrEqual(10)
  expect(counts['/targets']).toBeGreaterThan(1_500)
  const contoso = idOf('Contoso external perimeter 2026')
  const checks = await total(`/tasks?engagementId=${contoso}&outcome=untested,pass,fail,not_applicable`)
  const untested = await total(`/tasks?engagementId=${contoso}&outcome=untested`)
  expect(checks).toBeGreaterThan(300)
  expect(untested / checks).toBeLessThan(0.5)
})

test(
  'its vulnerabilities reach over twelve weeks, and those that nuclei found wait as suggestions once they are imported',
  async () => {
    await eventually(
      async () => {
        const { data } = await read('/imports?perPage=100')
        expect(data.every(({ state }: { state: string }) => state === 'applied')).toBe(true)
        expect(data.length).toBeGreaterThanOrEqual(7)
      },
      JOBS_MS,
      500,
    )
    expect(await total('/results?kind=vulnerability')).toBeGreaterThanOrEqual(40)
    const contoso = idOf('Contoso external perimeter 2026')
    const { data } = await read(`/results?engagementId=${contoso}&kind=service&sort=createdAt&order=asc&perPage=1`)
    const weeks = (app.clock.now() - Date.parse(data[0].firstSeenAt)) / DAY_MS / 7
    expect(weeks).toBeGreaterThan(10)
    const suggestions = (await read(`/finding-suggestions?engagementId=${contoso}`)).data
    expect(suggestions.filter(({ dismissed }: { dismissed: boolean }) => dismissed).length).toBeGreaterThanOrEqual(1)
    expect(suggestions.filter(({ dismissed }: { dismissed: boolean }) => !dismissed).length).toBeGreaterThanOrEqual(5)
  },
  JOBS_MS,
)

test('its findings are in every state and status, with texts of the library, assets, evidence, owners at the client, comments and a suggestion', async () => {
  const findings = await allFindings()
  expect(findings.length).toBeGreaterThanOrEqual(38)
  const states = new Set(findings.map(({ state }: { state: string }) => state))
  expect([...states].toSorted()).toEqual(['approved', 'draft', 'in_review'])
  const statuses = new Set(findings.map(({ status }: { status: string }) => status))
  expect([...statuses].toSorted()).toEqual(['fixed', 'open', 'partly_fixed', 'withdrawn'])
  expect(
    findings.filter(({ publishedAt }: { publishedAt: string | null }) => publishedAt !== null).length,
  ).toBeGreaterThan(15)
  expect(findings.every(({ libraryEntryId }: { libraryEntryId: string | null }) => libraryEntryId !== null)).toBe(true)
  expect(
    findings.every(({ affectedCounts }: { affectedCounts: Record<string, number> }) =>
      Object.values(affectedCounts).some((count) => count > 0),
    ),
  ).toBe(true)
  expect(findings.filter(({ fields }: { fields: object }) => 'owner_at_client' in fields).length).toBeGreaterThan(10)
  expect(
    findings.filter(({ clientStatus }: { clientStatus: object | null }) => clientStatus !== null).length,
  ).toBeGreaterThan(5)
  const bookings = findings.find(
    ({ title }: { title: string }) => title === 'Bookings of other customers can be read by their number',
  )
  const whole = (await read(`/findings/${bookings.id}`)).data
  expect(whole.summary.length).toBeGreaterThan(50)
  expect(whole.reproduction).toContain('![[run_')
  expect(whole.proofs).toEqual([{ type: 'request', id: expect.any(String) }])
  const commented = findings.filter(({ commentCount }: { commentCount: number }) => commentCount > 0)
  const comments = (
    await Promise.all(commented.map(async ({ id }: { id: string }) => (await read(`/findings/${id}/comments`)).data))
  ).flat()
  expect(comments.length).toBeGreaterThanOrEqual(4)
  expect(
    comments.filter(
      ({ suggestion, textChanged }: { suggestion: string | null; textChanged: boolean }) =>
        suggestion !== null && !textChanged,
    ),
  ).toHaveLength(1)
})

test('one client has several engagements, and a retest of its last one is under way', async () => {
  const [contoso] = (await read('/clients?q=Contoso')).data
  expect(contoso).toMatchObject({ shortName: 'CON', domains: ['contoso.example'] })
  expect(contoso.contacts).toHaveLength(2)
  expect(await total(`/findings?clientId=${contoso.id}`)).toBeGreaterThan(15)
  const [retest] = (await read('/retests')).data
  expect(retest).toMatchObject({
    engagementId: idOf('Contoso booking portal 2025'),
    state: 'running',
    counts: { fixed: 3, open: 1, partly_fixed: 1 },
  })
  expect(retest.counts.none).toBeGreaterThan(5)
  const items: { findingId: string }[] = (await read(`/retests/${retest.id}/items?perPage=100`)).data
  const proofs = await Promise.all(
    [...new Set(items.map(({ findingId }) => findingId))].map(
      async (id): Promise<{ type: string; id: string }[]> => (await read(`/findings/${id}`)).data.proofs,
    ),
  )
  expect(proofs.length).toBeGreaterThanOrEqual(5)
  expect(proofs.map((list) => list.length)).toEqual(proofs.map(() => 1))
  // Each has a response from before the retest, with which a new one is compared.
  for (const [proof] of proofs) {
    const [run] = (await read(`/request-runs?requestId=${proof?.id}`)).data
    expect(run).toMatchObject({ pinned: true })
    expect(Date.parse(run.startedAt)).toBeLessThan(Date.parse(retest.createdAt))
    expect((await read(`/request-runs/${run.id}/excerpt`)).data.response.omitted).toBeNull()
  }
})

test(
  'a report is ready for its review: it has no error, and a PDF of it shows the findings of its engagement',
  async () => {
    const { data } = await read('/reports?perPage=100')
    expect(data).toMatchObject([{ engagementId: idOf('Contoso booking portal 2025'), state: 'draft', kind: 'final' }])
    const problems: { level: string; code: string }[] = (await read(`/reports/${data[0].id}/checks`)).data
    expect(problems.filter(({ level }) => level === 'error')).toEqual([])
    // The texts of the library have no word that the spelling check does not know.
    expect(problems.filter(({ code }) => code === 'spelling')).toEqual([])
    const started = await owner.post(`/api/web/reports/${data[0].id}/render`, { format: 'pdf', wait: 30 })
    expect(started.status, started.text).toBe(201)
    await eventually(
      async () => {
        const render = (await read(`/report-renders/${started.body.data.id}`)).data
        expect(render, JSON.stringify(render)).toMatchObject({ state: 'succeeded', problems: [] })
        expect(render.pages).toBeGreaterThan(10)
      },
      JOBS_MS,
      500,
    )
  },
  JOBS_MS,
)

test.each(BUILT_IN_TEMPLATES.map(({ id, name }) => ({ id, name })))(
  'its data with the template $name compile as PDF/UA-1, in English and German',
  async ({ id: templateId }) => {
    const engagementId = idOf('Contoso booking portal 2025')
    const { organization_id: organizationId } = await app.db
      .selectFrom('engagements')
      .select('organization_id')
      .where('id', '=', engagementId)
      .executeTakeFirstOrThrow()
    for (const language of ['en', 'de']) {
      const body = { engagementId, title: 'Accessible', templateId, language }
      const { status, text, body: made } = await owner.post('/api/web/reports', body)
      expect(status, text).toBe(201)
      const wanted = { report_id: made.data.id, finding_id: null }
      const { document } = await readRenderable(app.platform, organizationId, wanted)
      const { pdf, problems } = await compile({ ...document, images: new Map(document.images) }, { standard: 'ua-1' })
      expect(problems).toEqual([])
      expect(Buffer.from(pdf as Uint8Array).toString('latin1')).toContain('pdfuaid:part')
    }
  },
  JOBS_MS,
)
