import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allTests, chooseTests, TESTS_OF } from '../../../scripts/testing/changed.mjs'

const tests = allTests()
const foldersIn = (directory: string) =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
const chosenFor = (...changed: string[]) => {
  const { everything, run } = chooseTests(changed, tests)
  if (everything) throw new Error(everything)
  return run as string[]
}

test('npm test -- --changed: knows every feature folder of the server and the web interface, and no other', () => {
  const folders = new Set(['server/src/features', 'web/src/features'].flatMap(foldersIn))
  expect(Object.keys(TESTS_OF).toSorted()).toEqual([...folders].toSorted())
})

test.each(Object.keys(TESTS_OF))('npm test -- --changed: each beginning of the tests of %s finds a test', (feature) => {
  const names = tests.map((file) => (file.split('/').at(-1) as string).replace(/\.(?:test|spec)\.ts$/, ''))
  for (const beginning of TESTS_OF[feature as keyof typeof TESTS_OF]) {
    expect([
      beginning,
      names.some((name) => name === beginning || name.startsWith(`${beginning}-`) || name.startsWith(`${beginning}.`)),
    ]).toEqual([beginning, true])
  }
})

test('npm test -- --changed: a change of a feature runs its tests and those of the sources, and leaves others out', () => {
  for (const file of [
    'server/src/features/wiki/wiki.service.ts',
    'web/src/features/wiki/pages/WikiPage.tsx',
    'contract/src/wiki/wiki-history.ts',
  ]) {
    const run = chosenFor(file)
    for (const wanted of [
      'server/test/api/wiki/wiki.test.ts',
      'server/test/api/wiki/wiki-merge.test.ts',
      'e2e/wiki/wiki-files.spec.ts',
    ])
      expect(run).toContain(wanted)
    expect(run).toContain('server/test/architecture/sources/boundaries.test.ts')
    expect(run).not.toContain('server/test/api/tasks/tasks.test.ts')
  }
  const { leftOut = [], run = [] } = chooseTests(['server/src/features/wiki/wiki.service.ts'], tests)
  expect([...run, ...leftOut].toSorted()).toEqual(tests.toSorted())
  expect(chosenFor('server/src/features/scans/scans.service.ts')).toContain('server/test/scans/dns.test.ts')
})

test('npm test -- --changed: a changed test runs by itself, and a changed document runs the tests of the sources', () => {
  const ofSources = tests.filter((file) => file.startsWith('server/test/architecture/'))
  expect(chosenFor('docs/features/wiki.md', 'README.md')).toEqual(ofSources.toSorted())
  expect(chosenFor('server/test/api/organizations/races.test.ts')).toEqual(
    [...ofSources, 'server/test/api/organizations/races.test.ts'].toSorted(),
  )
  expect(chosenFor('server/test/api/no-longer-there.test.ts')).toEqual(ofSources.toSorted())
})

test.each([
  'server/src/platform/ids.ts',
  'server/migrations/0001_start.sql',
  'server/src/app/app.ts',
  'server/src/features/of-tomorrow/of-tomorrow.routes.ts',
  'server/test/support/test-app.ts',
  'contract/src/endpoint.ts',
  'web/src/ui/page/Page.tsx',
  'scripts/test.mjs',
  'e2e/support/server/sortie.ts',
  'package-lock.json',
  'deploy/nginx/sortie.conf',
])('npm test -- --changed: everything runs when %s changed', (file) => {
  expect(chooseTests(['docs/features/wiki.md', file], tests)).toEqual({
    everything: `${file} changed, on which every test may rest`,
  })
})
