import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { templateTools } from '../../../src/app/template-tools.ts'
import { checkReportTemplate } from '../../../src/features/report-templates/check/check-template.service.ts'
import { difficultReports } from '../../../src/features/report-templates/check/difficult.ts'
import { checkWord } from '../../../src/features/report-templates/check/word-check.ts'
import { createWordThreads } from '../../../src/features/report-templates/check/word-threads.ts'
import { getTemplateVersion } from '../../../src/features/report-templates/find-template.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { actorOf } from '../../support/races/background-jobs.ts'
import { compile } from '../../support/reports/pdf.ts'
import { reportDocument } from '../../support/reports/report-document.ts'
import { p, wordFile } from '../../support/reports/word-template.ts'

const reports = difficultReports().map(({ document }) => document)
const problemsOf = (...paragraphs: string[]) =>
  checkWord(wordFile({ body: paragraphs.map((text) => p(text)).join('') }), reports).problems

describe('a Word template', () => {
  test('whose loops multiply has that problem, and no file is made of it', () => {
    const loops = ['{#findings}', '{#findings}', '{#findings}', '{#findings}']
    const ends = loops.map(() => '{/findings}')
    const message = expect.stringContaining('more than 100 million characters')
    expect(problemsOf(...loops, '{title}', ...ends)).toMatchObject([{ level: 'error', message }])
    // Most of it is text of the template.
    const long = 'x'.repeat(200_000)
    expect(problemsOf('{#findings}', '{#findings}', long, '{/findings}', '{/findings}')).toMatchObject([{ message }])
  })

  test('whose filters multiply a text has that problem, with its tag', () => {
    const filters = Array.from({ length: 12 }, () => '| replace:"a":"aaaaaaaaaa"').join(' ')
    expect(problemsOf(`{"a" ${filters}}`)).toMatchObject([
      { level: 'error', tag: expect.stringContaining('replace'), message: expect.stringContaining('characters') },
    ])
  })

  test.each([
    '{constructor.constructor("return process")()}',
    '{findings["constructor"]}',
    '{report.__proto__.polluted}',
    '{report.title.prototype}',
    '{= 7 * 7}',
    '{title.replace("a", "b")}',
    '{process.env.HOME}',
    '{require("fs")}',
    '{`$7*7`}',
  ])('%s runs nothing: it is a problem with its tag', (tag) => {
    const problems = problemsOf(tag)
    expect(problems).toMatchObject([{ level: 'error', paragraph: 1 }])
    expect(problems[0]?.tag).toContain(tag.slice(1, 6))
  })

  test('that changes the marks of tags does not: the marks are an error', () => {
    expect(problemsOf('{=<% %>=}', '<%report.title%>').map(({ level }) => level)).toContain('error')
  })

  test('with ten thousand wrong tags has all of them', () => {
    expect(problemsOf(...Array.from({ length: 10_000 }, (_, index) => `{wrong${index}}`))).toHaveLength(10_000)
  })
})

describe('Typst code of a template', () => {
  const messagesOf = async (body: string): Promise<string> => {
    const { pdf, problems } = await compile(reportDocument(), {
      overrides: { 'cover.typ': `#let cover(data) = {\n${body}\n}` },
    })
    expect(pdf, body).toBeUndefined()
    return problems.map(({ message }) => message).join('\n')
  }

  test.each([
    ['json("/etc/passwd")', 'only files of the template'],
    ['csv("../../../etc/passwd")', 'outside of the template'],
    ['include "/proc/self/environ"', 'only files of the template'],
    ['import "../../../../etc/passwd.typ": *', 'outside of the template'],
    ['bibliography("/etc/passwd.bib")', 'only files of the template'],
    ['plugin("/etc/plugin.wasm")', 'only files of the template'],
    ['plugin(bytes("not a module"))', 'failed to load WebAssembly'],
    ['eval("read(\\"/etc/passwd\\")")', 'only files of the template'],
  ])('%s is refused', async (body, message) => {
    expect(await messagesOf(body)).toContain(message)
  })

  test.each([
    ['let f(x) = f(x + 1)\nf(0)', 'maximum function call depth'],
    ['show heading: it => heading(it)\nheading[x]', 'maximum show rule depth'],
    ['while true { 1 }', 'always true'],
    ['panic("out of " + data.report.title)', 'panicked'],
  ])('%s ends with an error', async (body, message) => {
    expect(await messagesOf(body)).toContain(message)
  })
})

describe('the check', () => {
  let app: TestApp
  let owner: Awaited<ReturnType<TestApp['signedIn']>>
  const threads = createWordThreads()

  beforeAll(async () => {
    app = await testApp({ workers: false })
    owner = await app.signedIn('owner')
  })
  afterAll(() => app.close())

  test('of code that does not end stops at its limit, with that problem once; others are answered meanwhile', async () => {
    const loop = (name: string, inner: string) => `for ${name} in range(10000) { ${inner} }`
    const endless = `#let cover(data) = {\nlet x = 0\n${loop('a', loop('b', loop('c', 'x = calc.rem(x + 1, 7)')))}\n}`
    const { body } = await owner.post('/api/web/report-templates', { name: 'Endless' })
    const changed = await owner.patch(`/api/web/report-templates/${body.data.id}`, { typst: { 'cover.typ': endless } })
    expect(changed.status, changed.text).toBe(200)
    const actor = actorOf(app.organization.owner, app.organization.id, 'owner')
    let compiled = 0
    const tools = {
      ...templateTools,
      checkTypst: (...args: Parameters<typeof templateTools.checkTypst>) => {
        compiled++
        return templateTools.checkTypst(...args)
      },
    }
    let isChecking = true
    const checked = checkReportTemplate(
      app.platform,
      actor,
      { tools, threads },
      body.data.id,
      undefined,
      6_000,
    ).finally(() => (isChecking = false))
    let answered = 0
    while (isChecking && answered < 5) {
      expect((await owner.get('/api/web/engagements?perPage=1')).status).toBe(200)
      answered++
    }
    const { problems } = await checked
    expect(problems).toMatchObject([
      { level: 'error', message: expect.stringMatching(/^It took longer than \d seconds/) },
    ])
    expect([compiled, answered]).toEqual([1, 5])
  })

  test('whose turn comes too late is 503, and gives its turn back', async () => {
    const [document] = reports
    if (!document) throw new Error('there is a difficult report')
    const template = await owner.post('/api/web/report-templates', { name: 'Late' })
    const version = await getTemplateVersion(app.platform, app.organization.id, template.body.data.id, 1)
    if (!version) throw new Error('the template has a first version')
    const late = () => templateTools.checkTypst('org_late', document, version, performance.now())
    for (let time = 0; time < 3; time++) await expect(late()).rejects.toMatchObject({ status: 503 })
  })
})
