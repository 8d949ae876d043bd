import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/operator/commands.ts'
import { parseConfig } from '../../../src/platform/config.ts'
import { DECISIONS } from '../../support/document/documented-commands.ts'
import { documentedIn, isShell, undecided } from '../../support/document/documented.ts'
import { parseMarkdown } from '../../support/inputs/markdown.ts'

const OPERATORS_DOCUMENTS = [
  'README.md',
  'docs/operating.md',
  'docs/operating/accounts.md',
  'docs/operating/access/integrations.md',
  'docs/operating/access/proxy.md',
  'docs/operating/access/sign-in.md',
  'docs/operating/database/backup.md',
  'docs/operating/database/postgres.md',
  'docs/operating/database/safe-mode.md',
  'docs/operating/scale/processes.md',
  'docs/operating/audit.md',
  'docs/operating/containers.md',
  'docs/operating/doctor.md',
  'docs/operating/systemd.md',
  'docs/platform/egress.md',
]
const INTEGRATORS_DOCUMENTS = ['docs/mcp.md', 'docs/webhooks.md']
const TESTERS_DOCUMENTS = ['docs/cli.md']
const CONTRIBUTORS_DOCUMENTS = ['CONTRIBUTING.md', 'docs/development.md']
/** Each command of theirs has a decision. */
const DECIDED_DOCUMENTS = [
  ...OPERATORS_DOCUMENTS,
  ...INTEGRATORS_DOCUMENTS,
  ...TESTERS_DOCUMENTS,
  ...CONTRIBUTORS_DOCUMENTS,
]
const DEVELOPERS_DOCUMENTS = ['docs/adding-an-endpoint.md']
const allDocuments = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => path.join('docs', file)),
].filter((file) => file.endsWith('.md'))
const read = (file: string) => readFileSync(file, 'utf8')
const shown = DECIDED_DOCUMENTS.flatMap((document) => documentedIn(document, read(document)))
const decisionOf = ({ document, key }: (typeof shown)[number]) => DECISIONS[document]?.[key]
const named = (each: (typeof shown)[number]) => [`${each.document}: ${each.key}`, each] as const

describe('commands of the documents for operators and contributors', () => {
  test('are of the documents that are checked: no other shows commands but those for developers', () => {
    const showing = allDocuments.filter((document) =>
      parseMarkdown(read(document)).blocks.some(({ lang }) => isShell(lang)),
    )
    expect(showing.toSorted()).toEqual([...DECIDED_DOCUMENTS, ...DEVELOPERS_DOCUMENTS].toSorted())
    expect(Object.keys(DECISIONS).toSorted()).toEqual(DECIDED_DOCUMENTS.toSorted())
    expect(shown.length).toBeGreaterThan(50)
  })

  test.each(DECIDED_DOCUMENTS)('%s: each is run, or listed with a reason, and nothing else is', (document) => {
    expect(undecided(document, read(document), DECISIONS[document] ?? {})).toEqual([])
  })

  test('an undecided one is found, and so is an unused decision', () => {
    const planted = [
      '```sh\nrm -rf /srv/planted\n```',
      '| Command | Effect |\n|---|---|\n| `known`, `unknown <name>` | `ignored` |',
      '```sh\nknown\nand more\n```',
    ].join('\n\n')
    expect(undecided('planted.md', planted, { known: {}, 'left over': {} })).toEqual([
      'planted.md:1: no decision about: rm -rf /srv/planted',
      'planted.md:7: no decision about: unknown <name>',
      'planted.md:9: begins like another block: known',
      'planted.md: does not show: left over',
    ])
  })

  const blocks = shown.filter(({ isRow }) => !isRow)
  test.each(blocks.map(named))('are syntactically correct: %s', (_name, { text }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  test('with wrong syntax are found', () => {
    expect(spawnSync('bash', ['-n'], { input: 'for port in 3001; do\n  echo $port\n' }).status).not.toBe(0)
  })

  const elsewhere = shown.flatMap((each) => {
    const decision = decisionOf(each)
    return decision && 'testedBy' in decision ? [[`${each.document}: ${each.key}`, decision] as const] : []
  })
  test.each(elsewhere)('that another test runs are run there: %s', (_name, { testedBy, proof }) => {
    expect(existsSync(testedBy)).toBe(true)
    expect(read(testedBy)).toContain(proof)
  })

  const settings = shown.flatMap((each) => {
    const decision = decisionOf(each)
    return decision && 'settings' in decision ? [[`${each.document}: ${each.key}`, each.text, decision] as const] : []
  })
  test.each(settings)(
    'that are settings are accepted by the server: %s',
    (_name, text, { settings: values, also = {} }) => {
      const lines = text.split('\n')
      // If one is shown twice, either is right.
      for (const variant of [lines, lines.toReversed()]) {
        const parsed = parseEnv(variant.join('\n'))
        const placeholders = Object.entries(parsed).flatMap(([name, value]) => (value?.includes('...') ? [name] : []))
        expect(Object.keys(values).toSorted()).toEqual(placeholders.toSorted())
        const config = parseConfig({
          SESSION_SECRET: 'a-secret-of-this-test-that-is-long-enough',
          ...also,
          ...parsed,
          ...values,
        })
        for (const name of Object.keys(parsed)) expect([name, config.given.has(name as never)]).toEqual([name, true])
      }
    },
  )

  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  test.each(allDocuments)('that %s mentions in a sentence exist', (file) => {
    const text = read(file)
    if (/^Replaced by /m.test(text)) return
    const { inlineCode, blocks: code } = parseMarkdown(text)
    const mentioned = [...inlineCode, ...code].flatMap((each) => [
      ...each.text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][a-z:-]*)(?: -- ([a-z][a-z-]*))?/g),
    ])
    for (const [whole, script = '', command] of mentioned) {
      expect(Object.keys(scripts), whole).toContain(script)
      if (script === 'operator' && command !== undefined) expect(Object.keys(COMMANDS), whole).toContain(command)
    }
  })
})

describe('units of systemd in the documents', () => {
  const units = OPERATORS_DOCUMENTS.flatMap((document) =>
    parseMarkdown(read(document)).blocks.filter(({ lang }) => lang === 'ini'),
  )

  test('consist of sections and settings, and the programs that they start are in the checkout', () => {
    expect(units.length).toBeGreaterThan(1)
    for (const { text } of units) {
      for (const line of text.split('\n')) expect(line).toMatch(/^(?:\[[A-Z][a-z]+\]|[A-Z][A-Za-z]+=.*|#.*|)$/)
      for (const [, program = '', argument = ''] of text.matchAll(/^ExecStart=\/opt\/sortie\/(\S+) (\S+)/gm)) {
        expect([program, existsSync(program)]).toEqual([program, true])
        expect(argument).toMatch(/^server\/dist\/\w+\.js$/)
      }
    }
  })
})
