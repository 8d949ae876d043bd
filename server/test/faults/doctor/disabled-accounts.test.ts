import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortie, startSortie } from '../../support/app/operator.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'

const stage = createStage()
let sink: SmtpSink
let server: ServerProcess
beforeAll(async () => {
  sink = await SmtpSink.create()
  await sink.up()
  stage.add(() => sink.down())
  server = await stage.server({ env: { SMTP_URL: sink.url } })
  await server.ready()
})
afterAll(() => stage.close())

const operator = (...args: string[]) => sortie(args, server.dataDir)
const typing = (text: string, ...args: string[]) => startSortie(args, server.dataDir, {}, text).finished
const signIn = (email: string, password: string) =>
  new TestClient(server.origin).post('/api/auth/sign-in/email', { email, password })
const sessionOf = async (email: string, password: string) => {
  const { headers } = await signIn(email, password)
  const cookies = headers.getSetCookie().map((text) => text.split(';')[0])
  return new TestClient(server.origin, { cookie: cookies.join('; ') })
}
const auditActions = async (): Promise<string[]> => {
  const { data } = (await (await signInAsOwner(server.origin)).get('/api/web/instance/audit')).body
  expect(data[0].actor.name).toBeTruthy()
  return data.map(({ action, actor }: { action: string; actor: { name: string } }) => `${action} by ${actor.name}`)
}

test('a disabled account loses its sessions at once and cannot sign in, until it is enabled; administrators are refused', async () => {
  const email = 'leaving@example.com'
  const created = await operator('create-user', email, 'Leaving')
  const password = /^Password: (.*)$/m.exec(created.out)?.[1] as string
  const session = await sessionOf(email, password)
  expect((await session.get('/api/web/account')).status).toBe(200)

  const disabled = await sortie(['disable-account', email], server.dataDir)
  expect(disabled.out).toContain('is disabled: 1 sessions have ended')
  expect((await session.get('/api/web/account')).status).toBe(401)
  const refused = await signIn(email, password)
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    'This account is disabled. Ask the operator of this server to enable it.',
  ])
  expect((await operator('list-accounts')).out).toMatch(/^leaving@example\.com .*disabled since /m)
  expect(await auditActions()).toContain("account.disabled by operator's command")

  expect((await sortie(['enable-account', email], server.dataDir)).out).toBe(`${email} can sign in again.\n`)
  expect((await signIn(email, password)).status).toBe(200)
  for (const command of ['disable-account', 'delete-account']) {
    const admin = await operator(command, 'admin@example.com', '--yes')
    expect([admin.code, admin.err]).toEqual([1, expect.stringContaining('administers this instance')])
  }
})

test('an organization gets another owner, whose former one moves and is deleted; it is removed only for its slug, with its files, while the server runs', async () => {
  const password = 'words of an owner of this test'
  const [first, second] = ['first@example.com', 'second@example.com']
  await typing(password, 'create-user', first, 'First Owner', '--password-stdin')
  await operator('create-organization', 'Fabrikam', first)
  const session = await sessionOf(first, password)
  const { id } = (await session.get('/api/web/organizations')).body.data[0]
  const owner = session.with({ 'x-organization': id })
  await owner.post('/api/web/organizations/current/members/invite', { email: second, role: 'member' })
  const token = await eventually(() => {
    const mail = sink.mails.find(({ to }) => to?.[0]?.address === second)
    const found = /#token=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    expect(found).toBeDefined()
    return found
  })
  const acceptance = { token, name: 'Second Owner', password }
  expect((await new TestClient(server.origin).post('/api/web/invitations/accept', acceptance)).status).toBe(200)
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
  const file = `/api/web/engagements/${engagementId}/files?fileName=note.txt`
  expect((await owner.request('POST', file, { rawBody: 'bytes' })).status).toBe(201)

  expect((await operator('delete-account', first, '--yes')).err).toContain('owns Fabrikam (fabrikam)')
  expect((await operator('transfer-ownership', 'fabrikam', 'leaving@example.com')).err).toContain('is not a member')
  expect((await operator('transfer-ownership', 'fabrikam', second)).out).toBe(
    `Fabrikam (fabrikam) belongs to ${second} now.\n`,
  )
  expect((await operator('change-address', first, second)).err).toContain('already has an account')
  expect((await operator('change-address', first, 'moved@example.com')).out).toContain('signs in as moved@example.com')
  expect((await session.get('/api/web/account')).status).toBe(401)
  const kept = await typing('first@example.com\n', 'delete-account', 'moved@example.com')
  expect([kept.code, kept.err]).toEqual([1, expect.stringContaining('Nothing was changed')])
  const deleted = await typing('moved@example.com\n', 'delete-account', 'moved@example.com')
  expect(deleted.out).toContain('is deleted: 0 sessions and 1 memberships have ended')

  const stored = () =>
    readdirSync(path.join(server.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.parentPath.includes(id),
    )
  expect(stored()).toHaveLength(1)
  const other = (await sessionOf(second, password)).with({ 'x-organization': id })
  for (const answer of ['Fabrikam\n', '']) {
    const refused = await typing(answer, 'remove-organization', 'fabrikam')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was changed')])
  }
  expect((await other.get('/api/web/organizations/current')).status).toBe(200)
  const removed = await typing('fabrikam\n', 'remove-organization', 'fabrikam')
  expect(removed.out).toMatch(/^Fabrikam \(fabrikam\) has \d+ rows in \d+ tables, and 1 stored files\.$/m)
  expect(removed.out).toMatch(/^ {2}engagements: 1$/m)
  expect(removed.out).toContain('After the removal there are 0 rows in 0 tables, and 0 stored files.\n')
  expect(stored()).toEqual([])
  expect((await other.get('/api/web/organizations/current')).status).toBe(404)
  expect((await operator('remove-organization', 'fabrikam', '--yes')).err).toContain('There is no organization')
  const actions = await auditActions()
  for (const action of ['account.deleted', 'account.address-changed', 'organization.removal-started'])
    expect(actions).toContain(`${action} by operator's command`)
})
