import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig, VARIABLES, type VariableName } from '../../src/platform/config.ts'
import { GENERATED_FILES } from '../../src/published/documents.ts'

test.each(Object.entries(GENERATED_FILES))('%s is what the sources make (npm run openapi rewrites it)', async (file, make) => {
  const committed = readFileSync(file, 'utf8')
  expect(committed).toBe(await make(committed))
})

test('docs/operating.md lists every variable, with the default that the server uses', () => {
  const table = [...readFileSync('docs/operating.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]*) \| ([^|]+) \|$/gm)]
  expect(table.map(([, name]) => name)).toEqual(Object.keys(VARIABLES))
  const secret = 'x'.repeat(32)
  const defaults = parseConfig({ SESSION_SECRET: secret })
  for (const [, name, shown] of table as unknown as [string, VariableName, string][]) {
    const text = /^`(.*)`$/.exec(shown)?.[1]
    if (text === undefined) expect(defaults[name], name).toBe(name === 'SESSION_SECRET' ? secret : undefined)
    else expect(parseConfig({ SESSION_SECRET: secret, [name]: text })[name], name).toEqual(defaults[name])
  }
})

const documents = ['README.md', ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.join('docs', file))].filter((file) =>
  file.endsWith('.md'),
)

test.each(documents)('%s links to files that exist', (file) => {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target as string)
  for (const link of links.filter((target) => !/^https?:/.test(target))) expect(existsSync(path.join(path.dirname(file), link)), link).toBe(true)
})

const sources = ['server/src', 'server/migrations', 'web/src', 'contract/src', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
)

test('every decision that is named is there', () => {
  const numbers = readdirSync('docs/decisions').map((file) => Number(file.slice(0, 4)))
  const texts = sources.filter((file) => /\.(?:tsx?|sql|md)$/.test(file)).map((file) => readFileSync(file, 'utf8'))
  const named = texts.flatMap((text) => [...text.matchAll(/\bdecisions?[ /](\d+)/gi)].map(([, number]) => Number(number)))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((number) => !numbers.includes(number))).toEqual([])
})

test.each(documents)('%s names no setting that is gone', (file) => {
  const text = readFileSync(file, 'utf8')
  if (/^Replaced by /m.test(text)) return
  const named = [...text.matchAll(/`((?:OVERLOAD|RATE_LIMIT|SCAN|EGRESS|REQUEST|RUN|BODY|UPLOAD)_[A-Z_]+)`/g)].map(([, name]) => name as string)
  expect(named.filter((name) => !(name in VARIABLES))).toEqual([])
})

test('README.md tells what every npm script does', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const readme = readFileSync('README.md', 'utf8')
  for (const name of Object.keys(scripts)) expect(readme).toMatch(new RegExp(`^\\| \`npm (?:run )?${name}(?: [^\`]*)?\` \\| .+ \\|$`, 'm'))
})
