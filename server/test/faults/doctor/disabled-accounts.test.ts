import { afterAll, expect, test } from 'vitest'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'

const stage = createStage()
afterAll(() => stage.close())

test('a disabled account loses its sessions at once and cannot sign in, until it is enabled; administrators are refused', async () => {
  const server = await stage.server()
  await server.ready()
  const email = 'leaving@example.com'
  const created = await sortie(['create-user', email, 'Leaving'], server.dataDir)
  const password = /^Password: (.*)$/m.exec(created.out)?.[1] as string
  const signIn = () => new TestClient(server.origin).post('/api/auth/sign-in/email', { email, password })
  const cookie = (await signIn()).headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const session = new TestClient(server.origin, { cookie })
  expect((await session.get('/api/web/account')).status).toBe(200)

  const disabled = await sortie(['disable-account', email], server.dataDir)
  expect(disabled.out).toContain('is disabled: 1 sessions have ended')
  expect((await session.get('/api/web/account')).status).toBe(401)
  const refused = await signIn()
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    'This account is disabled. Ask the operator of this server to enable it.',
  ])
  expect((await sortie(['list-accounts'], server.dataDir)).out).toMatch(/^leaving@example\.com .*disabled since /m)
  const actions = (await (await signInAsOwner(server.origin)).get('/api/web/instance/audit')).body.data
  expect(actions.map(({ action }: { action: string }) => action)).toContain('account.disabled')

  expect((await sortie(['enable-account', email], server.dataDir)).out).toBe(`${email} can sign in again.\n`)
  expect((await signIn()).status).toBe(200)
  const admin = await sortie(['disable-account', 'admin@example.com'], server.dataDir)
  expect([admin.code, admin.err]).toEqual([1, expect.stringContaining('administers this instance')])
})
