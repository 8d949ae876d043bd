import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'

const SECRET = 'a secret of the test run that is long enough'
const COMPILE_CACHE = path.resolve('node_modules/.cache/compile')
const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-cli-'))
let app: TestApp
let env: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  env = {
    DATABASE_URL: urlOf(inject('postgres'), await databaseName()),
    SESSION_SECRET: SECRET,
    DATA_DIR: directory,
    STORAGE_PATH: path.join(directory, 'uploads'),
  }
})
afterAll(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

const databaseName = async (): Promise<string> => {
  const row = await app.db
    .selectNoFrom((select) => select.fn<string>('current_database').as('name'))
    .executeTakeFirstOrThrow()
  return row.name
}

const urlOf = (settings: ConnectionSettings, database: string): string => {
  if ('connectionString' in settings) {
    const url = new URL(settings.connectionString)
    url.pathname = `/${database}`
    return url.toString()
  }
  return `postgres://${settings.user}@localhost:${settings.port}/${database}?host=${encodeURIComponent(settings.host)}`
}

/** Runs a program of the server as an operator would; of this process's environment it gets only PATH. */
const run = (program: 'operator.js' | 'main.js', args: string[], { environment = env, input = '' } = {}) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const file = fileURLToPath(new URL(`../../../dist/${program}`, import.meta.url))
    const child = spawn(process.execPath, [file, ...args], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ENV_FILE: '',
        ...environment,
      } as unknown as NodeJS.ProcessEnv,
    })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.on('data', (chunk) => out.push(String(chunk)))
    child.stderr.on('data', (chunk) => err.push(String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }))
    child.stdin.end(input)
  })
const sortie = (...args: string[]) => run('operator.js', args)
const signIn = (email: string, password: string) => app.anonymous.post('/api/auth/sign-in/email', { email, password })

