import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOTS = [
  'bench',
  'cli/src',
  'client/src',
  'contract/src',
  'e2e',
  'embedded-postgres',
  'scripts',
  'server/src',
  'server/test',
  'web/build',
  'web/src',
]

/** Comments that turn a rule of the linter off, without ` -- ` and a reason. */
const unexplained = (text: string) =>
  text.split('\n').filter((line) => /(?:oxlint|eslint)-disable/.test(line) && !/-disable\S* [^\s].* -- \S/.test(line))

test('each comment that turns a rule of the linter off names the rule and says why', () => {
  const files = ROOTS.flatMap((root) => globSync(`${root}/**/*.{ts,tsx,mjs}`)).filter(
    (file) => file !== 'server/test/architecture/sources/suppressions.test.ts' && !file.includes('node_modules'),
  )
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) =>
    unexplained(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
  const planted = [
    '// oxlint-disable-next-line no-new',
    '/* oxlint-disable */',
    '// oxlint-disable-next-line no-new -- the constructor checks',
  ]
  expect(unexplained(planted.join('\n'))).toEqual(planted.slice(0, 2))
})
