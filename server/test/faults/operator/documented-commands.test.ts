import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { COMMANDS } from '../../../src/operator/commands.ts'
import { createStage, SESSION_SECRET, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { databaseNamed } from '../../support/database/database-named.ts'
import { asSuperuser } from '../../support/database/test-databases.ts'
import { DECISIONS, type Decision, SCENES } from '../../support/document/documented-commands.ts'
import { type Documented, documentedIn } from '../../support/document/documented.ts'
import { parseMarkdown } from '../../support/inputs/markdown.ts'

type Run = Extract<Decision, { run: unknown }>

const stage = createStage()
afterAll(() => stage.close())

const documents = Object.keys(DECISIONS)
const documented = documents.flatMap((document) => documentedIn(document, readFileSync(document, 'utf8')))
const decided = documented.map((each) => [each, DECISIONS[each.document]?.[each.key]] as const)
const runs = (scene: Run['run']) =>
  decided.flatMap(([each, decision]) =>
    decision && 'run' in decision && decision.run === scene
      ? [[`${each.document}: ${each.key}`, each, decision] as const]
      : [],
  )

let server: ServerProcess
let scratch: string
/** Values that replacements may use. */
let values: Record<string, string>

beforeAll(async () => {
  scratch = stage.directory()
  server = await stage.server()
  await server.ready()
  const { data } = (await (await signInAsOwner(server.origin)).get('/api/web/organizations')).body
  values = { SCRATCH: scratch, ORIGIN: server.origin, SLUG: data[0].slug, EMAIL: 'documented@example.com' }
})

const filledIn = (text: string): string =>
  text.replace(/\$(SCRATCH|ORIGIN|SLUG|EMAIL)\b/g, (_, name: string) => values[name] as string)

/** The script for a documented command. @throws if a replacement is not in it */
const scriptOf = ({ text, key, isRow }: Documented, { replace = [] }: Run): string => {
  const replaced = replace.reduce((rest, [from, to]) => {
    if (!rest.includes(from)) throw new Error(`${key} does not show ${from}`)
    return rest.replaceAll(from, filledIn(to))
  }, text)
  // A row of the operator's commands omits the prefix that runs them.
  return isRow && Object.hasOwn(COMMANDS, replaced.split(' ')[0] as string)
    ? `npm run operator -- ${replaced}`
    : replaced
}

/** Runs a text as an operator who has the settings of the instance, in the checkout. */
const bash = (
  script: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
      env: {
        PATH: process.env.PATH,
        HOME: scratch,
        ENV_FILE: '',
        SESSION_SECRET,
        DATA_DIR: server.dataDir,
        STORAGE_PATH: path.join(server.dataDir, 'uploads'),
        npm_config_loglevel: 'silent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
  })

const runDocumented = async (each: Documented, decision: Run, env: Record<string, string> = {}): Promise<void> => {
  const { code, out, err } = await bash(scriptOf(each, decision), { ...decision.env, ...env })
  expect({ code, err }).toEqual({ code: decision.status ?? 0, err: expect.not.stringContaining('sortie:') })
  if (decision.output)
    expect(out).toMatch(
      new RegExp(decision.output.source.replaceAll('\\$SLUG', values.SLUG as string), decision.output.flags),
    )
}

const withoutCurl = spawnSync('curl', ['--version']).status !== 0

describe('commands of the operator documents work next to a running server', () => {
  for (const [name, each, decision] of runs('server')) {
    test.skipIf(withoutCurl && each.text.includes('curl '))(name, () => runDocumented(each, decision))
  }
})

describe('with the server stopped', () => {
  beforeAll(async () => {
    expect((await server.stop()).code).toBe(0)
  })
  for (const [name, each, decision] of runs('stopped')) test(name, () => runDocumented(each, decision))
})

describe('on empty directories', () => {
  for (const [name, each, decision] of runs('restored')) {
    test(name, async () => {
      const dataDir = path.join(stage.directory(), 'data')
      await runDocumented(each, decision, { DATA_DIR: dataDir, STORAGE_PATH: path.join(dataDir, 'uploads') })
    })
  }
})

test('every scene has commands', () => {
  for (const scene of SCENES) expect(runs(scene).length).toBeGreaterThan(0)
})

test('the role and the database that docs/operating/database/postgres.md creates are sufficient for a server', async () => {
  const [statements] = parseMarkdown(readFileSync('docs/operating/database/postgres.md', 'utf8')).blocks.filter(
    ({ lang, text }) => lang === 'sql' && text.includes('create role'),
  )
  expect(statements).toBeDefined()
  const name = `sortie_documented_${process.pid}`
  const postgres = inject('postgres')
  const filled = (statements?.text ?? '').replaceAll(/\bsortie\b/g, name).replace("'...'", "'a password'")
  for (const statement of filled.split(';').filter((each) => each.trim() !== '')) await asSuperuser(postgres, statement)
  try {
    const url = new URL(
      databaseUrl(databaseNamed(postgres, name)).replace(/user=[^&]*/, `user=${name}`),
      'postgres://localhost',
    )
    if (url.username) url.username = name
    const owned = await stage.server({ env: { DATABASE_URL: url.toString() } })
    await owned.ready()
    await signInAsOwner(owned.origin)
    expect(owned.log.filter(({ msg }) => msg.includes('row-level security'))).toEqual([])
    expect((await owned.stop()).code).toBe(0)
  } finally {
    await asSuperuser(postgres, `drop database ${name} with (force)`)
    await asSuperuser(postgres, `drop role ${name}`)
  }
})
