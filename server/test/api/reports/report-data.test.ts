import type { BlockValue, InlineValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { png } from '../../support/reports/png.ts'

const WEB = '/api/web/reports'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const must = async (response: Promise<{ status: number; text: string; body: { data: never } }>) => {
  const { status, text, body } = await response
  expect(status, text).toBeLessThan(300)
  return body.data as Record<string, never> & { id: string }
}

const make = async ({ language = 'en', name = 'Shop' }: { language?: string; name?: string } = {}) => {
  const client = await must(owner.post('/api/web/clients', { name: `Contoso ${name}`, shortName: 'Contoso' }))
  const details = { clientId: client.id, startsOn: '2026-11-02', endsOn: '2026-11-13' }
  const engagementId = (await must(owner.post('/api/web/engagements', { name, details }))).id
  const report = await must(owner.post(WEB, { engagementId, title: 'Test of the shop', language }))
  return { engagementId, path: `${WEB}/${report.id}` }
}

const addFinding = (engagementId: string, fields: object = {}) =>
  must(owner.post('/api/web/findings', { engagementId, title: 'SQL injection', severity: 'high', ...fields }))

const dataOf = async (path: string): Promise<ReportDataValue> => (await must(owner.get(`${path}/data`))) as never

/** The blocks of a new section with this text. */
const blocksOf = async (path: string, body: string): Promise<BlockValue[]> => {
  const { id } = await must(owner.post(`${path}/sections`, { title: 'Planted', body }))
  return (await dataOf(path)).sections.find((section) => section.id === id)?.blocks ?? []
}

const wordsOf = (inlines: readonly InlineValue[] = []): string => inlines.map(({ text = '' }) => text).join('')

describe('report-data', () => {
  test('is the same for the same report, and does not depend on who reads it', async () => {
    const { engagementId, path } = await make()
    await addFinding(engagementId, { summary: 'One', description: '| a | b |\n|---|--:|\n| 1 | 2 |' })
    const first = await owner.get(`${path}/data`)
    const member = await app.signedIn('member')
    const key = await app.withKey(['reports:read'])
    expect((await member.get(`${path}/data`)).text).toBe(first.text)
    expect((await key.get(path.replace('/web/', '/v1/') + '/data')).text).toBe(first.text)
    expect(first.body.data.watermark).toBe('Draft')
  })

  test('placeholders are data: values are inserted once, and never in code', async () => {
    const { path } = await make({ name: '{{report.title}} *bold* <b>' })
    const [words, code] = await blocksOf(
      path,
      'For {{engagement.name}}, \\{{client.name}}, `{{client.name}}` and {{ no placeholder }}.\n\n```\n{{client.name}}\n```',
    )
    expect(wordsOf(words?.content)).toBe(
      'For {{report.title}} *bold* <b>, {{client.name}}, {{client.name}} and {{no placeholder}}.',
    )
    expect(code).toEqual({ type: 'code', text: '{{client.name}}' })
  })

  test('days follow the language of the report', async () => {
    const { path } = await make({ language: 'de' })
    const [words] = await blocksOf(path, '{{engagement.startsOn}}')
    expect(wordsOf(words?.content)).toBe('2. November 2026')
    const { labels, watermark, severities } = await dataOf(path)
    expect([labels['finding'], watermark, severities[0]?.name]).toEqual(['Feststellung', 'Entwurf', 'Kritisch'])
  })

  test('figures, tables and references are numbered in the order of the report', async () => {
    const { engagementId, path } = await make()
    const upload = (target: string, name: string) =>
      must(owner.request('POST', `${target}/files?fileName=${name}`, { rawBody: png(4, 3, () => [1, 2, 3]) }))
    const { id: first } = await upload(path, 'first.png')
    const { id: findingId } = await addFinding(engagementId, {})
    const { id: second } = await upload(`/api/web/findings/${findingId}`, 'second.png')
    await must(owner.patch(`/api/web/findings/${findingId}`, { description: `![Proof](${second})`, baseRevision: 1 }))
    const blocks = await blocksOf(
      path,
      `See [[${second}]], [[${first}]] and [[${findingId}]].\n\n![[${first}|Overview]]`,
    )
    const data = await dataOf(path)
    expect(wordsOf(blocks[0]?.content)).toMatch(/^See Figure 1, Figure 2 and \w+-F1 SQL injection\.$/)
    expect(blocks[1]).toMatchObject({ type: 'figure', number: 2, image: first, alt: 'Overview' })
    expect(data.findings[0]?.description).toMatchObject([{ type: 'figure', number: 1, image: second }])
    expect(data.images[first]).toMatchObject({ mediaType: 'image/png', width: 4, height: 3 })
  })

  test('files and findings of another engagement are missing, as unknown ones are', async () => {
    const { path } = await make()
    const other = await make()
    const finding = await addFinding(other.engagementId)
    const file = await must(
      owner.request('POST', `/api/web/engagements/${other.engagementId}/files?fileName=x.png`, {
        rawBody: png(2, 2, () => [0, 0, 0]),
      }),
    )
    const [embed, reference] = await blocksOf(path, `![[${file.id}]]\n\n[[${finding.id}]]`)
    expect(wordsOf(embed?.content)).toBe(`[missing: ${file.id}]`)
    expect(wordsOf(reference?.content)).toBe('[missing reference]')
    const unknown = `fil_${'0'.repeat(26)}`
    expect(wordsOf((await blocksOf(path, `![[${unknown}]]`))[0]?.content)).toBe(`[missing: ${unknown}]`)
  })

  test('characters that no font shows become marks, headings have no gaps, callouts are blocks', async () => {
    const { path } = await make()
    const blocks = await blocksOf(
      path,
      '# Top\n\n#### Deep\n\na\ue000b\n\n> [!WARNING]\n> Careful\n\n- [x] done\n- [ ] open\n\nText[^1]\n\n[^1]: Note',
    )
    expect(blocks.slice(0, 2)).toMatchObject([
      { type: 'heading', level: 2 },
      { type: 'heading', level: 3 },
    ])
    expect(blocks[2]?.content).toMatchObject([{ text: 'a' }, { type: 'mark', code: 'U+E000' }, { text: 'b' }])
    expect(blocks[3]).toMatchObject({ type: 'callout', kind: 'warning' })
    expect(blocks[4]).toMatchObject({ type: 'list', checked: [true, false] })
    expect(blocks.at(-1)).toMatchObject({ type: 'footnotes', start: 1 })
  })

  test('every live section becomes blocks, with and without content', async () => {
    const { engagementId, path } = await make()
    const types = ['findings', 'findings_table', 'severity_summary', 'scope', 'testing_window', 'coverage', 'inventory']
    const more = ['team', 'contacts', 'tools', 'operations', 'retest', 'changes', 'glossary']
    for (const type of [...types, ...more]) await must(owner.post(`${path}/sections`, { title: type, live: { type } }))
    const blocksByType = async () =>
      new Map((await dataOf(path)).sections.map(({ live, blocks }) => [live, blocks] as const))
    for (const [type, blocks] of await blocksByType()) expect(blocks.length, String(type)).toBeGreaterThan(0)
    await addFinding(engagementId)
    await must(owner.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern: '*.contoso.example' }))
    const filled = await blocksByType()
    expect(filled.get('findings')).toEqual([{ type: 'findings' }])
    expect(filled.get('findings_table')).toMatchObject([{ type: 'table', rows: [expect.anything()] }])
    expect(filled.get('severity_summary')).toMatchObject([{ type: 'severity_chart' }, { type: 'table' }])
    expect(JSON.stringify(filled.get('scope'))).toContain('*.contoso.example')
    await must(owner.patch(path, { kind: 'attestation' }))
    expect((await blocksByType()).get('scope')).toEqual([
      { type: 'paragraph', content: [{ type: 'text', text: '*.contoso.example' }] },
    ])
  })

  test('coverage names the assets once, and counts them for each item of many', async () => {
    const { engagementId, path } = await make()
    const values = ['a', 'b', 'c', 'd'].map((name) => `${name}.contoso.example`)
    for (const value of values) await must(owner.post('/api/web/targets', { engagementId, value }))
    const items = [{ key: 'T-1', title: 'Sessions end', description: '', group: 'Sessions', appliesTo: ['domain'] }]
    const { id } = await must(owner.post('/api/web/methodologies', { name: 'House rules', items }))
    await must(owner.post(`/api/web/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } }))
    const live = { type: 'coverage', options: { methodologyId: id } }
    await must(owner.post(`${path}/sections`, { title: 'Coverage', live }))
    const { sections } = await dataOf(path)
    const [counts, assets, table] = sections.find((section) => section.live === 'coverage')?.blocks ?? []
    expect(wordsOf(counts?.caption)).toBe('House rules')
    expect(wordsOf(assets?.content)).toBe(`Assets: ${values.join(', ')}`)
    expect(wordsOf(table?.caption)).toBe('Tests of House rules')
    expect(table?.rows?.map((row) => row.map(wordsOf))).toEqual([['T-1', 'Sessions end', '4 assets', 'not tested']])
    const unknown = {
      type: 'coverage',
      options: { methodologyId: id.replace(/.$/, (end) => (end === '0' ? '1' : '0')) },
    }
    expect((await owner.post(`${path}/sections`, { title: 'Other', live: unknown })).status).toBe(422)
    expect((await owner.patch(path, { options: unknown.options })).status).toBe(422)
  })

  test('custom fields have their names', async () => {
    await must(
      owner.post('/api/web/field-definitions', {
        objectType: 'finding',
        key: 'business_owner',
        label: 'Business owner',
        type: 'text',
      }),
    )
    const { engagementId, path } = await make()
    await addFinding(engagementId, { fields: { business_owner: 'Team Web' } })
    const { labels, findings } = await dataOf(path)
    expect(labels['field_business_owner']).toBe('Business owner')
    expect(findings[0]?.fields).toEqual({ business_owner: 'Team Web' })
    const { text } = await owner.get(`${path}/html`)
    expect(text).toContain('<dt>Business owner</dt><dd>Team Web</dd>')
  })

  test('filters choose the findings; withdrawn ones and the trash are left out', async () => {
    const { engagementId, path } = await make()
    const high = await addFinding(engagementId)
    const low = await addFinding(engagementId, { severity: 'low', title: 'Low' })
    await addFinding(engagementId, { status: 'withdrawn', title: 'Withdrawn' })
    const gone = await addFinding(engagementId, { title: 'Gone' })
    await owner.delete(`/api/web/findings/${gone.id}`)
    const ids = async () => (await dataOf(path)).findings.map(({ id }) => id)
    expect(await ids()).toEqual([high.id, low.id])
    await must(owner.patch(path, { findingFilter: { severity: ['low'] } }))
    expect(await ids()).toEqual([low.id])
  })
})

describe('HTML', () => {
  test('is one document without script for hostile text', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const { engagementId, path } = await make({ name: hostile.slice(0, 60) })
    await addFinding(engagementId, {
      title: hostile,
      description: `${hostile}\n\n[x](javascript:alert(1)) ![y](https://elsewhere.example/a.png)`,
      references: [`javascript:alert(1)//${hostile}`],
    })
    await must(owner.patch(path, { title: hostile }))
    await blocksOf(path, `${hostile}\n\n| ${hostile.replaceAll('|', '')} |\n|---|\n| x |`)
    const { status, text, headers } = await owner.get(`${path}/html`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|<img src=x|href="javascript|src="http/i)
    expect(text).toContain('&#60;script')
  })

  test('shows the watermark of a draft, and images as data', async () => {
    const { path } = await make({ language: 'de' })
    const { id } = await must(
      owner.request('POST', `${path}/files?fileName=a.png`, { rawBody: png(2, 2, () => [0, 0, 0]) }),
    )
    await blocksOf(path, `![[${id}|Bild]]`)
    const { text } = await owner.get(`${path}/html`)
    expect(text).toContain('>Entwurf</div>')
    expect(text).toContain('<img src="data:image/png;base64,')
    expect(text).toContain('lang="de"')
  })
})
