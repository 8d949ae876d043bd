import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLLECTING_MS } from '../../../src/features/account-emails/account-emails.service.ts'
import { PASSWORD, type TestApp, type TestOrganization, testApp, tokenOf } from '../../support/app/test-app.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const MEMBERS = '/api/web/organizations/current/members'
const mailsTo = (recipient: string) =>
  app.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('id').execute()

describe('the affected person is notified', () => {
  test('of a role change, and who made it', async () => {
    const organization = await app.createOrganization('Role Ltd')
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    await owner.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })
    const mail = await app.nextMail(member.email)
    expect(mail.subject).toBe('You are now an admin of Role Ltd')
    expect(mail.text).toContain(`${owner.user.name} made you an admin`)
  })

  test('of the end of the membership, also when a key ended it', async () => {
    const organization = await app.createOrganization('Removal Ltd')
    const key = await app.withKey(['organizations:write'], organization)
    const member = await app.createMember('member', organization)
    await key.delete(`/api/v1/organizations/current/members/${member.id}`)
    const mail = await app.nextMail(member.email)
    expect(mail.subject).toBe('You are no longer a member of Removal Ltd')
    expect(mail.text).toContain('The API key test key removed you')
  })

  test('of a transfer of ownership, both of them, also with notifications switched off', async () => {
    const organization = await app.createOrganization('Handover Ltd')
    const owner = await app.signedIn('owner', organization)
    const successor = await app.createMember('member', organization)
    for (const { email } of [organization.owner, successor])
      await app.db.updateTable('users').set({ notify_membership: false }).where('email', '=', email).execute()
    await owner.post('/api/web/organizations/current/transfer-ownership', { userId: successor.id, password: PASSWORD })
    expect((await app.nextMail(successor.email)).subject).toBe('You are now the owner of Handover Ltd')
    expect((await app.nextMail(organization.owner.email)).subject).toBe(
      `${successor.name} is now the owner of Handover Ltd`,
    )
  })

  test('of nothing that they switched off', async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const member = await app.createMember('member', organization)
    const own = await app.signIn(member)
    await own.patch('/api/web/account', { notifications: { membership: false } })
    await owner.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })
    await owner.delete(`${MEMBERS}/${member.id}`)
    expect(await mailsTo(member.email)).toEqual([])
  })

  test('of no change that was refused or changed nothing (A4)', async () => {
    const organization = await app.createOrganization()
    const admin = await app.signedIn('admin', organization)
    await admin.patch(`${MEMBERS}/${organization.owner.id}`, { role: 'member' })
    await admin.delete(`${MEMBERS}/${organization.owner.id}`)
    await admin.patch(`${MEMBERS}/${admin.user.id}`, { role: 'admin' })
    expect(await mailsTo(organization.owner.email)).toEqual([])
    expect(await mailsTo(admin.user.email)).toEqual([])
  })
})

describe('owner and admins are notified', () => {
  test('of a created or deleted key, members are not; the value is in no mail', async () => {
    const organization = await app.createOrganization('Key Ltd')
    const owner = await app.signedIn('owner', organization)
    const admin = await app.createMember('admin', organization)
    const member = await app.createMember('member', organization)
    const { body } = await owner.post('/api/web/api-keys', {
      name: 'ci <b>pipeline</b>',
      environment: 'live',
      scopes: ['tasks:read'],
    })
    for (const { email } of [organization.owner, admin]) {
      const mail = await app.nextMail(email)
      expect(mail.text).toContain(
        `${organization.owner.name} created the live key "ci <b>pipeline</b>", which may: tasks:read.`,
      )
      expect(mail.html).not.toContain('<b>')
      expect(mail.text + (mail.html ?? '')).not.toContain(body.data.value)
    }
    expect(await mailsTo(member.email)).toEqual([])
  })

  test('of many accepted invitations in two mails each: one at once, one for the rest', async () => {
    const organization = await app.createOrganization('Crowd Ltd')
    const owner = await app.signedIn('owner', organization)
    for (let i = 0; i < 12; i++) {
      const email = `crowd${i}@example.com`
      await owner.post(`${MEMBERS}/invite`, { email, role: 'member' })
      const token = tokenOf(await app.nextMail(email))
      await app.anonymous.post('/api/web/invitations/accept', {
        token,
        name: `Crowd ${i}`,
        password: 'a password for a test',
      })
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

describe('F25: any number of admins', () => {
  const MANY = 1_200
  let quiet: TestApp
  beforeAll(async () => {
    quiet = await testApp({ workers: false })
  })
  afterAll(() => quiet.close())

  const addAdmins = async ({ id }: TestOrganization, count: number) => {
    const word = id.slice(-8)
    await sql`insert into users (id, name, email, email_key, is_instance_admin, created_at, updated_at)
      select 'usr_' || ${word} || lpad(n::text, 18, '0'), 'Admin ' || n, n || '.' || ${word} || '@example.com', n || '.' || ${word} || '@example.com', false, now(), now()
      from generate_series(1, ${count}) n`.execute(quiet.db)
    await sql`insert into memberships (organization_id, user_id, name, email, role, joined_at, updated_at)
      select ${id}, id, name, email, 'admin', now(), now() from users where email like '%.' || ${word} || '@example.com'`.execute(
      quiet.db,
    )
  }

  /** Three events: the first is mailed at once, the second starts a collection, the third is added to it. */
  const tellThrice = async (admins: number) => {
    const organization = await quiet.createOrganization()
    await addAdmins(organization, admins)
    const owner = await quiet.signedIn('owner', organization)
    const counts: number[] = []
    const durations: number[] = []
    for (let i = 0; i < 3; i++) {
      const startedAt = performance.now()
      const statements = await statementsDuring(async () => {
        const { status } = await owner.post('/api/web/api-keys', {
          name: `key ${i}`,
          environment: 'test',
          scopes: ['tasks:read'],
        })
        expect(status).toBe(201)
      })
      durations.push(performance.now() - startedAt)
      // A timer writes times of last use at any moment.
      counts.push(statements.filter((text) => /\bmails\b|\bmemberships as m\b|pgboss/.test(text)).length)
    }
    const { rows } = await sql<{ lines: number; mails: number; jobs: number }>`
      select jsonb_array_length(data->'lines') as lines, count(*)::int as mails,
        (select count(*)::int from pgboss.job j where j.data->>'mailId' = any(array_agg(m.id))) as jobs
      from mails m where organization_id = ${organization.id} group by 1 order by 1`.execute(quiet.db)
    return { counts, durations, rows }
  }

  test('F25: all are notified with as many statements as one, and without delaying others for long', async () => {
    const few = await tellThrice(1)
    const many = await tellThrice(MANY)
    expect(few.rows).toEqual([1, 2].map((lines) => ({ lines, mails: 2, jobs: 2 })))
    expect(many.rows).toEqual([1, 2].map((lines) => ({ lines, mails: MANY + 1, jobs: MANY + 1 })))
    expect(Math.min(...few.counts)).toBeGreaterThanOrEqual(2)
    expect(many.counts).toEqual(few.counts)
    // One statement for each took more than a second; the statements for all still take some time.
    expect(Math.max(...many.durations) / Math.max(...few.durations)).toBeLessThan(MANY / 10)
  })
})
