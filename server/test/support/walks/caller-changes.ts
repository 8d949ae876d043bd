import { randomBytes } from 'node:crypto'
import { generateSync } from 'otplib'
import { recoveryCodeHash } from '../../../src/features/auth/second-factor/proofs/recovery-codes.ts'
import { sealSecret } from '../../../src/features/auth/second-factor/proofs/totp.ts'
import { newId } from '../../../src/platform/ids.ts'
import { appOf, type Caller, sessionOf } from '../app/callers.ts'
import { PASSWORD, type TestApp } from '../app/test-app.ts'
import type { TestResponse } from '../app/test-client.ts'
import { Authenticator } from '../providers/authenticator.ts'
import { startReceiver } from '../races/receiver.ts'
import { passkeyOf } from '../races/revocations.ts'
import { prepareChange } from './changes.ts'
import type { Mounted } from './walk.ts'

type Send = () => Promise<TestResponse>
/** Prepares one change that this caller makes, and returns its request, to be sent once. */
type CallerChange = (app: TestApp, caller: Caller, prefix: string) => Promise<Send>

const ACCOUNT = '/account'
const FACTOR = `${ACCOUNT}/second-factor`
const PASSKEYS = `${ACCOUNT}/passkeys`
const RECOVERY_CODE = 'AAAA-BBBB-CCCC-DDDD'
const NOW = '2026-01-01T00:00:00.000Z'

/** An authenticator app, a recovery code, and a passkey, whose id is returned. */
const giveFactors = async ({ db, platform }: TestApp, user: { id: string }): Promise<string> => {
  const secret = sealSecret(platform.keys, user.id, 'A'.repeat(32))
  await db
    .insertInto('second_factors')
    .values({ user_id: user.id, secret, confirmed_at: NOW, created_at: NOW })
    .execute()
  await db
    .insertInto('recovery_codes')
    .values({ user_id: user.id, code_hash: recoveryCodeHash(platform.keys, user.id, RECOVERY_CODE) })
    .execute()
  const passkey = passkeyOf(user.id)
  await db.insertInto('passkeys').values(passkey).execute()
  return passkey.id
}

const proof = { password: PASSWORD, code: RECOVERY_CODE }

