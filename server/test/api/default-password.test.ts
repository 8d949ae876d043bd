import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireNoDefaultPassword } from '../../src/features/identity/accounts/default-password.service.ts'
import { createPasswords } from '../../src/features/identity/passwords/passwords.ts'
import { DEFAULT_ADMIN_PASSWORD } from '../../src/platform/config.ts'
import { passwordSession } from '../support/provider-visit.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import { TestBrowser } from '../support/test-browser.ts'

const ADMIN_PASSWORD = 'a phrase that nobody knows'
/** Settings with which others can reach a server, and those with which nobody can. */
const REACHABLE = [
  { FRONTEND_URL: 'https://sortie.example.com', ADMIN_PASSWORD },
  { HOST: '0.0.0.0', ADMIN_PASSWORD },
]
const SETTINGS: [Record<string, string>, boolean][] = [...REACHABLE.map((env) => [env, true] as [Record<string, string>, boolean]), [{}, false]]

describe.each(SETTINGS)('S17: the default password, with %j', (env, isRefused) => {
  let app: TestApp
  let defaultHash: string
  beforeAll(async () => {
    app = await testApp({ env: { ...env, ALLOWED_HOSTS: '127.0.0.1' }, workers: false })
    defaultHash = await createPasswords(app.platform.config).hashDefault()
  })
  afterAll(() => app.close())

  const withDefault = async (isInstanceAdmin: boolean) => {
    const user = await app.createUser(undefined, { isInstanceAdmin })
    await app.db.updateTable('users').set({ password_hash: defaultHash }).where('id', '=', user.id).execute()
    return user
  }

  test.each([true, false])(`S17: ${isRefused ? 'signs nobody in' : 'signs in'}, an instance administrator: %s`, async (isInstanceAdmin) => {
    const { email } = await withDefault(isInstanceAdmin)
    const answer = await new TestBrowser(app.origin).post('/api/auth/sign-in/email', { email, password: DEFAULT_ADMIN_PASSWORD })
    expect(answer.status).toBe(isRefused ? 401 : 200)
    const wrong = await new TestBrowser(app.origin).post('/api/auth/sign-in/email', { email, password: 'another wrong one' })
    if (isRefused) expect(answer.text).toBe(wrong.text)
  })

  test(`S17: ${isRefused ? 'confirms nothing' : 'confirms'} in a session that is there already`, async () => {
    const browser = await passwordSession(app, await withDefault(false))
    const answer = await browser.post('/api/web/account/second-factor', { password: DEFAULT_ADMIN_PASSWORD })
    expect(answer.status).toBe(isRefused ? 403 : 201)
  })

  test(`S17: of instance administrators, ${isRefused ? 'keeps a server from starting, each named with the command' : 'lets a server start'}`, async () => {
    await app.db.updateTable('users').set({ is_instance_admin: false }).execute()
    const passwords = createPasswords(app.platform.config)
    await app.createUser(undefined, { isInstanceAdmin: true })
    await withDefault(false)
    await expect(requireNoDefaultPassword(app.platform, passwords)).resolves.toBeUndefined()
    const admins = [await withDefault(true), await withDefault(true)]
    const check = requireNoDefaultPassword(app.platform, passwords)
    if (!isRefused) return expect(check).resolves.toBeUndefined()
    const lines = admins.map(({ email }) => expect.stringContaining(`npm run sortie -- reset-password ${email}`))
    await expect(check).rejects.toMatchObject({ lines })
  })
})

test('S17: a start looks at 50 administrators at most, and says so', async () => {
  const app = await testApp({ env: REACHABLE[0] as Record<string, string>, workers: false })
  try {
    const hash = await createPasswords(app.platform.config).hash('four words of no use', [])
    for (let i = 0; i < 51; i++) await app.createUser(undefined, { isInstanceAdmin: true })
    await app.db.updateTable('users').set({ password_hash: hash }).execute()
    let checked = 0
    const passwords = createPasswords(app.platform.config)
    const isDefault = (stored: string) => {
      checked++
      return passwords.isDefault(stored)
    }
    await requireNoDefaultPassword(app.platform, { ...passwords, isDefault })
    expect(checked).toBe(50)
    expect(app.logLines.join('')).toContain('only the 50 oldest instance administrators are checked')
  } finally {
    await app.close()
  }
})
