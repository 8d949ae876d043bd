import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/app/server-process.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { type Cli, downloadCli, NODES } from '../support/cli/cli-process.ts'

let app: TestApp
let owner: TestClient
let cli: Cli

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  cli = await downloadCli(app)
})
afterAll(async () => {
  cli.remove()
  await app.close()
})

/** `sortie login` on a terminal of its own. */
const startLogin = () => {
  const command = `"${NODES.at(-1)?.file}" "${cli.file}" login ${app.origin}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: cli.home,
    env: { PATH: process.env['PATH'] ?? '', HOME: cli.home },
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  const code = () =>
    eventually(() => {
      const [, found] = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec(shown) ?? []
      if (found === undefined) throw new Error(`no code is shown: ${shown}`)
      return found
    })
  return { code, ended, shown: () => shown }
}

const approve = (person: TestClient, code: string) =>
  person.post(`/api/web/device-authorizations/${code}/approve`, {
    name: 'laptop',
    scopes: ['targets:read', 'organizations:read'],
    expiresAt: new Date(app.clock.now() + 24 * 60 * 60 * 1000).toISOString(),
  })

const storedKey = (): string =>
  JSON.parse(readFileSync(path.join(cli.home, '.config/sortie/credentials.json'), 'utf8')).instances[app.origin].key

const statusOf = async (key: string) =>
  (await app.anonymous.with({ authorization: `Bearer ${key}` }).get('/api/v1/me')).status

describe('login through the browser', () => {
  test('a member approves, the terminal says that an owner has to confirm it, and the key then works until logout', async () => {
    const member = await app.signedIn('member')
    const login = startLogin()
    const code = await login.code()
    expect(login.shown()).toContain(`open ${new URL('/device', app.platform.config.FRONTEND_URL).href}`)
    expect((await approve(member, code)).body.data.state).toBe('waiting')
    await eventually(() => expect(login.shown()).toContain('An owner or admin of the organization must confirm it'))
    app.clock.advance(30_000)
    const [{ id }] = (await owner.get('/api/web/device-confirmations')).body.data
    expect((await owner.post(`/api/web/device-confirmations/${id}/confirm`)).status).toBe(200)
    expect(await login.ended, login.shown()).toBe(0)
    expect(login.shown()).toContain('Signed in to')
    const key = storedKey()
    expect(login.shown()).not.toContain(key)
    expect(login.shown().match(/must confirm it/g)).toHaveLength(1)
    expect(JSON.parse((await cli.run(['whoami', '--json'])).stdout)).toMatchObject({
      key: { kind: 'login', name: 'laptop', scopes: ['targets:read', 'organizations:read'] },
    })
    expect(await statusOf(key)).toBe(200)
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, stdout: `The key for ${app.origin} is deleted.\n` })
    expect(await statusOf(key)).toBe(401)
    expect(await cli.run(['whoami'])).toMatchObject({ code: 5 })
  })

  test('a login that is denied ends with 6 and stores nothing', async () => {
    const login = startLogin()
    const code = await login.code()
    expect((await owner.post(`/api/web/device-authorizations/${code}/deny`)).status).toBe(200)
    app.clock.advance(30_000)
    expect(await login.ended).toBe(6)
    expect(login.shown()).toContain('The login was refused.')
    expect(await cli.run(['whoami'])).toMatchObject({ code: 5 })
  })

  test('a key that was given is only forgotten by logout', async () => {
    const given = await app.withKey(['targets:read'])
    await cli.run(['login', app.origin, '--key'], { input: given.value })
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, stdout: `The key for ${app.origin} is forgotten.\n` })
    expect(await statusOf(given.value)).toBe(200)
  })

  test('without a terminal no code is shown', async () => {
    expect(await cli.run(['login', app.origin])).toMatchObject({ code: 2, stdout: '' })
  })
})
