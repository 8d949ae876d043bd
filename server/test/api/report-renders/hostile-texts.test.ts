import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web'
/** Two renders of each text, on a machine that runs other tests. */
const SLOW_MS = 170_000
const LENGTH = 100_000

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const reportWith = async (body: string): Promise<string> => {
  const { id: engagementId } = (await owner.post(`${WEB}/engagements`, { name: 'Hostile texts' })).body.data
  const report = (await owner.post(`${WEB}/reports`, { engagementId, title: 'Hostile' })).body.data
  for (const { id } of report.sections as { id: string }[])
    expect((await owner.delete(`${WEB}/reports/${report.id}/sections/${id}`)).status).toBe(200)
  const added = await owner.post(`${WEB}/reports/${report.id}/sections`, { title: 'Text', body })
  expect(added.status, added.text).toBe(201)
  return report.id
}

/** How a render has ended; meanwhile others are answered. */
const rendered = async (reportId: string, format: string) => {
  const { status, body, text } = await owner.post(`${WEB}/reports/${reportId}/render`, { format })
  expect(status, text).toBe(201)
  return eventually(
    async () => {
      const { data } = (await owner.get(`${WEB}/report-renders/${body.data.id}`)).body
      expect(['succeeded', 'failed']).toContain(data.state)
      return data as { state: string; size: number | null; problems: { level: string; message: string }[] }
    },
    SLOW_MS,
    100,
  )
}

const repeated = (text: string): string => text.repeat(Math.floor(LENGTH / text.length))

describe('a text of 100,000 marks', () => {
  const SHOWN = 'A text is too deeply nested, or has too many pieces, to format: it is shown as it was written.'

  test.each([
    ['nested quotes', '>'],
    ['quotes with spaces', '> '],
    ['brackets', '['],
    ['pictures', '!['],
    ['links in links', '[a]('],
    ['bold in bold', '*a **b '],
    ['struck text', '~~a'],
    ['words and stars', 'a*'],
    ['footnotes', '[^a'],
    ['lists in lists', '- '],
  ])('%s: is shown as it was written, in every format', async (_, mark) => {
    const reportId = await reportWith(repeated(mark))
    for (const format of ['html', 'docx']) {
      const { state, size, problems } = await rendered(reportId, format)
      expect(problems.map(({ message }) => message)).toEqual([SHOWN])
      expect({ state, hasFile: (size ?? 0) > 0 }).toEqual({ state: 'succeeded', hasFile: true })
    }
    const preview = await owner.get(`${WEB}/reports/${reportId}/html`)
    expect(preview.status).toBe(200)
    expect(preview.text).toContain('<pre')
  })

  test('stars without words are a text, and end in a file', async () => {
    expect(await rendered(await reportWith(repeated('*')), 'html')).toMatchObject({ state: 'succeeded', problems: [] })
  })

  test('a PDF shows quotes, lists and bold text as deep as any text may be', async () => {
    const quotes = Array.from({ length: 20 }, (_, depth) => `${'> '.repeat(depth + 1)}level ${depth}\n`).join('\n')
    const items = Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n')
    const bold = `${'*a **b '.repeat(9)}${'** *'.repeat(9)}`
    const render = await rendered(await reportWith([quotes, items, bold].join('\n\n')), 'pdf')
    expect(render.problems).toEqual([])
    expect(render.state).toBe('succeeded')
  })

  test('while texts that take their whole time are formatted, other requests are answered', async () => {
    const slow = Array.from({ length: 8 }, () => ('2. ' + 'a*'.repeat(240) + '\n').repeat(200)).join('\n')
    const reportId = await reportWith(slow.slice(0, LENGTH))
    const started = owner.get(`${WEB}/reports/${reportId}/data`)
    let isFormatting = true
    const ended = started.finally(() => (isFormatting = false))
    let answered = 0
    while (isFormatting && answered < 20) {
      expect((await owner.get(`${WEB}/engagements?perPage=1`)).status).toBe(200)
      answered++
    }
    const { status, text } = await ended
    expect(answered).toBeGreaterThanOrEqual(3)
    expect([200, 503], text.slice(0, 200)).toContain(status)
    if (status === 503) expect(text).toContain('to format')
  })
})
