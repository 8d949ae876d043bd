import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { PUBLISHED_PASSWORDS } from '../../../src/features/auth/passwords/published-passwords.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import {
  createStage,
  eventually,
  isAlive,
  postgresPid,
  type ServerOptions,
  type ServerProcess,
} from '../../support/app/server-process.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyCheckout } from '../../support/database/checkout.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { plainProxy } from '../../support/network/plain-proxy.ts'

const NOBODY = 65_534
/** Five groups of five characters out of 31: more than 120 bits. */
const GENERATED = /^[a-hj-km-np-z2-9]{5}(-[a-hj-km-np-z2-9]{5}){4}$/

const stage = createStage()
afterEach(() => stage.close())
const checkouts = createStage()
afterAll(() => checkouts.close())

let copied: string | undefined

/** A checkout as after cloning, shared by all tests, without leftovers of earlier ones. */
const checkout = (): string => {
  copied ??= path.join(checkouts.directory(), 'sortie')
  // At night a test makes it inaccessible to other users.
  if (!existsSync(copied)) copyCheckout(copied, isNightly ? 'copied' : 'linked')
  for (const name of ['.env', 'data']) rmSync(path.join(copied, name), { recursive: true, force: true })
  return copied
}

/** Runs the command of `npm start`, or another script. */
const launch = async (root: string, options: ServerOptions = {}): Promise<ServerProcess> =>
  stage.server({
    script: 'scripts/start.mjs',
    ...options,
    root,
    dataDir: path.join(root, 'data'),
    env: {
      ENV_FILE: undefined,
      SESSION_SECRET: undefined,
      ADMIN_PASSWORD: undefined,
      STORAGE_PATH: undefined,
      DATA_DIR: undefined,
      ...options.env,
    },
  })

const passwordIn = (root: string): string =>
  parseEnv(readFileSync(path.join(root, '.env'), 'utf8')).ADMIN_PASSWORD as string

/** Through a proxy that makes every client look local. */
const expectClosedToKnownPasswords = async (origin: string, email = 'admin@example.com'): Promise<void> => {
  const proxy = await plainProxy(origin)
  try {
    for (const password of PUBLISHED_PASSWORDS) {
      const answer = await new TestBrowser(proxy.origin).post('/api/auth/sign-in/email', { email, password })
      expect(answer.status).toBe(401)
    }
  } finally {
    await proxy.close()
  }
}

