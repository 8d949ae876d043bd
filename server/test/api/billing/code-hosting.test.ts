import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteOldPayloads } from '../../../src/features/code-hosting/code-hosting.service.ts'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const SECRET = "It's a Secret to Everybody"
const NEXT_SECRET = 'Its successor, without the comma'.replace(',', '')
const URL = '/api/code-hosting/webhook'

let app: TestApp
let admin: TestClient
let serial = 0

beforeAll(async () => {
  app = await testApp({ env: { CODE_HOSTING_WEBHOOK_SECRET: `${SECRET},${NEXT_SECRET}` }, workers: false })
  admin = await app.signIn(await app.createUser('Instance Administrator', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const sign = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const post = (body: string | Buffer, signature: string | undefined, headers: Record<string, string> = {}, to = app) =>
  to.anonymous.request('POST', URL, {
    rawBody: body,
    headers: {
      'content-type': 'application/json',
      ...(signature !== undefined && { 'x-hub-signature-256': signature }),
      ...headers,
    },
  })
const notice = (repository: string, action = 'opened') => ({
  action,
  number: ++serial,
  repository: { full_name: repository },
})
const deliver = (payload: object, headers: Record<string, string> = {}, to = app) => {
  const body = JSON.stringify(payload)
  return post(
    body,
    sign(body),
    { 'x-github-event': 'issues', 'x-github-delivery': `delivery-${++serial}`, ...headers },
    to,
  )
}
const countDeliveries = async (of = app) =>
  (
    await of.db
      .selectFrom('code_hosting_deliveries')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n
const ownerOf = (organization: TestOrganization) => app.signedIn('owner', organization)
const connect = (by: TestClient, fullName: string) => by.post('/api/web/code-hosting/repositories', { fullName })
const confirm = (id: string, by = admin) =>
  by.request('POST', `/api/web/instance/code-hosting/repositories/${id}/confirm`)

describe('the signature of a code-hosting notification', () => {
  test('W1: the published vector is accepted', async () => {
    const vector = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const { status, body } = await post('Hello, World!', vector)
    expect([status, body]).toEqual([200, { received: true }])
    expect((await post('Hello, World?', vector)).status).toBe(400)
  })

  test('W1: a missing, short, wrong or non-hexadecimal one, or another scheme, is 400 and stores nothing', async () => {
    const body = JSON.stringify(notice('northwind/portal'))
    const right = sign(body)
    const hex = right.slice(7)
    const before = await countDeliveries()
    const signatures = [
      undefined,
      '',
      hex,
      'sha256=',
      `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`,
      `sha512=${createHmac('sha512', SECRET).update(body).digest('hex')}`,
      right.slice(0, -1),
      `${right}0`,
      `${right}, ${right}`,
      right.toUpperCase(),
      `sha256=${'é'.repeat(64)}`,
      `sha256=${'0'.repeat(64)}`,
      sign(body, `${SECRET}\n`),
      sign(body, ' '),
      sign(body, `${SECRET},${NEXT_SECRET}`),
      sign(`${body}\n`),
    ]
    for (const signature of signatures) {
      const { status, body: answer } = await post(body, signature)
      expect([signature, status, answer.error.code]).toEqual([signature, 400, 'BAD_REQUEST'])
    }
    const sha1 = await post(body, undefined, {
      'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`,
    })
    expect(sha1.status).toBe(400)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        expect((await post(Buffer.from(bytes), right)).status).toBe(400)
      }),
      { numRuns: runs(60) },
    )
    expect(await countDeliveries()).toBe(before)
    expect((await post(body, right)).status).toBe(200)
  })

  test('W5: a body over 256 KiB is 400; a body of exactly 256 KiB is read', async () => {
    const most = 'x'.repeat(262_144)
    expect((await post(most, sign(most))).status).toBe(200)
    expect((await post(`${most}x`, sign(`${most}x`))).status).toBe(400)
  })

  test('W6: without a secret the path does not exist', async () => {
    const other = await testApp({ workers: false })
    expect((await deliver(notice('northwind/portal'), {}, other)).status).toBe(404)
    const owner = await other.signedIn('owner')
    expect((await owner.get('/api/web/code-hosting/repositories')).body).toEqual({ data: [], meta: { enabled: false } })
    await other.close()
  })

  test('W7: two secrets are valid during a rotation, and the old one no longer once it is removed', async () => {
    for (const secret of [SECRET, NEXT_SECRET]) {
      const body = JSON.stringify(notice('northwind/portal'))
      expect((await post(body, sign(body, secret))).status).toBe(200)
    }
    const other = await testApp({ env: { CODE_HOSTING_WEBHOOK_SECRET: NEXT_SECRET }, workers: false })
    expect((await deliver(notice('northwind/portal'), {}, other)).status).toBe(400)
    await other.close()
  })
})

describe('a delivery', () => {
  test('W2, W3: is stored once: twenty copies at once, the same body under another id, another body under the same id', async () => {
    const before = await countDeliveries()
    const payload = notice('northwind/copies')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deliver(payload, { 'x-github-delivery': 'copies' })),
    )
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(20).fill('200 {"received":true}'))
    expect((await deliver(payload, { 'x-github-delivery': 'another' })).status).toBe(200)
    expect((await deliver(notice('northwind/copies'), { 'x-github-delivery': 'copies' })).status).toBe(200)
    expect(await countDeliveries()).toBe(before + 1)
  })

  test('W2: is recognised as a replay after its body was removed', async () => {
    const other = await testApp({ env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET }, workers: false })
    const payload = notice('northwind/old')
    await deliver(payload, {}, other)
    const stored = () => other.db.selectFrom('code_hosting_deliveries').select('payload').execute()
    other.clock.advance(89 * 24 * 60 * 60 * 1000)
    await deleteOldPayloads(other.db, other.clock)
    expect((await stored()).map((row) => JSON.parse(String(row.payload)))).toEqual([payload])
    other.clock.advance(24 * 60 * 60 * 1000 + 1)
    await deleteOldPayloads(other.db, other.clock)
    expect(await stored()).toEqual([{ payload: null }])
    await deliver(payload, {}, other)
    expect(await stored()).toEqual([{ payload: null }])
    await other.close()
  })

  test('sent as a form is read from its field', async () => {
    const body = new URLSearchParams({ payload: JSON.stringify(notice('northwind/form')) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-github-event': 'issues' }
    expect((await post(body, sign(body), headers)).status).toBe(200)
    const { body: page } = await admin.get('/api/web/instance/code-hosting/deliveries')
    expect(page.data[0]).toMatchObject({
      repository: 'northwind/form',
      event: 'issues',
      action: 'opened',
      deliveryId: null,
    })
  })

  test('with malformed texts shows none of them', async () => {
    const odd = { action: 'a\u0000\u202e', repository: { full_name: '<b>/../x' } }
    expect((await deliver(odd, { 'x-github-event': 'no event', 'x-github-delivery': '"><script>' })).status).toBe(200)
    const { body } = await admin.get('/api/web/instance/code-hosting/deliveries')
    expect(body.data[0]).toMatchObject({ event: 'unknown', action: null, repository: null, deliveryId: null })
  })
})

