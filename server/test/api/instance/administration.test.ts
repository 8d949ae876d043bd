import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { PASSWORD, type TestApp, type TestOrganization, testApp, tokenOf } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { openStream } from '../../support/clients/event-stream.ts'

let app: TestApp
let admin: TestClient & { user: { id: string; email: string } }
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const confirmed = { password: PASSWORD }
const account = (id: string, action: string) => `/api/web/instance/accounts/${id}/${action}`
const organizationPath = (id: string, action: string) => `/api/web/instance/organizations/${id}/${action}`
const newestEntry = async (action: string) =>
  (await admin.get(`/api/web/instance/audit?action=${action}`)).body.data[0] as {
    actor: { id: string | null; name: string }
    object: { id: string }
    before: Record<string, unknown>
    after: Record<string, unknown>
  }
const listed = async (search: string) =>
  (await admin.get(`/api/web/instance/accounts?search=${encodeURIComponent(search)}`)).body.data

/** A key of a terminal, which acts within the rights of this person. */
const keyWithin = async (organization: TestOrganization, userId: string) => {
  const key = await app.withKey(SCOPE_NAMES, organization)
  await app.db.updateTable('api_keys').set({ kind: 'login', owner_id: userId }).where('id', '=', key.keyId).execute()
  return key
}

describe('disabling and enabling', () => {
  test('ends sessions, keys and open event streams at once, is shown in the list, and is undone by enabling', async () => {
    const organization = await app.createOrganization('Disabling GmbH')
    const member = await app.createMember('member', organization)
    const session = await app.signIn(member, organization.id)
    const key = await keyWithin(organization, member.id)
    const stream = await openStream(session, '/api/web/events')
    const answer = await admin.post(account(member.id, 'disable'))
    expect([answer.status, answer.body.data.id]).toEqual([200, member.id])
    expect((await session.get('/api/web/account')).status).toBe(401)
    expect((await key.get('/api/v1/organizations/current')).status).toBe(401)
    await eventually(() => expect(stream.ended).toBe(true))
    const [row] = (await admin.get(`/api/web/instance/accounts?isDisabled=true&search=${member.email}`)).body.data
    expect(row).toMatchObject({
      disabledAt: answer.body.data.disabledAt,
      organizations: [{ id: organization.id, name: 'Disabling GmbH', role: 'member' }],
    })
    expect((await admin.get(`/api/web/instance/accounts?isDisabled=false&search=${member.email}`)).body.data).toEqual(
      [],
    )
    expect(await newestEntry('account.disabled')).toMatchObject({
      actor: { id: admin.user.id },
      object: { id: member.id },
    })
    expect((await admin.post(account(member.id, 'enable'))).body.data.disabledAt).toBeNull()
    expect((await app.signIn(member)).user.id).toBe(member.id)
  })

  test('of an instance administrator, their own account included, is 409 and changes nothing', async () => {
    const other = await app.createUser('Other Admin', { isInstanceAdmin: true })
    for (const { id, email } of [admin.user, other]) {
      expect((await admin.post(account(id, 'disable'))).status).toBe(409)
      expect((await admin.post(account(id, 'delete'), { email, ...confirmed })).status).toBe(409)
    }
    expect((await admin.get('/api/web/account')).status).toBe(200)
  })
})

