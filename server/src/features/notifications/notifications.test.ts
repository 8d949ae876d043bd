import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, testApp, tokenOf } from '../../testing/test-app.ts'
import { COLLECTING_MS } from './notifications.service.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const MEMBERS = '/api/web/organizations/current/members'
const mailsTo = (recipient: string) => app.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('id').execute()

describe('the person concerned is told', () => {
  test('that the role changed, by whom', async () => {
    const organization = await app.createOrganization('Role Ltd')
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    await owner.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })
    const mail = await app.nextMail(member.email)
    expect(mail.subject).toBe('You are now an admin of Role Ltd')
    expect(mail.text).toContain(`${owner.user.name} made you an admin`)
  })

  test('that the membership ended, also when a key did it', async () => {
    const organization = await app.createOrganization('Removal Ltd')
    const key = await app.withKey(['organizations:write'], organization)
    const member = await app.createMember('member', organization)
    await key.delete(`/api/v1/organizations/current/members/${member.id}`)
    const mail = await app.nextMail(member.email)
    expect(mail.subject).toBe('You are no longer a member of Removal Ltd')
    expect(mail.text).toContain('The API key test key removed you')
  })

  test('that the ownership passed on, both of them, whatever they switched off', async () => {
    const organization = await app.createOrganization('Handover Ltd')
    const owner = await app.signedIn('owner', organization)
    const successor = await app.createMember('member', organization)
    for (const { email } of [organization.owner, successor])
      await app.db.updateTable('users').set({ notify_membership: false }).where('email', '=', email).execute()
    await owner.post('/api/web/organizations/current/transfer-ownership', { userId: successor.id, password: PASSWORD })
    expect((await app.nextMail(successor.email)).subject).toBe('You are now the owner of Handover Ltd')
    expect((await app.nextMail(organization.owner.email)).subject).toBe(`${successor.name} is now the owner of Handover Ltd`)
  })

  test('not of what was switched off', async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    const own = await app.signIn(member)
    await own.patch('/api/web/account', { notifications: { membership: false } })
    await owner.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })
    await owner.delete(`${MEMBERS}/${member.id}`)
    expect(await mailsTo(member.email)).toEqual([])
  })

  test('not of a change that was refused or changed nothing (A4)', async () => {
    const organization = await app.createOrganization()
    const admin = await app.signedIn('admin', organization)
    await admin.patch(`${MEMBERS}/${organization.owner.id}`, { role: 'member' })
    await admin.delete(`${MEMBERS}/${organization.owner.id}`)
    await admin.patch(`${MEMBERS}/${admin.user.id}`, { role: 'admin' })
    expect(await mailsTo(organization.owner.email)).toEqual([])
    expect(await mailsTo(admin.user.email)).toEqual([])
  })
})

describe('owner and admins are told', () => {
  test('that a key was created or deleted, members are not; the value is in no mail', async () => {
    const organization = await app.createOrganization('Key Ltd')
    const owner = await app.signedIn('owner', organization)
    const admin = await app.createMember('admin', organization)
    const member = await app.createMember('member', organization)
    const { body } = await owner.post('/api/web/api-keys', { name: 'ci <b>pipeline</b>', environment: 'live', scopes: ['tasks:read'] })
    for (const { email } of [organization.owner, admin]) {
      const mail = await app.nextMail(email)
      expect(mail.text).toContain(`${organization.owner.name} created the live key "ci <b>pipeline</b>", which may: tasks:read.`)
      expect(mail.html).not.toContain('<b>')
      expect(mail.text + (mail.html ?? '')).not.toContain(body.data.value)
    }
    expect(await mailsTo(member.email)).toEqual([])
  })

  test('of a crowd that accepts its invitations in two mails each: one at once, one for the rest', async () => {
    const organization = await app.createOrganization('Crowd Ltd')
    const owner = await app.signedIn('owner', organization)
    for (let i = 0; i < 12; i++) {
      const email = `crowd${i}@example.com`
      await owner.post(`${MEMBERS}/invite`, { email, role: 'member' })
      const token = tokenOf(await app.nextMail(email))
      await app.anonymous.post('/api/web/invitations/accept', { token, name: `Crowd ${i}`, password: 'a password for a test' })
    }
    const mails = await mailsTo(organization.owner.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['invitations-accepted', 'invitations-accepted'])
    const [first, rest] = mails.map(({ data }) => data as { lines: string[]; dueAt?: string })
    expect(first?.lines).toHaveLength(1)
    expect(first?.dueAt).toBeUndefined()
    expect(rest?.lines).toHaveLength(11)
    expect((await app.nextMail(organization.owner.email)).subject).toBe('A new member in Crowd Ltd')
    expect(Date.parse(rest?.dueAt as string) - app.clock.now()).toBeLessThanOrEqual(COLLECTING_MS)
  })
})
