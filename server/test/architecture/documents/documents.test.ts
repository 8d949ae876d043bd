import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig, VARIABLES, type VariableName } from '../../../src/platform/config.ts'
import { GENERATED_FILES } from '../../../src/published/documents.ts'
import { brokenLinks, hasSection, namedSections } from '../../support/document/document-links.ts'

test.each(Object.entries(GENERATED_FILES))(
  '%s matches the sources (npm run openapi rewrites it)',
  async (file, make) => {
    const committed = readFileSync(file, 'utf8')
    expect(committed).toBe(await make(committed))
  },
)

test('docs/operating.md lists every variable, with the default that the server uses', () => {
  const table = [
    ...readFileSync('docs/operating.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]*) \| ([^|]+) \|$/gm),
  ]
  expect(table.map(([, name]) => name)).toEqual(Object.keys(VARIABLES))
  const secret = 'x'.repeat(32)
  const defaults = parseConfig({ SESSION_SECRET: secret })
  for (const [, name, shown] of table as unknown as [string, VariableName, string][]) {
    const text = /^`(.*)`$/.exec(shown)?.[1]
    if (text === undefined) expect(defaults[name], name).toBe(name === 'SESSION_SECRET' ? secret : undefined)
    else expect(parseConfig({ SESSION_SECRET: secret, [name]: text })[name], name).toEqual(defaults[name])
  }
})

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.join('docs', file)),
].filter((file) => file.endsWith('.md'))

test.each(documents)('O15: every link of %s leads to a file, and to a heading of it', (file) => {
  expect(brokenLinks(file)).toEqual([])
})

test('a link to a missing file or heading is found, in any of the forms of Markdown', () => {
  const planted: Record<string, string> = {
    'docs/a.md': [
      '# A `code` heading: with 2 parts',
      '## Twice',
      '## Twice',
      'Right: [one](#a-code-heading-with-2-parts), [two](#twice-1), [three](b.md#here), [four](../README.md), <https://example.com/#nowhere>.',
      'Wrong: [one](#twice-2) and [two](missing.md).',
      '![picture](missing.png)',
      '[reference]: b.md#gone',
      '```sh\n[not a link](missing.sh)\n```',
    ].join('\n\n'),
    'docs/b.md': '# Here',
    'README.md': '',
  }
  const files = { exists: (file: string) => file in planted, read: (file: string) => planted[file] ?? '' }
  expect(brokenLinks('docs/a.md', files)).toEqual([
    'docs/a.md:9: #twice-2: docs/a.md has no such heading',
    'docs/a.md:9: missing.md: there is no docs/missing.md',
    'docs/a.md:11: missing.png: there is no docs/missing.png',
    'docs/a.md:13: b.md#gone: docs/b.md has no such heading',
  ])
})

test('every section of a document that a message or a file refers to exists', () => {
  const folders = ['server/src', 'embedded-postgres/src', 'contract/src', 'scripts', 'deploy', 'web/src']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'))
  const named = texts.flatMap(namedSections)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ document, section }) => !hasSection(document, section))).toEqual([])
})

const sources = ['server/src', 'server/migrations', 'web/src', 'contract/src', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
)

test('every named decision exists', () => {
  const numbers = readdirSync('docs/decisions').map((file) => Number(file.slice(0, 4)))
  const texts = sources.filter((file) => /\.(?:tsx?|sql|md)$/.test(file)).map((file) => readFileSync(file, 'utf8'))
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\bdecisions?[ /](\d+)/gi)].map(([, number]) => Number(number)),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((number) => !numbers.includes(number))).toEqual([])
})

test.each(documents)('%s names no removed setting', (file) => {
  const text = readFileSync(file, 'utf8')
  if (/^Replaced by /m.test(text)) return
  const named = [...text.matchAll(/`((?:OVERLOAD|RATE_LIMIT|SCAN|EGRESS|REQUEST|RUN|BODY|UPLOAD)_[A-Z_]+)`/g)].map(
    ([, name]) => name as string,
  )
  expect(named.filter((name) => !(name in VARIABLES))).toEqual([])
})

test('README.md describes every npm script', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const readme = readFileSync('README.md', 'utf8')
  for (const name of Object.keys(scripts))
    expect(readme).toMatch(new RegExp(`^\\| \`npm (?:run )?${name}(?: [^\`]*)?\` \\| .+ \\|$`, 'm'))
})