describe('deleting an account', () => {
  test('S2: ends its sessions, keys, streams and memberships, frees its address, and leaves its texts by "Deleted account"', async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    const session = await app.signIn(member, organization.id)
    const key = await keyWithin(organization, member.id)
    const stream = await openStream(session, '/api/web/events')
    const engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
    const task = (await session.post('/api/web/tasks', { engagementId, title: 'Ask' })).body.data.id
    await session.post(`/api/web/tasks/${task}/comments`, { body: 'Asked.' })

    const answer = await admin.post(account(member.id, 'delete'), { email: member.email, ...confirmed })
    expect(answer.body.data).toEqual({ id: member.id, sessionsEnded: 1, membershipsEnded: 1 })
    expect((await session.get('/api/web/account')).status).toBe(401)
    expect((await key.get('/api/v1/organizations/current')).status).toBe(401)
    await eventually(() => expect(stream.ended).toBe(true))
    const { data } = (await owner.get(`/api/web/tasks/${task}/comments`)).body
    expect([data[0].body, data[0].author]).toEqual(['Asked.', expect.objectContaining({ name: 'Deleted account' })])
    expect((await app.nextMail(member.email)).subject).toBe('Your account was deleted')
    expect(await listed(member.email)).toEqual([])
    const removed = (await owner.get('/api/web/audit?action=member.removed')).body.data[0]
    expect(removed).toMatchObject({ actor: { id: admin.user.id }, before: { email: member.email, name: member.name } })
    expect(await newestEntry('account.deleted')).toMatchObject({ before: { email: member.email, name: member.name } })
    const again = await admin.post('/api/web/instance/organizations', { name: 'Next', ownerEmail: member.email })
    expect(again.body.data.ownerIsNew).toBe(true)
    for (const action of ['disable', 'enable']) expect((await admin.post(account(member.id, action))).status).toBe(404)
    const named = await admin.patch(`/api/web/instance/accounts/${member.id}`, { isInstanceAdmin: true })
    expect(named.status).toBe(404)
  })

  test('leaves no row of its own, in any table that refers to an account by user_id', async () => {
    const user = await app.createUser()
    await app.signIn(user)
    await app.db
      .insertInto('linked_accounts')
      .values({
        id: 'lnk_01jd7w2v4pf1y8m3c6k9t0r5xz',
        user_id: user.id,
        issuer: 'https://idp.example.com',
        subject: user.id,
        email: user.email,
        linked_at: '2026-01-01T00:00:00.000Z',
        last_used_at: '2026-01-01T00:00:00.000Z',
      })
      .execute()
    expect((await admin.post(account(user.id, 'delete'), { email: user.email, ...confirmed })).status).toBe(200)
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(app.db)
    expect(rows.length).toBeGreaterThanOrEqual(12)
    for (const { name } of rows) {
      const left = await sql`select 1 from ${sql.table(name)} where user_id = ${user.id}`.execute(app.db)
      expect(left.rows, name).toEqual([])
    }
    const left = await app.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst()
    expect(JSON.stringify(left)).not.toContain(user.email)
    expect(JSON.stringify(left)).not.toContain(user.name)
  })

  test('needs the right address and password; the owner of an organization is 409 until the ownership is transferred', async () => {
    const organization = await app.createOrganization('Owned AG')
    const { owner } = organization
    const successor = await app.createMember('member', organization)
    const path = account(owner.id, 'delete')
    expect((await admin.post(path, { email: successor.email, ...confirmed })).status).toBe(422)
    expect((await admin.post(path, { email: owner.email })).status).toBe(422)
    expect((await admin.post(path, { email: owner.email, password: 'not the password' })).status).toBe(403)
    const refused = await admin.post(path, { email: owner.email, ...confirmed })
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('owns Owned AG')])

    const transfer = organizationPath(organization.id, 'transfer-ownership')
    const stranger = await app.createUser()
    expect((await admin.post(transfer, { email: stranger.email, ...confirmed })).status).toBe(404)
    expect((await admin.post(transfer, { email: successor.email })).status).toBe(422)
    await admin.post(account(successor.id, 'disable'))
    expect((await admin.post(transfer, { email: successor.email, ...confirmed })).status).toBe(409)
    await admin.post(account(successor.id, 'enable'))
    const done = await admin.post(transfer, { email: successor.email, ...confirmed })
    expect(done.body.data.owner.id).toBe(successor.id)
    expect((await app.nextMail(successor.email)).subject).toBe('You are now the owner of Owned AG')
    expect((await app.nextMail(owner.email)).text).toContain('Instance Admin transferred Owned AG to')
    const members = (await (await app.signIn(successor, organization.id)).get('/api/web/organizations/current/members'))
      .body.data
    expect(new Map(members.map(({ id, role }: { id: string; role: string }) => [id, role]))).toEqual(
      new Map([
        [owner.id, 'admin'],
        [successor.id, 'owner'],
      ]),
    )
    expect(await newestEntry('organization.ownership-transferred')).toMatchObject({ after: { ownerId: successor.id } })
    expect((await admin.post(path, { email: owner.email, ...confirmed })).status).toBe(200)
  })
})

