import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_TYPES } from '../../../src/app/app.ts'
import { writeLastBackup } from '../../../src/features/instance/last-backup.queries.ts'
import { isoTime } from '../../../src/platform/clock.ts'
import { PASSWORD, type TestApp, testApp, tokenOf } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { metricsText } from '../../support/document/metrics.ts'

let app: TestApp
let admin: TestClient & { user: { id: string; email: string } }
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

describe('a caller who is not an instance administrator', () => {
  test('is refused by every endpoint, the owner of an organization included', async () => {
    const owner = await app.signedIn('owner')
    const paths = app.routes
      .filter(({ endpoint }) => endpoint.scope === 'instance-admin')
      .map(({ endpoint }) => endpoint)
    expect(paths.length).toBeGreaterThanOrEqual(8)
    for (const { method, path } of paths) {
      const url = `/api/web${path.replace(':userId', owner.user.id).replaceAll(/:\w+/g, 'mal_01jd7w2v4pf1y8m3c6k9t0r5xz')}`
      expect((await owner.request(method, url)).status).toBe(403)
      expect((await app.anonymous.request(method, url)).status).toBe(401)
    }
  })
})

describe('an instance administrator', () => {
  test('sees versions and health', async () => {
    const { body } = await admin.get('/api/web/instance')
    expect(body.data).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      nodeVersion: process.versions.node,
      embeddedDatabase: true,
    })
    expect(body.data.schemaVersion).toBeGreaterThanOrEqual(2)
    expect(body.data.components.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['database', 'ok'],
      ['storage', 'ok'],
      ['mail', 'ok'],
      ['jobs', 'ok'],
      ['redis', 'off'],
      ['backup', 'off'],
    ])
  })

  test('O1: sees the age of the last backup, and a warning after two days; the metrics report the same, and the age of the database before the first backup', async () => {
    const hour = 60 * 60 * 1000
    const component = async () =>
      (await admin.get('/api/web/instance')).body.data.components.find(
        ({ name }: { name: string }) => name === 'backup',
      )
    const metric = async (name: string) => {
      const text = await metricsText(app.origin)
      return Number(new RegExp(`^sortie_backup_${name} (\\S+)$`, 'm').exec(text)?.[1])
    }
    expect(await metric('age_seconds')).toBeGreaterThanOrEqual(0)
    expect(await metric('bytes')).toBeNaN()
    await writeLastBackup(app.db, { taken_at: isoTime(app.clock.now() - 47 * hour), bytes: 1_234 })
    expect(await component()).toMatchObject({ status: 'ok', message: expect.stringContaining('47 hours ago') })
    await writeLastBackup(app.db, { taken_at: isoTime(app.clock.now() - 49 * hour), bytes: 5_678 })
    expect(await component()).toMatchObject({ status: 'degraded', message: expect.stringContaining('49 hours ago') })
    expect(await metric('age_seconds')).toBeCloseTo((49 * hour) / 1000, -2)
    expect(await metric('bytes')).toBe(5_678)
  })

  test('A6: opens no organization without being its member', async () => {
    const organization = await app.createOrganization()
    const inside = admin.with({ 'x-organization': organization.id })
    for (const path of ['organizations/current', 'organizations/current/members', 'audit', 'api-keys', 'engagements']) {
      expect((await inside.get(`/api/web/${path}`)).status).toBe(404)
    }
  })

  test('creates an organization for an existing account, and notifies its owner', async () => {
    const owner = await app.createUser()
    const answer = await admin.post('/api/web/instance/organizations', {
      name: 'Ärzte & Söhne',
      ownerEmail: owner.email.toUpperCase(),
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      ownerIsNew: false,
      organization: { name: 'Ärzte & Söhne', slug: 'arzte-sohne', memberCount: 1, owner },
    })
    expect((await app.nextMail(owner.email)).subject).toBe('You are now the owner of Ärzte & Söhne')
    const signedIn = await app.signIn(owner, answer.body.data.organization.id)
    expect((await signedIn.get('/api/web/organizations/current')).body.data.memberCount).toBe(1)
    const audit = await signedIn.get('/api/web/audit?action=organization.created')
    expect(audit.body.data[0].actor.id).toBe(admin.user.id)
  })

  test('S13: creates one for a new address, whose owner can do nothing before setting a password by the mailed link', async () => {
    const email = 'new.owner@example.com'
    const answer = await admin.post('/api/web/instance/organizations', {
      name: 'Northwind',
      ownerEmail: email,
      ownerName: 'New Owner',
    })
    expect(answer.body.data.ownerIsNew).toBe(true)
    expect((await app.anonymous.post('/api/auth/sign-in/email', { email, password: PASSWORD })).status).toBe(401)
    const token = tokenOf(await app.nextMail(email))
    expect((await app.anonymous.post('/api/auth/password-reset/inspect', { token })).body.data).toMatchObject({
      email,
      purpose: 'welcome',
      name: 'New Owner',
    })
    app.clock.advance(24 * 60 * 60 * 1000)
    admin = await app.signIn(admin.user as never)
    const chosen = await app.anonymous.post('/api/auth/password-reset/confirm', {
      token,
      name: 'Nora Owens',
      password: 'a password of her own',
    })
    expect(chosen.status).toBe(200)
    const signedIn = await app.anonymous.post('/api/auth/sign-in/email', { email, password: 'a password of her own' })
    expect(signedIn.body.data.user.name).toBe('Nora Owens')
  })

  test('lists organizations and accounts in pages, and finds them by a part of their names', async () => {
    await app.createOrganization('100% Sure_Thing')
    const found = await admin.get('/api/web/instance/organizations?search=0%25%20sure_')
    expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['100% Sure_Thing'])
    expect((await admin.get('/api/web/instance/organizations?search=%25')).body.meta.total).toBe(1)
    const page = await admin.get('/api/web/instance/accounts?page=2&perPage=1')
    expect(page.body.meta).toMatchObject({ page: 2, perPage: 1 })
    expect(page.body.data).toHaveLength(1)
    const admins = await admin.get('/api/web/instance/accounts?isInstanceAdmin=true')
    expect(admins.body.data).toEqual([
      expect.objectContaining({
        name: 'Instance Admin',
        isInstanceAdmin: true,
        hasPassword: true,
        secondFactorEnabled: false,
      }),
    ])
  })

  test('M1: appoints others, and of two who remove each other at once one stays', async () => {
    const second = await app.createUser()
    const naming = `/api/web/instance/accounts/${second.id}`
    expect((await admin.patch(naming, { isInstanceAdmin: true })).body.data.isInstanceAdmin).toBe(true)
    const other = await app.signIn(second)
    const unname = (by: TestClient, id: string) =>
      by.patch(`/api/web/instance/accounts/${id}`, { isInstanceAdmin: false })
    const answers = await Promise.all([unname(admin, second.id), unname(other, admin.user.id)])
    const left = await app.db.selectFrom('users').select('id').where('is_instance_admin', '=', true).execute()
    expect(left).toHaveLength(1)
    expect(answers.map(({ status }) => status)).toContain(200)
    await app.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', admin.user.id).execute()
    await app.db.updateTable('users').set({ is_instance_admin: false }).where('id', '=', second.id).execute()
    expect((await unname(admin, admin.user.id)).status).toBe(409)
  })

  test('sees the job queues', async () => {
    const { body } = await admin.get('/api/web/instance/jobs')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(JOB_TYPES.map(({ name }) => name))
    expect(body.data[0]).toMatchObject({ failed: 0 })
  })

  test('sees the outbox, why a mail failed, and retries it', async () => {
    const user = await app.createUser()
    await app.signIn(user)
    await app.anonymous.post('/api/auth/password-reset', { email: user.email })
    await app.nextMail(user.email)
    const newest = await admin.get('/api/web/instance/mails?perPage=1')
    const [mail] = newest.body.data
    expect(mail).toMatchObject({ kind: 'password-reset', recipient: user.email, organization: null })
    expect(newest.body.meta.nextCursor).toBe(mail.id)
    const next = await admin.get(`/api/web/instance/mails?perPage=1&cursor=${mail.id}`)
    expect(next.body.data[0].id < mail.id).toBe(true)
    await app.db
      .updateTable('mails')
      .set({ status: 'failed', last_error: '550 no such mailbox', sent_at: null })
      .where('id', '=', mail.id)
      .execute()
    const failed = await admin.get('/api/web/instance/mails?status=failed')
    expect(failed.body.data).toEqual([expect.objectContaining({ id: mail.id, lastError: '550 no such mailbox' })])
    const { body } = await admin.get('/api/web/instance')
    expect(body.data.components[2]).toMatchObject({
      name: 'mail',
      status: 'degraded',
      message: expect.stringContaining('550 no such mailbox'),
    })
    const retried = await admin.post(`/api/web/instance/mails/${mail.id}/retry`)
    expect(retried.body.data).toMatchObject({ id: mail.id, status: 'queued', lastError: null })
    expect((await admin.post(`/api/web/instance/mails/${mail.id}/retry`)).status).toBe(409)
    expect((await admin.post('/api/web/instance/mails/mal_01jd7w2v4pf1y8m3c6k9t0r5xz/retry')).status).toBe(404)
  })
})