describe('a repository', () => {
  test('shows nothing to the requesting organization until an instance administrator confirms it', async () => {
    const organization = await app.createOrganization()
    const owner = await ownerOf(organization)
    const requested = await connect(owner, 'Northwind/Portal')
    expect([requested.status, requested.body.data]).toMatchObject([
      201,
      { fullName: 'Northwind/Portal', status: 'pending', connectedAt: null },
    ])
    await deliver(notice('northwind/portal'))
    expect((await owner.get('/api/web/code-hosting/deliveries')).body.data).toEqual([])
    const { id } = requested.body.data
    expect((await confirm(id, owner)).status).toBe(403)
    expect((await owner.get('/api/web/instance/code-hosting/repositories')).status).toBe(403)
    expect((await admin.get('/api/web/instance/code-hosting/repositories')).body.data).toMatchObject([
      { id, organization: { id: organization.id } },
    ])
    expect((await confirm(id)).body.data).toMatchObject({
      id,
      status: 'connected',
      organization: { id: organization.id },
    })
    expect((await confirm(id)).status).toBe(200)
    await deliver(notice('northwind/PORTAL', 'closed'), { 'x-github-delivery': 'after' })
    const { body } = await owner.get('/api/web/code-hosting/deliveries')
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          deliveryId: 'after',
          event: 'issues',
          action: 'closed',
          repository: 'northwind/PORTAL',
          receivedAt: expect.any(String),
        },
      ],
      meta: { perPage: 20, nextCursor: null },
    })
    const unassigned = await admin.get('/api/web/instance/code-hosting/deliveries?perPage=100')
    expect(unassigned.text).not.toContain('"after"')
    expect(unassigned.body.data.length).toBe(await countDeliveries().then((all) => all - 1))
    const actions = await app.db
      .selectFrom('audit_entries')
      .select('action')
      .where('object_id', '=', id)
      .orderBy('id')
      .execute()
    expect(actions.map(({ action }) => action)).toEqual(['repository.requested', 'repository.connected'])
  })

  test('is confirmed at once if an instance administrator connects it', async () => {
    const organization = await app.createOrganization()
    await app.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', organization.owner.id).execute()
    const owner = await ownerOf(organization)
    expect((await connect(owner, 'own/repository')).body.data.status).toBe('connected')
    await deliver(notice('own/repository'))
    expect((await owner.get('/api/web/code-hosting/deliveries')).body.data.length).toBe(1)
  })

  test('A1: is connected to one organization, and only that one sees its deliveries', async () => {
    const [first, second] = [await app.createOrganization(), await app.createOrganization()]
    const [owner, other] = [await ownerOf(first), await ownerOf(second)]
    const { id } = (await connect(owner, 'shared/name')).body.data
    const rival = (await connect(other, 'shared/NAME')).body.data
    expect((await connect(owner, 'Shared/Name')).status).toBe(409)
    expect((await confirm(id)).status).toBe(200)
    expect((await confirm(rival.id)).status).toBe(409)
    await deliver(notice('shared/name'))
    expect((await other.get('/api/web/code-hosting/deliveries')).body.data).toEqual([])
    expect((await other.get('/api/web/code-hosting/repositories')).body.data.length).toBe(1)
    expect((await other.delete(`/api/web/code-hosting/repositories/${id}`)).status).toBe(404)
    expect((await owner.delete(`/api/web/code-hosting/repositories/${id}`)).body.data).toEqual({
      disconnected: true,
      repositoryId: id,
    })
    expect((await owner.get('/api/web/code-hosting/deliveries')).body.data.length).toBe(1)
    expect((await confirm(rival.id)).status).toBe(200)
    await deliver(notice('shared/name'))
    expect((await owner.get('/api/web/code-hosting/deliveries')).body.data.length).toBe(1)
    expect((await other.get('/api/web/code-hosting/deliveries')).body.data.length).toBe(1)
  })

  test('is for owner and admins only, and has the name that GitHub uses', async () => {
    const member = await app.signedIn('member')
    for (const path of ['repositories', 'deliveries'])
      expect((await member.get(`/api/web/code-hosting/${path}`)).status).toBe(403)
    expect((await connect(member, 'a/b')).status).toBe(403)
    const owner = await app.signedIn('owner')
    for (const name of ['portal', 'a/b/c', '/b', 'a/', 'a b/c', 'a/b%00', 'https://github.com/a/b', '-a/b']) {
      expect([name, (await connect(owner, name)).status]).toEqual([name, 422])
    }
  })

  test('lists its deliveries in pages, newest first', async () => {
    const organization = await app.createOrganization()
    const owner = await ownerOf(organization)
    await confirm((await connect(owner, 'paged/repository')).body.data.id)
    for (const delivery of ['one', 'two', 'three'])
      await deliver(notice('paged/repository'), { 'x-github-delivery': delivery })
    const first = (await owner.get('/api/web/code-hosting/deliveries?perPage=2')).body
    const second = (await owner.get(`/api/web/code-hosting/deliveries?perPage=2&cursor=${first.meta.nextCursor}`)).body
    expect([...first.data, ...second.data].map(({ deliveryId }) => deliveryId)).toEqual(['three', 'two', 'one'])
    expect(second.meta.nextCursor).toBeNull()
    expect((await owner.get('/api/web/code-hosting/deliveries?cursor=x')).status).toBe(400)
  })
})
