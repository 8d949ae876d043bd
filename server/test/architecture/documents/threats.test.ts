import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** A case of docs/threats.md in a title: a letter, and a number without a zero before it. */
const CODE = /\b[A-Z]\d{1,2}\b/g

/** Functions that declare tests and groups of them, and those that make such a function. */
const DECLARING = /^(?:test|it|describe|nightly|nightlyOf)\b/

const documented = [...readFileSync('docs/threats.md', 'utf8').matchAll(/^\| ([A-Z]\d{1,2}) \| \S.*\. \|$/gm)].map(
  ([, code]) => code as string,
)

/** Titles of tests in a source, with what templates fill in left out. */
const titlesIn = (file: string, text: string): string[] => {
  const titles: string[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!DECLARING.test(text.slice(callee.start, callee.end))) return
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title.value)
      if (title?.type === 'TemplateLiteral') titles.push(title.quasis.map(({ value }) => value.raw).join(' '))
    },
  })
  visitor.visit(parseSync(file, text).program)
  return titles
}

const codesIn = (titles: string[]) => titles.flatMap((title) => title.match(CODE) ?? [])
const unknown = (titles: string[]) => codesIn(titles).filter((code) => !documented.includes(code))

const titles = ['server/test', 'e2e', 'contract/src', 'client/src', 'cli/src', 'embedded-postgres/test']
  .flatMap((directory) => globSync(`${directory}/**/*.{test,spec}.ts`))
  .flatMap((file) => titlesIn(file, readFileSync(file, 'utf8')))

test('each code in a test title is a case of docs/threats.md', () => {
  expect(titles.length).toBeGreaterThan(1_000)
  expect(codesIn(titles).length).toBeGreaterThan(500)
  expect(unknown(titles)).toEqual([])
})

/** Rows that describe two cases under one code, separated by a semicolon. */
const ambiguous = (rows: readonly string[]) => rows.filter((row) => /; /.test(row.replace(/`[^`]*`/g, '')))

test('each code has one meaning: no row of docs/threats.md describes two cases', () => {
  const rows = readFileSync('docs/threats.md', 'utf8').match(/^\| [A-Z]\d{1,2} \| .*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(200)
  expect(ambiguous(rows)).toEqual([])
  const planted = '| Z1 | A session survives a sign-out; a mask for secrets takes minutes. |'
  expect(ambiguous([...rows, planted])).toEqual([planted])
})

test('docs/threats.md describes each case once, and no case without a test', () => {
  expect(documented.filter((code, index) => documented.indexOf(code) !== index)).toEqual([])
  const used = new Set(codesIn(titles))
  expect(documented.filter((code) => !used.has(code))).toEqual([])
})

test('a code that no one described is found in every kind of title', () => {
  const planted = titlesIn(
    'planted.test.ts',
    "describe('Z1: a group', () => {\n test.each([1])(`Z2: ${name} and A1`, () => 0)\n nightly('Z3, S28: a test', () => 0)\n test.runIf(true)('Z4', () => 0)\n})\nlog('Z5')",
  )
  expect(unknown(planted).toSorted()).toEqual(['Z1', 'Z2', 'Z3', 'Z4'])
})
