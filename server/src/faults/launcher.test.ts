import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { copyCheckout } from '../testing/checkout.ts'
import { signInAsOwner } from '../testing/server-clients.ts'
import { createStage, eventually, isAlive, postgresPid, type ServerOptions, type ServerProcess } from '../testing/server-process.ts'

const stage = createStage()
afterEach(() => stage.close())

const checkout = (): string => {
  const root = path.join(stage.directory(), 'sortie')
  copyCheckout(root)
  return root
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
    for (const file of ['package.json', 'package-lock.json', ...['contract', 'client', 'server', 'web'].map((name) => name + '/package.json')]) hash.update(readFileSync(file))
    rmSync('node_modules/.sortie-installed', { force: true })
    writeFileSync('node_modules/.sortie-installed', hash.digest('hex'))`
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
}

describe('npm start', () => {
  test('writes a first .env that only its owner can read, keeps it, lets the environment win, and ends with SIGTERM', async () => {
    const root = checkout()
    const server = await launch(root, { env: { LOG_LEVEL: 'warn' } })
    await server.ready()
    const file = path.join(root, '.env')
    const text = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const values = parseEnv(text)
    expect(values.SESSION_SECRET?.length).toBeGreaterThanOrEqual(32)
    expect(path.resolve(root, values.STORAGE_PATH as string).startsWith(root)).toBe(true)
    expect(existsSync(path.resolve(root, values.STORAGE_PATH as string))).toBe(true)
    expect(existsSync(path.join(root, 'data/postgres/PG_VERSION'))).toBe(true)
    await signInAsOwner(server.origin)
    const exit = await server.stop()
    expect(exit).toEqual({ code: 0, signal: null })
    expect(postgresPid(path.join(root, 'data'))).toBeUndefined()

    writeFileSync(file, `${text}LOG_LEVEL=loud\nORGANIZATION_NAME=From the file\n`)
    const again = await launch(root, { env: { LOG_LEVEL: 'warn' } })
    await again.ready()
    expect(readFileSync(file, 'utf8')).toContain(`SESSION_SECRET=${values.SESSION_SECRET}`)
    await again.stop()
    const wrong = await launch(root)
    expect((await wrong.exited).code).toBe(78)
    expect(wrong.errorLines.filter((line) => line.startsWith('sortie:'))).toEqual([expect.stringMatching(/^sortie: LOG_LEVEL: /)])
  }, 60_000)

  test('killed with -9 takes the server and its Postgres along', async () => {
    const root = checkout()
    const launcher = await launch(root)
    await launcher.ready()
    const postgres = postgresPid(path.join(root, 'data')) as number
    expect(isAlive(postgres)).toBe(true)
    await launcher.kill()
    await eventually(async () => expect(await launcher.health()).toBe(0), 10_000)
    await eventually(() => expect(isAlive(postgres)).toBe(false), 15_000)
  }, 60_000)

  test.runIf(process.getuid?.() === 0)(
    'works as root in a checkout that only root can enter: Postgres runs from a copy of its binaries',
    async () => {
      const above = stage.directory(0o700)
      const outer = checkout()
      const root = path.join(above, 'sortie')
      execFileSync('mv', [outer, root])
      const server = await launch(root)
      await server.ready()
      const command = readFileSync(`/proc/${postgresPid(path.join(root, 'data'))}/cmdline`, 'utf8')
      expect(command).not.toContain(root)
      await signInAsOwner(server.origin)
      expect((await server.stop()).code).toBe(0)
    },
    60_000,
  )
})
