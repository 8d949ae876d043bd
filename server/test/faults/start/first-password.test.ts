import { hashSync } from '@node-rs/argon2'
import { afterEach, describe, expect, test } from 'vitest'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())

const ADMIN = 'admin@example.com'
const FORMER_DEFAULT = 'sortie-change-me'

const signIn = (origin: string, password: string) =>
  new TestBrowser(origin).post('/api/auth/sign-in/email', { email: ADMIN, password })

test(
  'S17, S28: a server does not start while an instance administrator has the former default password, whatever its address',
  {
    timeout: 240_000,
  },
  async () => {
    const settings = await copyTemplate()
    const env = { DATABASE_URL: databaseUrl(settings) }
    const first = await stage.server({ env })
    await first.ready()
    expect((await first.stop()).code).toBe(0)
    const hash = hashSync(FORMER_DEFAULT, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await asSuperuser(settings, `update users set password_hash = '${hash}'`)

    for (const FRONTEND_URL of [undefined, 'https://sortie.example.com']) {
      const refused = await stage.server({ env: { ...env, FRONTEND_URL } })
      expect((await refused.exited).code).toBe(78)
      expect(refused.errorLines).toEqual([
        `sortie: ${ADMIN} administers this instance with the default password of earlier versions, which no longer works; set a new one: npm run operator -- reset-password ${ADMIN}`,
      ])
      expect(refused.stdout + refused.stderr).not.toContain(FORMER_DEFAULT)
    }

    const reset = await sortie(['reset-password', ADMIN], stage.directory(), env)
    expect([reset.code, reset.err]).toEqual([0, ''])
    const served = await stage.server({ env })
    await served.ready()
    expect((await signIn(served.origin, FORMER_DEFAULT)).status).toBe(401)
    expect((await signIn(served.origin, /^Password: (.+)$/m.exec(reset.out)?.[1] as string)).status).toBe(200)
  },
)

describe('S28: ADMIN_PASSWORD', () => {
  test.each([
    [
      'that is missing',
      undefined,
      /^sortie: ADMIN_PASSWORD: is missing; the first start creates the account admin@example\.com with it\. Set it in /,
    ],
    ['that everyone tries first', 'Administrator2026!', /^sortie: ADMIN_PASSWORD: is too easy to guess/],
    ['that was the default once', FORMER_DEFAULT, /^sortie: ADMIN_PASSWORD: is too easy to guess/],
    ['that is short', 'x7kqm-x7kqm', /^sortie: ADMIN_PASSWORD: must have 12 to 128 characters/],
  ])(
    '%s ends a first start with one line and exit code 78, and no account is made',
    async (_, ADMIN_PASSWORD, line) => {
      const settings = await copyTemplate()
      const refused = await stage.server({ env: { DATABASE_URL: databaseUrl(settings), ADMIN_PASSWORD } })
      expect((await refused.exited).code).toBe(78)
      expect(refused.errorLines).toEqual([expect.stringMatching(line)])
      expect(await asSuperuserRows(settings, 'select id from users')).toEqual([])
    },
  )

  test("that is missing also ends the operator's command on an empty database; once there are accounts it is not needed", async () => {
    const settings = await copyTemplate()
    const env = { DATABASE_URL: databaseUrl(settings) }
    const refused = await sortie(['create-user', 'ada@example.org', 'Ada'], stage.directory(), {
      ...env,
      ADMIN_PASSWORD: '',
    })
    expect([refused.code, refused.out]).toEqual([78, ''])
    expect(refused.err).toMatch(/^sortie: ADMIN_PASSWORD: is missing/)
    expect(await asSuperuserRows(settings, 'select id from users')).toEqual([])
    const first = await stage.server({ env })
    await first.ready()
    expect((await first.stop()).code).toBe(0)
    const later = await stage.server({ env: { ...env, ADMIN_PASSWORD: undefined } })
    await later.ready()
    await signInAsOwner(later.origin)
    expect(
      (await sortie(['create-user', 'ada@example.org', 'Ada'], stage.directory(), { ...env, ADMIN_PASSWORD: '' })).code,
    ).toBe(0)
  })
})