describe('npm start', () => {
  test('S28: writes the first settings to ENV_FILE, and shows the generated password once', async () => {
    const root = checkout()
    const file = path.join(stage.directory(), 'settings')
    const env = { ENV_FILE: file, DATABASE_URL: databaseUrl(await copyTemplate()) }
    const first = await launch(root, { env })
    await first.ready()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { SESSION_SECRET: secret, ADMIN_PASSWORD: password = '' } = parseEnv(readFileSync(file, 'utf8'))
    expect(secret?.length).toBeGreaterThanOrEqual(32)
    expect(existsSync(path.join(root, '.env'))).toBe(false)
    expect(password).toMatch(GENERATED)
    await eventually(() => expect(first.stderr).toContain('API reference'))
    expect(first.stderr.split(password)).toHaveLength(2)
    expect(first.stderr).toContain(
      `Sign in as admin@example.com, password: ${password}\n  The password is not shown again; it is in ${file} (ADMIN_PASSWORD)`,
    )
    expect(first.stdout).not.toContain(password)
    await signInAsOwner(first.origin, undefined, password)
    expect((await first.stop()).code).toBe(0)

    const later = await launch(root, { env })
    await eventually(() => expect(later.stderr).toContain('API reference'))
    expect(later.stderr).toContain(
      `Sign in as admin@example.com (or any account) with its password; its first password is in ${file} (ADMIN_PASSWORD)`,
    )
    expect(later.stderr + later.stdout).not.toContain(password)
    expect((await later.stop()).code).toBe(0)

    const text = readFileSync(file, 'utf8').replace(/^ADMIN_PASSWORD=.*\n/m, '')
    writeFileSync(file, text)
    const without = await launch(root, { env })
    await eventually(() => expect(without.stderr).toContain('API reference'))
    expect(without.stderr).toContain('with its password\n')
    expect(readFileSync(file, 'utf8')).toBe(text)
    await signInAsOwner(without.origin, undefined, password)
  })

  test('S28: generates no password if the environment has one, and does not show that; new settings of an old database show none', async () => {
    const root = checkout()
    const directory = stage.directory()
    const DATABASE_URL = databaseUrl(await copyTemplate())
    const given = path.join(directory, 'given')
    const first = await launch(root, {
      env: { DATABASE_URL, ENV_FILE: given, ADMIN_PASSWORD: 'a password of the operator' },
    })
    await eventually(() => expect(first.stderr).toContain('API reference'))
    expect(readFileSync(given, 'utf8')).not.toContain('ADMIN_PASSWORD=')
    expect(first.stderr).toContain('the password is in the environment variable ADMIN_PASSWORD')
    expect(first.stderr + first.stdout).not.toContain('a password of the operator')
    expect((await first.stop()).code).toBe(0)

    const made = path.join(directory, 'made')
    const later = await launch(root, { env: { DATABASE_URL, ENV_FILE: made } })
    await eventually(() => expect(later.stderr).toContain('API reference'))
    const { ADMIN_PASSWORD: unused = '' } = parseEnv(readFileSync(made, 'utf8'))
    expect(unused).toMatch(GENERATED)
    expect(later.stderr + later.stdout).not.toContain(unused)
    await signInAsOwner(later.origin, undefined, 'a password of the operator')
  })

  test('writes a first .env that only its owner can read, with a working password, and ends with SIGTERM', async () => {
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
    await signInAsOwner(server.origin, undefined, values.ADMIN_PASSWORD)
    await expectClosedToKnownPasswords(server.origin)
    const exit = await server.stop()
    expect(exit).toEqual({ code: 0, signal: null })
    expect(postgresPid(path.join(root, 'data'))).toBeUndefined()
  })

  nightly('keeps an existing .env, gives the environment precedence, and ends with SIGHUP', async () => {
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
    expect(wrong.errorLines.filter((line) => line.startsWith('sortie:'))).toEqual([
      expect.stringMatching(/^sortie: LOG_LEVEL: /),
    ])
  })

  nightly('killed with -9 ends the server and its Postgres too', async () => {
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
      await signInAsOwner(server.origin, undefined, passwordIn(root))
      expect((await server.stop()).code).toBe(0)
    },
  )

  test.runIf(isNightly && process.getuid?.() === 0)(
    'S28: works as an ordinary user, who then owns the .env',
    async () => {
      const root = checkout()
      chmodSync(path.dirname(root), 0o755)
      // Files below may be hard links to this tree, and must not change.
      for (const directory of [root, path.join(root, 'node_modules')]) chownSync(directory, NOBODY, NOBODY)
      const server = await launch(root, { uid: NOBODY })
      await server.ready()
      const { mode, uid } = statSync(path.join(root, '.env'))
      expect([mode & 0o777, uid]).toEqual([0o600, NOBODY])
      await eventually(() => expect(server.stderr).toContain(`password: ${passwordIn(root)}`))
      await signInAsOwner(server.origin, undefined, passwordIn(root))
      expect((await server.stop()).code).toBe(0)
    },
  )
})

describe('S28: npm run demo', () => {
  const demo = (root: string) =>
    launch(root, { script: 'scripts/demo.mjs', env: { ADMIN_PASSWORD: 'a password of the real instance' } })

  test('refuses a demonstration of an earlier version, whose passwords are public, and names what to delete', async () => {
    const root = checkout()
    const file = path.join(root, 'data/demo/env')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'SESSION_SECRET=a secret that an earlier version made\n')
    const server = await demo(root)
    expect((await server.exited).code).toBe(78)
    expect(server.stderr).toContain(
      'data/demo was made by an earlier version, whose passwords are public: delete that directory and start again',
    )
    expect(readFileSync(file, 'utf8')).not.toContain('ADMIN_PASSWORD')
  })

  nightly('generates one password for all its accounts, and shows it at each start', async () => {
    const root = checkout()
    for (let start = 0; start < 2; start++) {
      const server = await demo(root)
      await eventually(() => expect(server.stderr).toContain('API reference'), 90_000)
      const file = path.join(root, 'data/demo/env')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const { ADMIN_PASSWORD: password = '' } = parseEnv(readFileSync(file, 'utf8'))
      expect(password).toMatch(GENERATED)
      expect(server.stderr).toContain(`sign in as ada@northwind.example, password: ${password}`)
      for (const email of ['ada@northwind.example', 'edsger@northwind.example', 'admin@example.com'])
        await signInAsOwner(server.origin, email, password)
      await expectClosedToKnownPasswords(server.origin, 'ada@northwind.example')
      expect((await server.stop()).code).toBe(0)
    }
  })
})
