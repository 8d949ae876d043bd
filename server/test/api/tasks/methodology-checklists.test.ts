import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['tasks:read', 'tasks:write'])
})
afterAll(() => app.close())

const load = (file: string | Buffer, query: Record<string, string> = {}) =>
  key.request(
    'POST',
    `/api/v1/methodologies/import?${new URLSearchParams({ name: 'Checklist', ...query }).toString()}`,
    { rawBody: file },
  )
const items = async (file: string | Buffer, query: Record<string, string> = {}) => {
  const { status, body, text } = await load(file, query)
  expect(status, text).toBe(201)
  return body.data.items.map(({ key: id, title, description, group }: Record<string, string>) => [
    id,
    title,
    description,
    group,
  ])
}

describe('checklists as they are published', () => {
  test('the ASVS as CSV, flat and nested JSON', async () => {
    const expected = [['V1.1.1', 'Check one', expect.any(String), 'Architecture']]
    expect(
      await items(
        'chapter_id,chapter_name,section_id,section_name,req_id,req_description,L\nV1,Encoding,V1.1,Architecture,V1.1.1,"Check one",2\n',
      ),
    ).toEqual(expected)
    expect(
      await items(
        JSON.stringify({
          requirements: [
            {
              chapter_name: 'Encoding',
              section_name: 'Architecture',
              req_id: 'V1.1.1',
              req_description: 'Check one',
              L: '2',
            },
          ],
        }),
      ),
    ).toEqual(expected)
    const nested = {
      Name: 'ASVS',
      Requirements: [
        {
          Shortcode: 'V1',
          Name: 'Encoding',
          Items: [
            {
              Shortcode: 'V1.1',
              Name: 'Architecture',
              Items: [{ Shortcode: 'V1.1.1', Description: 'Check one', L1: { Required: true } }],
            },
          ],
        },
      ],
    }
    expect(await items(JSON.stringify(nested))).toEqual([['V1.1.1', 'Check one', 'Level: L1', 'Architecture']])
  })

  test('the WSTG as JSON', async () => {
    const file = {
      categories: {
        'Information Gathering': {
          id: 'X',
          tests: [{ name: 'Look for leaks', id: 'X-01', reference: 'https://a.example', objectives: ['Find them.'] }],
        },
      },
    }
    expect(await items(JSON.stringify(file))).toEqual([
      ['X-01', 'Look for leaks', '- Find them.\n\nhttps://a.example', 'Information Gathering'],
    ])
  })
})

describe('tables as people have them', () => {
  test.each<[string, string | Buffer]>([
    ['capitals', 'Key,Title,Description,Group\nA-1,First,x,G\n'],
    ['semicolons', 'key;title;description;group\nA-1;First;x;G\n'],
    ['tabs', 'key\ttitle\tdescription\tgroup\nA-1\tFirst\tx\tG\n'],
    ['a title above', 'Our checklist;;;\n\nkey;title;description;group\nA-1;First;x;G\n'],
    ['German words', 'Nr.;Prüfung;Beschreibung;Kategorie\nA-1;First;x;G\n'],
    ['Windows-1252', Buffer.from('Nr.;Pr\u00fcfung;Beschreibung;Kategorie\nA-1;First;x;G\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffkey,title,description,group\nA-1,First,x,G\n', 'utf16le')],
  ])('%s', async (_what, file) => {
    expect(await items(file)).toEqual([['A-1', 'First', 'x', 'G']])
  })

  test('columns of any name by a mapping; keys that are missing or repeated get numbers; long titles are kept whole', async () => {
    const long = 'a'.repeat(300)
    const file = `Code,Question,Area\nA,One,G\nA,Two,G\n,${long},G\n`
    expect((await load(file)).body.error.message).toContain('its columns are code, question, area')
    expect(await items(file, { mapping: 'Code:key,Question:title,Area:group' })).toEqual([
      ['A', 'One', '', 'G'],
      ['A-2', 'Two', '', 'G'],
      ['3', `${'a'.repeat(199)}…`, long, 'G'],
    ])
    expect((await load(file, { mapping: 'Nope:title' })).status).toBe(400)
    expect((await load(file, { mapping: 'Code:nothing' })).status).toBe(400)
  })
})

test('Markdown: entries of lists are items, headings their groups, what is indented their description', async () => {
  expect(
    await items(
      '# Web\n\n## Auth\n\n- [ ] A-1: Check the login\n  - with a wrong password\n- [x] Check the logout\n\n## Input\n\n1. Check the search\n',
    ),
  ).toEqual([
    ['A-1', 'Check the login', '- with a wrong password', 'Auth'],
    ['2', 'Check the logout', '', 'Auth'],
    ['3', 'Check the search', '', 'Input'],
  ])
})

test('Markdown: rows of a table are items, and a row with the id of a chapter heads those below it', async () => {
  const wstg = `# Testing Checklist

| Test ID | Test Name | Status | Notes |
| ---- | :---: | ---- | ---- |
| **X-INFO** | **Information Gathering** | | |
| X-INFO-01 | Look for \\| leaks | Not Started | Find them. |
| **X-CONF** | **Configuration** | | |
| X-CONF-01 | Check the network | Not Started | |
`
  expect(await items(wstg)).toEqual([
    ['X-INFO-01', 'Look for | leaks', 'Find them.', 'Information Gathering'],
    ['X-CONF-01', 'Check the network', '', 'Configuration'],
  ])
  const asvs =
    '## V1 Encoding\n\n### V1.1 Architecture\n\n| # | Description | Level |\n|:-:|---|:-:|\n| **1.1.1** | Check one | 2 |\n'
  expect(await items(asvs)).toEqual([['1.1.1', 'Check one', 'level: 2', 'V1.1 Architecture']])
  expect(await items('| Frage | Code |\n|---|---|\n| Eins | A |\n', { mapping: 'Frage:title,Code:key' })).toEqual([
    ['A', 'Eins', '', ''],
  ])
})

test.each<[string, string | Buffer, RegExp]>([
  ['a ZIP', Buffer.from('504b0304', 'hex'), /save the table as CSV/],
  ['Markdown without a list', '# Web\n\nOnly words.\n', /no list/],
  ['JSON of another kind', '{"a":1}', /published checklist/],
  ['prototype keys', '{"items":[{"__proto__":{"title":"x"}}]}', /__proto__/],
])('%s is refused with what is expected', async (_what, file, reason) => {
  const { status, body } = await load(file)
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(reason)])
})
