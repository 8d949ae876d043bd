import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { generateSync } from 'otplib'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { secretContext } from '../../../src/features/requests/secrets.ts'
import { decrypt, deriveKeys } from '../../../src/platform/crypto.ts'
import { ADMIN_PASSWORD, createStage, eventually } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { MailFolder } from '../../support/providers/mail-folder.ts'

const stage = createStage()
afterAll(() => stage.close())

const cookieIn = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')

const newSecret = (): string => randomBytes(32).toString('base64')

test('SESSION_SECRET rotates without ending sessions, links, second factors, recovery codes or secrets; then the old value goes', async () => {
  const [former, newest] = [newSecret(), newSecret()]
  const dataDir = path.join(stage.directory(), 'data')
  const start = async (SESSION_SECRET: string) => {
    const server = await stage.server({ env: { SESSION_SECRET }, dataDir })
    await server.ready()
    return server
  }
  const readSealed = async (): Promise<{ environment: Buffer; factor: Buffer; id: string; organizationId: string }> => {
    const client = new pg.Client({ host: path.join(dataDir, 'postgres'), user: 'sortie', database: 'sortie' })
    await client.connect()
    try {
      await client.query(`set sortie.organization = '*'; set sortie.viewer = '*'`)
      const { rows } = await client.query(
        `select secrets as environment, id, organization_id as "organizationId",
          (select secret from second_factors limit 1) as factor from request_environments where secrets is not null`,
      )
      return rows[0]
    } finally {
      await client.end()
    }
  }

  const before = await start(former)
  const signedIn = await signInAsOwner(before.origin)
  const { secret } = (await signedIn.post('/api/web/account/second-factor', { password: ADMIN_PASSWORD })).body.data
  const confirmed = await signedIn.post('/api/web/account/second-factor/confirm', { code: generateSync({ secret }) })
  const [firstCode, secondCode] = confirmed.body.data.recoveryCodes as string[]
  // The first factor gives the session another cookie.
  const owner = signedIn.with({ cookie: cookieIn(confirmed) })
  const cookieOf = (client: TestClient, origin: string) => new TestClient(origin, client.headers)
  const key = await withNewKey(owner, [
    'organizations:read',
    'organizations:write',
    'api-requests:read',
    'api-requests:write',
  ])
  const person = { email: 'new@example.com', role: 'member' }
  const invited = await key.post('/api/v1/organizations/current/members/invite', person)
  expect(invited.status, invited.text).toBe(201)
  const mail = await eventually(async () => {
    const found = await new MailFolder(dataDir).newest('new@example.com', () => true)
    expect(found).toBeDefined()
    return found
  })
  const token = /#token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] as string
  const engagement = (await key.post('/api/v1/engagements', { name: 'Rotation' })).body.data
  const made = await key.post('/api/v1/environments', {
    engagementId: engagement.id,
    name: 'Live',
    variables: [{ name: 'token', value: 'a canary', secret: true }],
  })
  expect(made.status, made.text).toBe(201)
  await before.stop()

  const both = await start(`${newest},${former}`)
  expect((await cookieOf(owner, both.origin).get('/api/web/organizations')).status).toBe(200)
  expect((await new TestClient(both.origin).post('/api/web/invitations/inspect', { token })).status).toBe(200)
  const signInWith = async (origin: string, code: string) => {
    const first = await new TestClient(origin).post('/api/auth/sign-in/email', {
      email: 'admin@example.com',
      password: ADMIN_PASSWORD,
    })
    expect(first.status, first.text).toBe(200)
    return new TestClient(origin, { cookie: cookieIn(first) }).post('/api/auth/sign-in/second-factor', { code })
  }
  const during = await signInWith(both.origin, firstCode as string)
  expect(during.status, during.text).toBe(200)
  const session = cookieIn(during)
  await eventually(() => expect(both.log.map(({ msg }) => msg).join('\n')).toContain('is encrypted with the new one'))
  const { environment, factor, id, organizationId } = await readSealed()
  const onlyNewest = deriveKeys(newest)
  const place = { organizationId, column: 'request_environments.secrets', id } as const
  expect(decrypt(onlyNewest.encryption, environment, secretContext(place))).toContain('a canary')
  expect(() => decrypt(deriveKeys(former).encryption, factor, 'any')).toThrow()
  await both.stop()

  const after = await start(newest)
  expect((await new TestClient(after.origin, { cookie: session }).get('/api/web/organizations')).status).toBe(200)
  const recovered = await signInWith(after.origin, secondCode as string)
  expect(recovered.status, recovered.text).toBe(200)
  const accepted = await new TestClient(after.origin).post('/api/web/invitations/accept', {
    token,
    name: 'New',
    password: 'a password for a test',
  })
  expect(accepted.status, accepted.text).toBe(200)
  expect((await new TestClient(after.origin, key.headers).get('/api/v1/engagements')).status).toBe(200)
  // The next step of the app: each code works once.
  const later = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
  const byApp = await signInWith(after.origin, later)
  expect(byApp.status, byApp.text).toBe(200)
})