describe("the operator's command", { timeout: 90_000 }, () => {
  test('creates a user with a printed password that works; a second one with the address is refused', async () => {
    const { code, out } = await sortie('create-user', 'op.user@example.com', 'Op User')
    expect(code).toBe(0)
    const password = /^Password: (\S+)$/m.exec(out)?.[1] as string
    expect((await signIn('op.user@example.com', password)).body.data.user.name).toBe('Op User')
    const again = await sortie('create-user', 'OP.User@example.com', 'Someone Else')
    expect(again).toMatchObject({
      code: 1,
      err: 'sortie: op.user@example.com already has an account.\n'.replace('op.user', 'OP.User'),
    })
    const audit = await app.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'account.created')
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({ actor_type: 'system', actor_name: "operator's command", organization_id: null })
    expect(JSON.stringify(audit)).not.toContain(password)
  })

  nightly('whose output is no longer read ends quietly', async () => {
    const file = fileURLToPath(new URL('../../../dist/operator.js', import.meta.url))
    const child = spawn(process.execPath, [file, 'check-config'], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ENV_FILE: '', ...env },
    })
    let err = ''
    child.stderr.on('data', (chunk) => (err += chunk))
    child.stdout.destroy()
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(err).toBe('')
  })

  nightly('reads a password from standard input, prints none, and refuses an unacceptable one', async () => {
    const args = ['create-user', 'stdin.user@example.com', 'Stdin User', '--password-stdin', '--instance-admin']
    const short = await run('operator.js', args, { input: 'short\n' })
    expect(short).toMatchObject({ code: 1, err: 'sortie: password: must have at least 12 characters\n' })
    const { code, out } = await run('operator.js', args, { input: 'a password on standard input\n' })
    expect(code).toBe(0)
    expect(out).toBe('stdin.user@example.com has an account and administers the instance.\n')
    expect((await signIn('stdin.user@example.com', 'a password on standard input')).status).toBe(200)
  })

  test('S2: resets a password: every session ends, the old one is invalid, the person gets a mail', async () => {
    const user = await app.createUser()
    const session = await app.signIn(user)
    const { out } = await sortie('reset-password', user.email)
    expect((await session.get('/api/web/account')).status).toBe(401)
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    expect((await signIn(user.email, /^Password: (\S+)$/m.exec(out)?.[1] as string)).status).toBe(200)
    expect((await app.nextMail(user.email)).text).toContain('The operator of this server has set a new password')
  })

  nightly('resets no password without an account', async () => {
    expect((await sortie('reset-password', 'nobody@example.com')).code).toBe(1)
  })

  test('resets a second factor: the password is sufficient again, sessions end, the person gets a mail', async () => {
    const user = await app.createUser()
    const session = await app.signIn(user)
    const now = new Date().toISOString()
    await app.db
      .insertInto('second_factors')
      .values({ user_id: user.id, secret: Buffer.from('sealed'), confirmed_at: now, created_at: now })
      .execute()
    expect((await signIn(user.email, PASSWORD)).body.data.secondFactorRequired).toBe(true)
    expect((await sortie('reset-second-factor', user.email)).code).toBe(0)
    expect((await session.get('/api/web/account')).status).toBe(401)
    expect((await signIn(user.email, PASSWORD)).body.data.secondFactorRequired).toBe(false)
    expect((await app.nextMail(user.email)).text).toContain('has removed the second factor')
  })

  test('creates an organization with its owner', async () => {
    const { code, out } = await sortie('create-organization', 'Made by hand', 'by.hand@example.com')
    expect(code).toBe(0)
    expect(out).toContain('Made by hand (made-by-hand) belongs to by.hand@example.com.')
    const row = await app.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'organization.created')
      .executeTakeFirstOrThrow()
    expect(row.actor_name).toBe("operator's command")
  })

  test('W8: links the customer who pays for an organization, and unlinks it again', async () => {
    const { slug, id } = await app.createOrganization('Paying organization')
    expect(await sortie('link-billing-customer', slug, 'cus_by_hand')).toMatchObject({
      code: 0,
      out: 'cus_by_hand pays for Paying organization.\n',
    })
    if (isNightly) {
      const other = await app.createOrganization()
      expect(await sortie('link-billing-customer', other.slug, 'cus_by_hand')).toMatchObject({
        code: 1,
        err: 'sortie: This customer pays for another organization.\n',
      })
    }
    expect((await sortie('unlink-billing-customer', slug)).code).toBe(0)
    if (isNightly) {
      expect((await sortie('unlink-billing-customer', slug)).code).toBe(1)
      expect((await sortie('unlink-billing-customer', 'no-such-slug')).code).toBe(1)
    }
    const audit = await app.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_name'])
      .where('organization_id', '=', id)
      .orderBy('id')
      .execute()
    expect(audit.map(({ action, actor_name }) => `${actor_name}: ${action}`)).toEqual([
      "operator's command: billing.customer-linked",
      "operator's command: billing.customer-unlinked",
    ])
  })

  test('links an organization to one of WorkOS, and unlinks it again; opens one whose provider is gone to passwords', async () => {
    const { slug, id } = await app.createOrganization('Directed organization')
    const environment = {
      ...env,
      AUTH_PROVIDER: 'workos',
      WORKOS_API_KEY: 'sk_test_x',
      WORKOS_CLIENT_ID: 'client_x',
      WORKOS_WEBHOOK_SECRET: 'whsec_of_x',
    }
    const withWorkos = (...args: string[]) => run('operator.js', args, { environment })
    if (isNightly) {
      expect((await sortie('link-directory', slug, 'org_01HXYZ0000000001')).err).toBe(
        'sortie: People do not sign in to this server through WorkOS: AUTH_PROVIDER says otherwise.\n',
      )
    }
    expect(await withWorkos('link-directory', slug, 'org_01HXYZ0000000001')).toMatchObject({
      code: 0,
      out: 'Directed organization is org_01HXYZ0000000001.\n',
    })
    if (isNightly) {
      const other = await app.createOrganization()
      expect((await withWorkos('link-directory', other.slug, 'org_01HXYZ0000000001')).err).toBe(
        'sortie: org_01HXYZ0000000001 is linked to another organization.\n',
      )
      expect((await withWorkos('link-directory', slug, 'acme')).code).toBe(1)
    }
    expect((await withWorkos('unlink-directory', slug)).code).toBe(0)
    await app.db.updateTable('organizations').set({ sso_enabled: true }).where('id', '=', id).execute()
    expect((await sortie('switch-sso-off', slug)).out).toBe(
      'Members can sign in to Directed organization with a password again.\n',
    )
    const audit = await app.db
      .selectFrom('audit_entries')
      .select('action')
      .where('organization_id', '=', id)
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual([
      'directory.linked',
      'directory.unlinked',
      'organization.settings-changed',
    ])
  })

  test('ends with 64 and shows its usage when the command line is wrong', async () => {
    const wrong = [
      ['bogus'],
      ['reset-password'],
      ['help', '--no-such-option'],
      ['create-user', 'a@example.com', '\u202e'],
      ['link-billing-customer', 'first-organization', 'no id'],
    ]
    for (const { code, err } of await Promise.all(
      (isNightly ? wrong : wrong.slice(0, 1)).map((args) => sortie(...args)),
    )) {
      expect(code).toBe(64)
      expect(err).toContain('npm run operator -- <command>')
    }
  })

  nightly('without DATABASE_URL starts the embedded database, and stops it again', async () => {
    const { DATABASE_URL: _, ...environment } = env
    const { code, out, err } = await run('operator.js', ['create-user', 'first@example.com', 'First'], { environment })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('first@example.com has an account.')
    expect(existsSync(path.join(directory, 'postgres', 'PG_VERSION'))).toBe(true)
    expect(readdirSync(path.join(directory, 'postgres'))).not.toContain('postmaster.pid')
  })
})

