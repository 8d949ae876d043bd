import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web'
const SPELLING_DICTIONARIES = path.resolve(import.meta.dirname, '../../fixtures/spelling')

interface Problem {
  code: string
  level: string
  message: string
  where: { type: string; id: string; section: string | null; quote: string | null }
  waived: object | null
}

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

const must = async (response: ReturnType<TestClient['post']>) => {
  const { status, text, body } = await response
  expect(status, text).toBeLessThan(300)
  return body.data
}
const post = (route: string, body: object) => must(owner.post(`${WEB}${route}`, body))
const patch = (route: string, body: object) => must(owner.patch(`${WEB}${route}`, body))

beforeAll(async () => {
  app = await testApp({ workers: false, env: { SPELLING_DICTIONARIES } })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

/** A report with one section, and its findings. */
const reportWith = async (language: string, body: string, finding: object = {}) => {
  const details = { clientName: 'Kontosso Bank', reportWords: ['Zahlwerk'] }
  const { id: engagementId } = await post('/engagements', { name: 'Portal Nordlicht', details })
  const { id: findingId } = await post('/findings', { engagementId, title: 'Blixfoo reflects input', ...finding })
  const report = await post('/reports', { engagementId, title: 'Report', language })
  for (const { id } of report.sections) await must(owner.delete(`${WEB}/reports/${report.id}/sections/${id}`))
  const { id: sectionId } = await post(`/reports/${report.id}/sections`, { title: 'Text', body })
  return { engagementId, findingId, reportId: report.id as string, sectionId: sectionId as string }
}

const spellingOf = async (reportId: string): Promise<Problem[]> => {
  const problems: Problem[] = await must(owner.get(`${WEB}/reports/${reportId}/checks`))
  return problems.filter(({ code }) => code === 'spelling')
}
const quotesOf = async (reportId: string) => (await spellingOf(reportId)).map(({ where }) => where.quote)

describe('the spelling of a report', () => {
  test('in English: each distinct word once for each section, as a warning with its place; American and British are right', async () => {
    const { reportId, sectionId, findingId } = await reportWith(
      'en',
      'The vulnerabilty is a vulnerabilty. The **colour** and the *color* of an orga**nisation**. The client\u2019s server doesn\u2019t anser.',
      { summary: 'A vulnerabilty in the search.', recommendation: 'Escape the input.' },
    )
    const message = 'The word is not in the dictionary.'
    const row = (where: object, quote: string) => ({
      code: 'spelling',
      level: 'warning',
      message,
      where: { section: null, ...where, quote },
      waived: null,
    })
    expect(await spellingOf(reportId)).toEqual([
      row({ type: 'section', id: sectionId }, 'vulnerabilty'),
      row({ type: 'section', id: sectionId }, 'anser'),
      row({ type: 'finding', id: findingId, section: 'summary' }, 'vulnerabilty'),
    ])
  })

  test('in British English: American spelling is reported, and the other way round', async () => {
    const body = 'The color of the colour.'
    expect(await quotesOf((await reportWith('en-GB', body)).reportId)).toEqual(['color'])
    expect(await quotesOf((await reportWith('en-US', body)).reportId)).toEqual(['colour'])
  })

  test('in German, with the dictionary of the operator: compounds and English terms are right', async () => {
    const { reportId, findingId } = await reportWith(
      'de',
      'Wir haben die Sicherheitsprüfungen und die Schwachstellenprüfung für das Kundenportal geprüft. Der Server ist nicht trusted.',
      { summary: 'Die Sicherheitslükce zeigt ein Ergebnis mit SQL-Schwachstellen.' },
    )
    expect((await spellingOf(reportId)).map(({ where }) => where)).toEqual([
      { type: 'finding', id: findingId, section: 'summary', quote: 'Sicherheitslükce' },
    ])
  })

  test('in a language without a dictionary: one warning says that nothing was checked', async () => {
    const { reportId } = await reportWith('fr', 'Le qwzrt est un xqzt.')
    const [only, ...others] = await spellingOf(reportId)
    expect(only).toMatchObject({ level: 'warning', where: { type: 'report', id: reportId, quote: 'fr' } })
    expect(only?.message).toMatch(/not checked: this instance has no dictionary/)
    expect(others).toEqual([])
  })

  test('code, references, placeholders, addresses, paths, identifiers, abbreviations and names are not checked', async () => {
    const { reportId } = await reportWith(
      'en',
      [
        'Run `qwzrtx --xqzt` on qwzrt.example.com, see https://qwzrt.example/zxqw and [the page](https://zxqw.example).',
        '```\nqwzrtx zxqwv\n```',
        'Two `qwzrt`s, a zxq`wv`zx, x and y.',
        'In /etc/qwzrt/zxqw.conf and C:\\qwzrt\\zxqw: {{client.name}}, {{engagement.name}}, CVE-2026-12345 and CWE-79.',
        'QZWRT and QZWRTs call getQwzrt, QwzrtServer, qwzrt_zxqw and zxqwv2, as mail@zxqwv.example says.',
        'Blixfoo at the Kontosso Bank, Nordlicht, and the Zahlwerk-Server.',
      ].join('\n\n'),
    )
    expect(await quotesOf(reportId)).toEqual([])
  })

  test('a word of the organization or of the engagement is right from then on; a waiver holds for one section', async () => {
    const { reportId, engagementId, sectionId } = await reportWith('en', 'Frobnify and Quuxify, the Bazify-Quuxify.')
    expect(await quotesOf(reportId)).toEqual(['Frobnify', 'Quuxify', 'Bazify'])
    await patch('/report-settings', { words: ['frobnify'] })
    const details = await patch(`/engagements/${engagementId}/details`, { reportWords: ['Quuxify'] })
    expect(details.reportWords).toEqual(['Quuxify'])
    expect(await quotesOf(reportId)).toEqual(['Bazify'])
    const where = { type: 'section', id: sectionId, section: null, quote: 'Bazify' }
    await post(`/reports/${reportId}/checks/waive`, { code: 'spelling', where, reason: 'A product.' })
    expect(await spellingOf(reportId)).toMatchObject([{ where, waived: { reason: 'A product.' } }])
    // Of another engagement, Quuxify is not a word.
    const other = await reportWith('en', 'Frobnify and Quuxify.')
    expect(await quotesOf(other.reportId)).toEqual(['Quuxify'])
    await patch('/report-settings', { words: [] })
  })

  test('100,000 characters of nonsense, a word of 100,000 letters and hidden characters: at most 100 rows, within seconds', async () => {
    const nonsense = Array.from({ length: 12_000 }, (_, index) => `zq${[...index.toString(16)].map(letterOf).join('')}`)
    const { reportId, engagementId } = await reportWith('en', nonsense.join(' ').slice(0, 100_000))
    const began = performance.now()
    const rows = await spellingOf(reportId)
    expect(rows).toHaveLength(101)
    expect(rows.at(-1)?.message).toMatch(/^Only 100 words are listed: 1[12],\d{3} are not in the dictionary\.$/)
    expect(performance.now() - began).toBeLessThan(15_000)
    const long = await reportWith('en', 'q'.repeat(100_000))
    expect(await quotesOf(long.reportId)).toEqual(['q'.repeat(500)])
    const marks = await reportWith('en', `${'!('.repeat(49_000)} anser ${'"'.repeat(1_000)}`)
    expect(await quotesOf(marks.reportId)).toEqual(['anser'])
    const hidden = await reportWith(
      'en',
      'The wo\u200Brd is right, a soft hy\u00ADphen too; the vul\u200Bnerabilty is not.',
    )
    expect(await quotesOf(hidden.reportId)).toEqual(['vulnerabilty'])
    expect(engagementId).not.toBe(hidden.engagementId)
  })
})

/** Digits would make it an identifier. */
const letterOf = (digit: string): string => 'bcdfghjklmnpqrst'.charAt(Number.parseInt(digit, 16))
