import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RETIRED_WORDS, type RetiredWord } from './retired-words.ts'

const SEARCHED = [
  '{server,contract,client,cli,web,embedded-postgres}/src/**/*.{ts,tsx,css}',
  '{server,embedded-postgres}/test/**/*.ts',
  'server/migrations/*.{sql,md}',
  '{scripts,bench,e2e}/**/*.{ts,mjs}',
  'docs/**/*.md',
  '{README,CONTRIBUTING,SECURITY,CHANGELOG}.md',
  'embedded-postgres/README.md',
]

/** The list itself, this test, generated types, and installed packages. */
const LEFT_OUT = /architecture\/(?:retired-(?:words|phrases)|words\.test)\.ts$|\.gen\.ts$|node_modules/

/** Characters around a hit in which an exception is looked for. */
const AROUND = 40

/** @returns `path:line: hit → replacement` */
const hitsIn = (path: string, text: string, words: readonly RetiredWord[] = RETIRED_WORDS): string[] =>
  words
    .filter((word) => word.in?.test(path) ?? true)
    .flatMap(({ pattern, instead, except = [] }) =>
      [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].flatMap((hit) => {
        const around = text.slice(Math.max(0, hit.index - AROUND), hit.index + hit[0].length + AROUND)
        if (except.some((allowed) => allowed.test(around))) return []
        return `${path}:${text.slice(0, hit.index).split('\n').length}: ${hit[0]} → ${instead}`
      }),
    )

const files = SEARCHED.flatMap((pattern) => globSync(pattern, { exclude: (path) => LEFT_OUT.test(path) })).filter(
  (path) => !LEFT_OUT.test(path),
)

test('source, tests, interface and docs contain no retired word', () => {
  expect(files.length).toBeGreaterThan(2_000)
  expect(files.flatMap((path) => hitsIn(path, readFileSync(path, 'utf8')))).toEqual([])
})

test.each([
  ['server/src/features/tasks/tasks.service.ts', '// Somebody else holds the lock.', 'someone'],
  ['web/src/features/scope/RuleForm.tsx', `toast('Saved. Every target was judged anew.')`, 'again'],
  ['server/src/features/scans/scan.ts', 'const leads = scanLeads(targets)', 'scan inputs'],
  ['server/src/features/api-keys/api-keys.queries.ts', 'export const shareApiKey = 1', 'lock…ForShare'],
  ['docs/scans.md', 'Only whoever started it may cancel it.', 'the user, a caller'],
  ['contract/src/imports.ts', `'Take an import back, which was taken back'`, 'undone, reverted, revoked'],
  ['web/src/features/requests/RequestForm.tsx', `<Button>Send without saving</Button>`, 'Send'],
  ['server/src/features/requests/url.ts', `'url: is no address'`, 'is not an X; must be an X'],
])('a retired word in %s is found: %s', (path, text, instead) => {
  expect(hitsIn(path, text)).toContainEqual(expect.stringContaining(`→ ${instead}`))
})

test.each([
  ['server/src/a.ts', `passwordsFor === 'nobody'`],
  ['server/src/a.ts', 'this is user nobody; run this as that user'],
  ['server/src/a.ts', 'There is no organization with this slug.'],
  ['server/src/features/engagements/details.ts', 'contacts of the client, and who leads it'],
])('a legitimate use in %s is left: %s', (path, text) => {
  expect(hitsIn(path, text)).toEqual([])
})
