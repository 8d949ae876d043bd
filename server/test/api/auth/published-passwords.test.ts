import { hashSync } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireNoFormerDefault } from '../../../src/features/auth/accounts/published-password.service.ts'
import { createPasswords } from '../../../src/features/auth/passwords/passwords.ts'
import { PUBLISHED_PASSWORDS } from '../../../src/features/auth/passwords/published-passwords.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { type PlainProxy, plainProxy } from '../../support/network/plain-proxy.ts'
import { passwordSession } from '../../support/providers/provider-visit.ts'

const FORMER_DEFAULT = 'sortie-change-me'
const PRICE = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const
/** Hashes of accounts from earlier versions. */
const HASHES = new Map(
  [FORMER_DEFAULT, 'a look around sortie'].map((password) => [password, hashSync(password, PRICE)]),
)

let app: TestApp
let proxy: PlainProxy
beforeAll(async () => {
  app = await testApp({ workers: false })
  proxy = await plainProxy(app.origin)
})
afterAll(async () => {
  await proxy.close()
  await app.close()
})

const userWith = async (password: string, isInstanceAdmin = false) => {
  const user = await app.createUser(undefined, { isInstanceAdmin })
  await app.db
    .updateTable('users')
    .set({ password_hash: HASHES.get(password) as string })
    .where('id', '=', user.id)
    .execute()
  return user
}
const signIn = (origin: string, email: string, password: string) =>
  new TestBrowser(origin).post('/api/auth/sign-in/email', { email, password })

describe('S28: a password that this product has published', () => {
  test('S28: the list has the default of earlier versions and the password of their demonstration', () => {
    expect(PUBLISHED_PASSWORDS.toSorted()).toEqual([...HASHES.keys()].toSorted())
  })

  test.each([...HASHES.keys()])(
    'S28: "%s" signs no one in, locally and through a proxy that makes every client look local',
    async (password) => {
      for (const isInstanceAdmin of [true, false]) {
        const { email } = await userWith(password, isInstanceAdmin)
        for (const origin of [app.origin, proxy.origin]) {
          const answer = await signIn(origin, email, password)
          expect(answer.status).toBe(401)
          expect(answer.text).toBe((await signIn(origin, email, 'another wrong one')).text)
        }
      }
      const { email } = await app.createUser()
      expect((await signIn(proxy.origin, email, PASSWORD)).status).toBe(200)
    },
  )

  test('S17: confirms nothing in an existing session', async () => {
    const user = await app.createUser()
    const browser = await passwordSession(app, user)
    await app.db
      .updateTable('users')
      .set({ password_hash: HASHES.get(FORMER_DEFAULT) as string })
      .where('id', '=', user.id)
      .execute()
    expect((await browser.post('/api/web/account/second-factor', { password: FORMER_DEFAULT })).status).toBe(403)
  })

  test('S17: of instance administrators prevents the start; each is named with the command that sets another one', async () => {
    await app.db.updateTable('users').set({ is_instance_admin: false }).execute()
    const passwords = createPasswords(app.platform.config)
    await app.createUser(undefined, { isInstanceAdmin: true })
    await userWith(FORMER_DEFAULT)
    await expect(requireNoFormerDefault(app.platform, passwords)).resolves.toBeUndefined()
    const admins = [await userWith(FORMER_DEFAULT, true), await userWith(FORMER_DEFAULT, true)]
    const lines = admins.map(({ email }) => expect.stringContaining(`npm run operator -- reset-password ${email}`))
    await expect(requireNoFormerDefault(app.platform, passwords)).rejects.toMatchObject({ lines })
  })

  test('S17: a start checks at most 50 administrators, and logs that', async () => {
    await app.db.updateTable('users').set({ is_instance_admin: false }).execute()
    for (let i = 0; i < 51; i++) await app.createUser(undefined, { isInstanceAdmin: true })
    let checked = 0
    const isFormerDefault = async () => {
      checked++
      return false
    }
    await requireNoFormerDefault(app.platform, { ...createPasswords(app.platform.config), isFormerDefault })
    expect(checked).toBe(50)
    expect(app.logLines.join('')).toContain('only the 50 oldest instance administrators are checked')
  })
})