describe('instance administrators', { timeout: 180_000 }, () => {
  test('are appointed and removed by the command, which reports the previous state, is audited and keeps at least one', async () => {
    const user = await app.createUser('Ina Stance')
    const isAdmin = async () =>
      (await app.db.selectFrom('users').select('is_instance_admin').where('id', '=', user.id).executeTakeFirstOrThrow())
        .is_instance_admin
    expect(await sortie('grant-admin', user.email.toUpperCase())).toEqual({
      code: 0,
      out: `${user.email} administers the instance.\n`,
      err: '',
    })
    expect(await isAdmin()).toBe(true)
    if (isNightly)
      expect((await sortie('grant-admin', user.email)).out).toBe(`${user.email} administers the instance already.\n`)
    const second = await app.createUser()
    await app.db.updateTable('users').set({ is_instance_admin: false }).where('id', '!=', user.id).execute()
    if (isNightly)
      expect((await sortie('revoke-admin', second.email)).out).toBe(
        `${second.email} does not administer the instance.\n`,
      )
    expect(await sortie('revoke-admin', user.email)).toEqual({
      code: 1,
      out: '',
      err: 'sortie: This is the last instance administrator. Add another one first.\n',
    })
    expect(await isAdmin()).toBe(true)
    await app.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', second.id).execute()
    expect(await sortie('revoke-admin', user.email)).toEqual({
      code: 0,
      out: `${user.email} no longer administers the instance.\n`,
      err: '',
    })
    expect(await isAdmin()).toBe(false)
    if (isNightly) {
      expect((await sortie('grant-admin', 'nobody@example.com')).code).toBe(1)
      expect((await sortie('grant-admin')).code).toBe(64)
    }
    const audited = await app.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_name', 'before', 'after'])
      .where('object_id', '=', user.id)
      .where('action', 'like', 'instance-admin.%')
      .orderBy('id')
      .execute()
    expect(audited).toEqual([
      {
        action: 'instance-admin.named',
        actor_name: "operator's command",
        before: { isInstanceAdmin: false },
        after: { isInstanceAdmin: true },
      },
      {
        action: 'instance-admin.removed',
        actor_name: "operator's command",
        before: { isInstanceAdmin: true },
        after: { isInstanceAdmin: false },
      },
    ])
    expect(await sortie()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/grant-admin <email>\n.*\n\s+revoke-admin <email>/),
    })
  })
})

describe('the configuration', { timeout: 90_000 }, () => {
  test('check-config prints every effective value, without secrets', async () => {
    const environment = {
      ...env,
      ADMIN_PASSWORD: 'canary of the admin',
      SMTP_URL: 'smtp://user:canary-smtp@mail.example',
      RATE_LIMIT_MAX: '7',
    }
    const { code, out } = await run('operator.js', ['check-config'], { environment })
    expect(code).toBe(0)
    expect(out).toMatch(/^RATE_LIMIT_MAX\s+7$/m)
    expect(out).toMatch(/^PORT\s+3001 {2}\(default\)$/m)
    for (const secret of ['canary', SECRET, env.DATABASE_URL as string]) expect(out).not.toContain(secret)
  })

  nightly('decisions prints every open point with the values of its settings', async () => {
    const { code, out } = await run('operator.js', ['decisions'], {
      environment: { ...env, ENGAGEMENT_READ_SCOPE: 'tasks:read' },
    })
    expect(code).toBe(0)
    expect(out).toContain('ENGAGEMENT_READ_SCOPE = tasks:read (set)')
    expect(out.match(/^\d+\. /gm)?.length).toBeGreaterThanOrEqual(36)
  })

  const PROGRAMS = [
    ['main.js', []],
    ['operator.js', ['check-config']],
  ] as const
  nightly.each(PROGRAMS)(
    'S14: a short SESSION_SECRET and a short ADMIN_PASSWORD end %s with 78',
    async (program, args) => {
      const wrong = { PORT: '0', SESSION_SECRET: 'too short', ADMIN_PASSWORD: 'too short' }
      const { code, err } = await run(program, [...args], { environment: { ...env, ...wrong } })
      expect(code).toBe(78)
      expect(err.trim().split('\n')).toEqual([
        'sortie: SESSION_SECRET: must have at least 32 characters',
        'sortie: ADMIN_PASSWORD: must have 12 to 128 characters',
      ])
    },
  )
})
