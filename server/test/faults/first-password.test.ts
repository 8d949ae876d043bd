import { afterEach, expect, test } from 'vitest'
import { sortie } from '../support/operator.ts'
import { databaseUrl } from '../support/server-clients.ts'
import { createStage } from '../support/server-process.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { asSuperuserRows, copyTemplate } from '../support/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())

const ADMIN = 'admin@example.com'
const DEFAULT = 'sortie-change-me'
const PUBLIC = { FRONTEND_URL: 'https://sortie.example.com', ADMIN_PASSWORD: 'a phrase that nobody knows' }

test('S17: a server first started on loopback starts for others only once no instance administrator has the default password', {
  timeout: 240_000,
}, async () => {
  const DATABASE_URL = databaseUrl(await copyTemplate())
  const first = await stage.server({ env: { DATABASE_URL } })
  await first.ready()
  const signIn = (origin: string, password: string) => new TestBrowser(origin).post('/api/auth/sign-in/email', { email: ADMIN, password })
  expect((await signIn(first.origin, DEFAULT)).status).toBe(200)
  expect((await first.stop()).code).toBe(0)

  const refused = await stage.server({ env: { ...PUBLIC, DATABASE_URL } })
  expect((await refused.exited).code).toBe(78)
  expect(refused.errorLines).toEqual([
    `sortie: ADMIN_PASSWORD: ${ADMIN} administers this instance and still has the default password, which is refused unless HOST and FRONTEND_URL are loopback; change it: npm run sortie -- reset-password ${ADMIN}`,
  ])
  expect(refused.stdout + refused.stderr).not.toContain(DEFAULT)

  const reset = await sortie(['reset-password', ADMIN], stage.directory(), { ...PUBLIC, DATABASE_URL })
  expect([reset.code, reset.err]).toEqual([0, ''])
  const served = await stage.server({ env: { ...PUBLIC, DATABASE_URL } })
  await served.ready()
  expect((await signIn(served.origin, DEFAULT)).status).toBe(401)
  expect((await signIn(served.origin, /^Password: (.+)$/m.exec(reset.out)?.[1] as string)).status).toBe(200)
})

test('S21: an ADMIN_PASSWORD that everybody tries first is one line and exit code 78, and makes no account', { timeout: 120_000 }, async () => {
  const settings = await copyTemplate()
  const refused = await stage.server({ env: { DATABASE_URL: databaseUrl(settings), ADMIN_PASSWORD: 'Administrator2026!' } })
  expect((await refused.exited).code).toBe(78)
  expect(refused.errorLines).toEqual([expect.stringMatching(/^sortie: ADMIN_PASSWORD: is too easy to guess/)])
  expect(await asSuperuserRows(settings, 'select id from users')).toEqual([])
})