describe('changing the address', () => {
  test('S4: ends sessions and mailed links, moves sign-in and memberships, and notifies both addresses', async () => {
    const organization = await app.createOrganization()
    const member = await app.createMember('member', organization)
    const session = await app.signIn(member, organization.id)
    await app.anonymous.post('/api/auth/password-reset', { email: member.email })
    const token = tokenOf(await app.nextMail(member.email))
    const email = `moved.${member.email}`
    const path = account(member.id, 'change-address')
    expect((await admin.post(path, { email, password: 'not the password' })).status).toBe(403)
    expect((await admin.post(path, { email: organization.owner.email.toUpperCase(), ...confirmed })).status).toBe(409)
    expect((await admin.post(path, { email: member.email, ...confirmed })).status).toBe(409)
    expect((await admin.post(path, { email, ...confirmed })).body.data).toEqual({ id: member.id, email })
    expect((await session.get('/api/web/account')).status).toBe(401)
    const inspected = await app.anonymous.post('/api/auth/password-reset/inspect', { token })
    expect(inspected.status).toBeGreaterThanOrEqual(400)
    const [gone, arrived] = [await app.nextMail(member.email), await app.nextMail(email)]
    expect(gone.text).not.toContain(email)
    expect(arrived.text).toContain(`from ${member.email} to ${email}`)
    const signIn = (address: string) =>
      app.anonymous.post('/api/auth/sign-in/email', { email: address, password: PASSWORD })
    expect((await signIn(member.email)).status).toBe(401)
    expect((await signIn(email)).status).toBe(200)
    const owner = await app.signedIn('owner', organization)
    const members = (await owner.get('/api/web/organizations/current/members')).body.data
    expect(members.map((row: { email: string }) => row.email)).toContain(email)
    expect(await newestEntry('account.address-changed')).toMatchObject({
      before: { email: member.email },
      after: { email },
    })
  })

  test('sends a mail that waits to be sent to the new address, not to the former mailbox', async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    const { id: engagementId } = (await owner.post('/api/web/engagements', { name: 'Assigned' })).body.data
    const assign = (title: string) =>
      owner.post('/api/web/tasks', { engagementId, title, assigneeId: member.id }).then(({ status }) => status)
    expect(await assign('First')).toBe(201)
    await app.nextMail(member.email)
    // Notices of the next minutes are collected in one mail.
    expect(await assign('Second')).toBe(201)
    const email = `moved.${member.email}`
    expect((await admin.post(account(member.id, 'change-address'), { email, ...confirmed })).status).toBe(200)
    await app.nextMail(email)
    await app.asSuperuser("update pgboss.job set start_after = now() where name = 'deliver-mail' and state = 'created'")
    expect((await app.nextMail(email)).text).toContain('assigned to you: Second')
  })

  test('S13: of an account without a password sends its first link to the new address, and the former link is dead', async () => {
    const ownerEmail = 'typo@exmaple.com'
    await admin.post('/api/web/instance/organizations', { name: 'Typo', ownerEmail })
    const former = tokenOf(await app.nextMail(ownerEmail))
    const [row] = await listed(ownerEmail)
    const email = 'typo@example.com'
    await admin.post(account(row.id, 'change-address'), { email, ...confirmed })
    await app.nextMail(email)
    const link = tokenOf(await app.nextMail(email))
    expect((await app.anonymous.post('/api/auth/password-reset/inspect', { token: link })).body.data.email).toBe(email)
    const dead = await app.anonymous.post('/api/auth/password-reset/inspect', { token: former })
    expect(dead.status).toBeGreaterThanOrEqual(400)
  })
})
