import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRenderable } from '../../../src/features/report-renders/files/read-renderable.ts'
import { BUILT_IN_TEMPLATES } from '../../../src/features/report-templates/built-in/index.ts'
import { difficultReports } from '../../../src/features/report-templates/check/difficult.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { compile, pdfInfo, pdfText } from '../../support/reports/pdf.ts'
import { screenshot } from '../../support/reports/png.ts'
import type { TestDocument } from '../../support/reports/report-document.ts'

const WEB = '/api/web'
/** Findings that need several pages. */
const MANY = 12
const difficult = difficultReports().at(-1)?.document as TestDocument
const PAPERS = { a4: '595.276 x 841.89 pts', letter: '612 x 792 pts' } as const

let app: TestApp
let owner: TestClient
let engagementId: string

const must = async (answer: ReturnType<TestClient['post']>) => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body.data
}

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const details = { clientName: 'Contoso', startsOn: '2026-11-02', endsOn: '2026-11-13' }
  engagementId = (await must(owner.post(`${WEB}/engagements`, { name: 'Customer portal', details }))).id
  await must(owner.post(`${WEB}/scope-rules`, { engagementId, effect: 'allow', pattern: '*.contoso.example' }))
  for (const severity of ['critical', 'low']) {
    const finding = { engagementId, title: `A ${severity} finding`, severity, recommendation: 'Use **parameters**.' }
    const { id } = await must(owner.post(`${WEB}/findings`, finding))
    await must(owner.post(`${WEB}/findings/${id}/affected`, { assets: ['shop.contoso.example'] }))
    const rawBody = Buffer.from(screenshot(120, 70))
    await must(owner.request('POST', `${WEB}/findings/${id}/files?fileName=shot.png`, { rawBody }))
  }
})
afterAll(() => app.close())

const cases = BUILT_IN_TEMPLATES.flatMap((template, index) =>
  (['en', 'de'] as const).map((language) => ({
    name: template.name,
    template,
    language,
    // Each paper with each template and with each language.
    paper: (language === 'en') === (index % 2 === 0) ? ('a4' as const) : ('letter' as const),
  })),
)

describe('every built-in template, with the data of an engagement', () => {
  test.each(cases)(
    '$name in $language on $paper is PDF/A-2a, tagged, with all of its sections, and PDF/UA-1 also with difficult data',
    async (one) => {
      const { template, language, paper } = one
      const report = { engagementId, title: `As ${template.name}`, templateId: template.id, language }
      const { id, sections } = await must(owner.post(`${WEB}/reports`, report))
      const wanted = { report_id: id, finding_id: null }
      const { document } = await readRenderable(app.platform, app.organization.id, wanted)
      const { data, images } = document
      const shown = { data: { ...data, design: { ...data.design, paper } }, images: new Map(images) }
      const archived = await compile(shown)
      expect(archived.problems).toEqual([])
      // With titles that are syntax, tables of 60 columns, other scripts and pictures that are none, on many pages.
      const hard = { ...difficult.data, findings: difficult.data.findings.slice(0, MANY) }
      const { design, labels, severities, report: head } = data
      const filled = { ...hard, labels, severities, language, report: { ...hard.report, kind: head.kind } }
      const shown2 = { ...difficult, data: { ...filled, design: { ...hard.design, ...design, paper, logo: 'large' } } }
      for (const each of [shown, shown2]) {
        const { pdf: accessible, problems } = await compile(each, { standard: 'ua-1' })
        expect(problems.filter(({ level }) => level === 'error')).toEqual([])
        expect(Buffer.from(accessible as Uint8Array).toString('latin1')).toContain('pdfuaid:part')
      }
      const pdf = archived.pdf as Uint8Array
      const info = await pdfInfo(pdf)
      expect(info).toMatch(/Tagged:\s+yes/)
      expect(info).toContain(PAPERS[paper])
      expect(Buffer.from(pdf).toString('latin1')).toContain('pdfaid:conformance>A<')
      const text = (await pdfText(pdf)).replaceAll(/\s+/g, '')
      const titles: string[] = sections
        .filter(({ hidden }: { hidden: boolean }) => !hidden)
        .map(({ title }: { title: string }) => title)
      for (const title of titles) expect(text).toContain(title.replaceAll(/\s+/g, ''))
    },
  )
})
