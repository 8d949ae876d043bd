import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { copyCheckout } from '../support/checkout.ts'
import { isNightly, nightly } from '../support/nightly.ts'
import { databaseUrl, signInAsOwner } from '../support/server-clients.ts'
import { createStage, eventually, isAlive, postgresPid, type ServerOptions, type ServerProcess } from '../support/server-process.ts'
import { copyTemplate } from '../support/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())
const checkouts = createStage()
afterAll(() => checkouts.close())

let copied: string | undefined

/** A checkout as it is after cloning: one for all tests, without what an earlier one left in it. */
const checkout = (): string => {
  copied ??= path.join(checkouts.directory(), 'sortie')
  // At night one of the tests lets nobody else reach it.
  if (!existsSync(copied)) copyCheckout(copied, isNightly ? 'copied' : 'linked')
  for (const name of ['.env', 'data']) rmSync(path.join(copied, name), { recursive: true, force: true })
  return copied
}

/** What `npm start` runs; the packages count as installed. */
const launch = async (root: string, options: ServerOptions = {}): Promise<ServerProcess> => {
  markInstalled(root)
  return stage.server({
    ...options,
    root,
    script: 'scripts/start.mjs',
    dataDir: path.join(root, 'data'),
    env: { ENV_FILE: undefined, SESSION_SECRET: undefined, STORAGE_PATH: undefined, DATA_DIR: undefined, ...options.env },
  })
}

/** Leaves the note that an installation leaves, so that no test depends on a package registry. */
const markInstalled = (root: string): void => {
  const code = `
    import { createHash } from 'node:crypto'
    import { readFileSync, writeFileSync, rmSync } from 'node:fs'
    const hash = createHash('sha256')
    for (const file of ['package.json', 'package-lock.json', ...['contract', 'client', 'embedded-postgres', 'server', 'web'].map((name) => name + '/package.json')]) hash.update(readFileSync(file))
    rmSync('node_modules/.sortie-installed', { force: true })
    writeFileSync('node_modules/.sortie-installed', hash.digest('hex'))`
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
}

describe('npm start', () => {
  test('writes the first settings where ENV_FILE says, be it outside of the checkout', async () => {
    const root = checkout()
    const file = path.join(stage.directory(), 'settings')
    const server = await launch(root, { env: { ENV_FILE: file, DATABASE_URL: databaseUrl(await copyTemplate()) } })
    await server.ready()
    expect(parseEnv(readFileSync(file, 'utf8')).SESSION_SECRET?.length).toBeGreaterThanOrEqual(32)
    expect(existsSync(path.join(root, '.env'))).toBe(false)
  })

  test('writes a first .env that only its owner can read, and ends with SIGTERM', async () => {
    const root = checkout()
    const server = await launch(root)
    await server.ready()
    const file = path.join(root, '.env')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const values = parseEnv(readFileSync(file, 'utf8'))
    expect(values.SESSION_SECRET?.length).toBeGreaterThanOrEqual(32)
    expect(path.resolve(root, values.STORAGE_PATH as string).startsWith(root)).toBe(true)
    expect(existsSync(path.resolve(root, values.STORAGE_PATH as string))).toBe(true)
    expect(existsSync(path.join(root, 'data/postgres/PG_VERSION'))).toBe(true)
    await signInAsOwner(server.origin)
    const exit = await server.stop()
    expect(exit).toEqual({ code: 0, signal: null })
    expect(postgresPid(path.join(root, 'data'))).toBeUndefined()
  })

  nightly('keeps an .env that is there, lets the environment win, and ends with SIGHUP', async () => {
    const root = checkout()
    const first = await launch(root)
    await first.ready()
    expect((await first.stop()).code).toBe(0)
    const file = path.join(root, '.env')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}LOG_LEVEL=loud\nORGANIZATION_NAME=From the file\n`)
    const again = await launch(root, { env: { LOG_LEVEL: 'warn' } })
    await again.ready()
    expect(readFileSync(file, 'utf8')).toContain(/^SESSION_SECRET=.{32,}$/m.exec(text)?.[0])
    again.signal('SIGHUP')
    expect(await again.exited).toEqual({ code: 0, signal: null })
    expect(postgresPid(path.join(root, 'data'))).toBeUndefined()
    const wrong = await launch(root)
    expect((await wrong.exited).code).toBe(78)
    expect(wrong.errorLines.filter((line) => line.startsWith('sortie:'))).toEqual([expect.stringMatching(/^sortie: LOG_LEVEL: /)])
  })

  nightly('killed with -9 takes the server and its Postgres along', async () => {
    const root = checkout()
    const launcher = await launch(root)
    await launcher.ready()
    const postgres = postgresPid(path.join(root, 'data')) as number
    expect(isAlive(postgres)).toBe(true)
    await launcher.kill()
    await eventually(async () => expect(await launcher.health()).toBe(0), 10_000)
    await eventually(() => expect(isAlive(postgres)).toBe(false), 15_000)
  })

  test.runIf(isNightly && process.getuid?.() === 0)(
    'works as root in a checkout that only root can enter: Postgres runs from a copy of its binaries',
    async () => {
      const root = checkout()
      chmodSync(path.dirname(root), 0o700)
      const server = await launch(root)
      await server.ready()
      const command = readFileSync(`/proc/${postgresPid(path.join(root, 'data'))}/cmdline`, 'utf8')
      expect(command).not.toContain(root)
      await signInAsOwner(server.origin)
      expect((await server.stop()).code).toBe(0)
    },
  )
})