/** Changes that need more than the general recipes: of the caller's own account, of the instance, and of ownership. */
const CALLER_CHANGES: Record<string, CallerChange> = {
  deleteMyKey:
    async (_app, { client }, prefix) =>
    () =>
      client.delete(`${prefix}/me/key`),
  answerAuthorizationRequest: async (_app, { client }, prefix) => {
    const request = await rememberedRequest(client, prefix)
    return () => client.post(`${prefix}/oauth/authorizations`, { request, approve: false })
  },
  updateAccount:
    async (_app, { client }, prefix) =>
    () =>
      client.patch(prefix + ACCOUNT, { name: 'Renamed' }),
  changePassword:
    async (_app, { client }, prefix) =>
    () =>
      client.post(`${prefix}${ACCOUNT}/password`, {
        currentPassword: PASSWORD,
        newPassword: 'another password for a test',
      }),
  endSession: async (app, { client, user, organization }, prefix) => {
    const other = await sessionOf(app, user, organization)
    const { data } = (await other.get(`${prefix}${ACCOUNT}/sessions`)).body as {
      data: { id: string; current: boolean }[]
    }
    return () => client.delete(`${prefix}${ACCOUNT}/sessions/${data.find(({ current }) => current)?.id}`)
  },
  endOtherSessions: async (app, { client, user, organization }, prefix) => {
    await sessionOf(app, user, organization)
    return () => client.delete(`${prefix}${ACCOUNT}/sessions`)
  },
  startSecondFactor:
    async (_app, { client }, prefix) =>
    () =>
      client.post(prefix + FACTOR, { password: PASSWORD }),
  confirmSecondFactor: async (app, { client }, prefix) => {
    const { secret } = (await client.post(prefix + FACTOR, { password: PASSWORD })).body.data
    return () =>
      client.post(`${prefix}${FACTOR}/confirm`, {
        code: generateSync({ secret, epoch: Math.floor(app.clock.now() / 1000) }),
      })
  },
  removeSecondFactor: async (app, caller, prefix) => {
    await giveFactors(app, caller.user)
    return () => caller.client.request('DELETE', prefix + FACTOR, { body: proof })
  },
  renewRecoveryCodes: async (app, caller, prefix) => {
    await giveFactors(app, caller.user)
    return () => caller.client.post(`${prefix}${FACTOR}/recovery-codes`, proof)
  },
  startPasskey:
    async (_app, { client }, prefix) =>
    () =>
      client.post(`${prefix}${PASSKEYS}/start`, { password: PASSWORD }),
  confirmPasskey: async (app, { client }, prefix) => {
    const wish = (await client.post(`${prefix}${PASSKEYS}/start`, { password: PASSWORD })).body.data
    const passkey = new Authenticator(app.platform.config.FRONTEND_URL).create(wish)
    return () => client.post(prefix + PASSKEYS, { name: 'New', passkey })
  },
  startPasskeyProof: async (app, caller, prefix) => {
    await giveFactors(app, caller.user)
    return () => caller.client.post(`${prefix}${PASSKEYS}/options`)
  },
  renamePasskey: async (app, caller, prefix) => {
    const id = await giveFactors(app, caller.user)
    return () => caller.client.patch(`${prefix}${PASSKEYS}/${id}`, { name: 'Renamed' })
  },
  removePasskey: async (app, caller, prefix) => {
    const id = await giveFactors(app, caller.user)
    return () => caller.client.request('DELETE', `${prefix}${PASSKEYS}/${id}`, { body: proof })
  },
  startLinking:
    async (_app, { client }, prefix) =>
    () =>
      client.post(`${prefix}${ACCOUNT}/identity`, { password: PASSWORD }),
  startConfirming: async (app, { client, user }, prefix) => {
    await app.db.updateTable('sessions').set({ method: 'oidc' }).where('user_id', '=', user.id).execute()
    return () => client.post(`${prefix}${ACCOUNT}/confirmation`, {})
  },
  resetMemberSecondFactor: async (app, { client, user, organization }, prefix) => {
    const { id } = await app.createMember('member', organization)
    await giveFactors(app, user)
    await app.db.insertInto('passkeys').values(passkeyOf(id)).execute()
    return () => client.post(`${prefix}/organizations/current/members/${id}/second-factor/reset`, proof)
  },
  updateOrganizationSettings: async (app, { client, user }, prefix) => {
    await app.db.insertInto('passkeys').values(passkeyOf(user.id)).execute()
    return () => client.patch(`${prefix}/organizations/current/settings`, { requireTwoFactor: true })
  },
  leaveOrganization:
    async (_app, { client }, prefix) =>
    () =>
      client.post(`${prefix}/organizations/current/leave`),
  transferOwnership: async (app, { client, organization }, prefix) => {
    const { id } = await app.createMember('member', organization)
    return () => client.post(`${prefix}/organizations/current/transfer-ownership`, { userId: id, password: PASSWORD })
  },
  createOrganization:
    async (_app, { client, user }, prefix) =>
    () =>
      client.post(`${prefix}/instance/organizations`, {
        name: `Made ${randomBytes(4).toString('hex')}`,
        ownerEmail: user.email,
      }),
  setInstanceAdmin: async (app, { client }, prefix) => {
    const { id } = await app.createUser()
    return () => client.patch(`${prefix}/instance/accounts/${id}`, { isInstanceAdmin: true })
  },
  disableAccount: async (app, { client }, prefix) => {
    const { id } = await app.createUser()
    return () => client.post(`${prefix}/instance/accounts/${id}/disable`)
  },
  enableAccount: async (app, { client }, prefix) => {
    const { id } = await app.createUser()
    await app.db.updateTable('users').set({ disabled_at: NOW }).where('id', '=', id).execute()
    return () => client.post(`${prefix}/instance/accounts/${id}/enable`)
  },
  deleteAccount: async (app, { client }, prefix) => {
    const { id, email } = await app.createUser()
    return () => client.post(`${prefix}/instance/accounts/${id}/delete`, { email, password: PASSWORD })
  },
  changeAccountAddress: async (app, { client }, prefix) => {
    const { id, email } = await app.createUser()
    const body = { email: `moved.${email}`, password: PASSWORD }
    return () => client.post(`${prefix}/instance/accounts/${id}/change-address`, body)
  },
  transferOrganization: async (app, { client }, prefix) => {
    const organization = await app.createOrganization()
    const { email } = await app.createMember('member', organization)
    const body = { email, password: PASSWORD }
    return () => client.post(`${prefix}/instance/organizations/${organization.id}/transfer-ownership`, body)
  },
  removeOrganization: async (app, { client }, prefix) => {
    const { id, slug } = await app.createOrganization()
    return () => client.post(`${prefix}/instance/organizations/${id}/remove`, { slug, password: PASSWORD })
  },
  retryMail: async (app, { client }, prefix) => {
    const mail = {
      id: newId('mal'),
      kind: 'password',
      recipient: 'a@example.com',
      data: '{}',
      status: 'failed' as const,
      created_at: NOW,
    }
    await app.db.insertInto('mails').values(mail).execute()
    return () => client.post(`${prefix}/instance/mails/${mail.id}/retry`)
  },
  goLive:
    async (_app, { client }, prefix) =>
    () =>
      client.post(`${prefix}/instance/go-live`, {}),
  linkBillingCustomer:
    async (_app, { client, organization }, prefix) =>
    () =>
      link(client, organization.id, prefix),
  unlinkBillingCustomer: async (_app, { client, organization }, prefix) => {
    await link(client, organization.id, prefix)
    return () => client.delete(`${prefix}/instance/organizations/${organization.id}/billing-customer`)
  },
  confirmRepository: async (app, { client, organization }, prefix) => {
    const owner = await sessionOf(app, organization.owner, organization)
    const { data } = (
      await owner.post(`${prefix}/code-hosting/repositories`, { fullName: `made/${randomBytes(4).toString('hex')}` })
    ).body
    return () => client.post(`${prefix}/instance/code-hosting/repositories/${data.id}/confirm`)
  },
}

/** A request of a client whose document the server has read and remembers. */
const rememberedRequest = async (client: Caller['client'], prefix: string): Promise<string> => {
  const redirect = 'http://127.0.0.1/callback'
  const host = await startReceiver(({ url }, response) => {
    const document = { client_id: `${host.origin}${url}`, client_name: 'Example', redirect_uris: [redirect] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  const query = new URLSearchParams({ client_id: `${host.origin}/client.json`, redirect_uri: redirect })
  const request = Buffer.from(query.toString()).toString('base64url')
  const { status, text } = await client.get(`${prefix}/oauth/authorizations?request=${request}`)
  await host.close()
  if (status !== 200) throw new Error(text)
  return request
}

const link = (client: Caller['client'], organizationId: string, prefix: string) =>
  client.request('PUT', `${prefix}/instance/organizations/${organizationId}/billing-customer`, {
    body: { customerId: `cus_${randomBytes(6).toString('hex')}` },
  })

/** @throws if this endpoint has no recipe */
export const prepareCallerChange = async (app: TestApp, caller: Caller, route: Mounted): Promise<Send> => {
  const change = CALLER_CHANGES[route.endpoint.id]
  if (!change) return prepareChange(appOf(app, caller.organization), caller.client, route)
  return change(app, caller, route.path.slice(0, -route.endpoint.path.length))
}
