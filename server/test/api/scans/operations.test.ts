import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { type Receiver, startReceiver, startRawReceiver } from '../../support/races/receiver.ts'

const OPERATIONS = '/api/v1/operations'
let app: TestApp
let key: TestClient
let web: Receiver
let elsewhere: Receiver
let silent: Receiver
let closed: Receiver

beforeAll(async () => {
  elsewhere = await startReceiver((_request, response) => response.end('moved here'))
  web = await startReceiver(({ url }, response) => {
    if (url === '/away') response.writeHead(302, { location: elsewhere.origin }).end()
    else response.end('hello')
  })
  silent = await startRawReceiver(() => undefined)
  closed = await startRawReceiver(() => undefined)
  await closed.close()
  app = await testApp({
    workers: false,
    env: { EGRESS_ALLOW: [web, elsewhere, silent, closed].map(({ port }) => `127.0.0.1:${port}`).join(',') },
  })
  key = await app.withKey([
    'targets:read',
    'targets:write',
    'organizations:write',
    'organizations:read',
    'api-requests:read',
    'api-requests:write',
  ])
})
afterAll(async () => {
  await app.close()
  await Promise.all([web, elsewhere, silent].map((side) => side.close()))
})

const note = (engagementId: string, more: object) =>
  key.post(OPERATIONS, { engagementId, startedAt: '2026-11-21T14:03:02.120Z', protocol: 'TCP', ...more })

const addressesOf = async (query: string): Promise<(string | null)[]> =>
  (await key.get(`${OPERATIONS}?sort=startedAt&order=asc&${query}`)).body.data.map(
    ({ address, host }: { address: string | null; host: string | null }) => address ?? host,
  )

describe('the operation log', () => {
  test('stores what people did from elsewhere, with who recorded it; addresses and names in their canonical form', async () => {
    const engagementId = await newEngagement(key)
    const { status, body } = await note(engagementId, {
      address: '2001:DB8::0:5',
      host: 'Shop.Example.com',
      port: 443,
      endedAt: '2026-11-21T14:05:00.000Z',
      note: ' by hand ',
    })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^opr_/),
        engagementId,
        kind: 'manual',
        scanId: null,
        runId: null,
        importId: null,
        startedAt: '2026-11-21T14:03:02.120Z',
        endedAt: '2026-11-21T14:05:00.000Z',
        sourceAddress: null,
        address: '2001:db8::5',
        host: 'shop.example.com',
        port: 443,
        ports: null,
        protocol: 'tcp',
        by: { id: expect.stringMatching(/^key_/), name: expect.any(String) },
        note: 'by hand',
        command: null,
        exitCode: null,
        overrideReason: null,
      },
    ])
  })

  test.each([
    [{}, 'address: this or host is needed'],
    [{ address: '10.0.0.0/24' }, 'address: must be an IP address'],
    [{ host: '10.0.0.5' }, 'host: must be a host name'],
    [{ address: '10.0.0.5', sourceAddress: 'office' }, 'sourceAddress: must be an IP address'],
    [{ address: '10.0.0.5', endedAt: '2026-11-21T14:03:02.119Z' }, 'endedAt: must not be before startedAt'],
  ])('rejects %j', async (more, message) => {
    const { status, body } = await note(await newEngagement(key), more)
    expect([status, body.error.message]).toEqual([422, message])
  })

  test('answers whether traffic was ours: by address, network or name, and by the time within a minute', async () => {
    const engagementId = await newEngagement(key)
    const at = (time: string) => `2026-11-21T14:${time}.000Z`
    const noted = [
      { address: '10.0.0.5', startedAt: at('00:00'), endedAt: at('10:00') },
      { address: '10.0.0.255', startedAt: at('20:00') },
      { address: '10.0.1.0', startedAt: at('20:01') },
      { address: '9.255.255.255', startedAt: at('20:02') },
      { address: '2001:db8::5', startedAt: at('20:03') },
      { host: 'shop.example.com', startedAt: at('20:04') },
    ]
    for (const each of noted) expect((await note(engagementId, each)).status).toBe(201)
    const found = (query: string) => addressesOf(`engagementId=${engagementId}&${query}`)
    expect(await found('address=10.0.0.5')).toEqual(['10.0.0.5'])
    expect(await found(`address=${encodeURIComponent('10.0.0.0/24')}`)).toEqual(['10.0.0.5', '10.0.0.255'])
    expect(await found(`address=${encodeURIComponent('2001:db8::/32')}`)).toEqual(['2001:db8::5'])
    expect(await found(`address=${encodeURIComponent('0.0.0.0/0')}`)).toHaveLength(4)
    expect(await found('address=SHOP.example.com')).toEqual(['shop.example.com'])
    expect(await found(`at=${at('05:00')}`)).toEqual(['10.0.0.5'])
    expect(await found(`at=${at('11:00')}`)).toEqual(['10.0.0.5'])
    expect(await found(`at=${at('11:01')}`)).toEqual([])
    expect(await found(`at=${at('19:00')}`)).toEqual(['10.0.0.255'])
    expect(await found(`at=${at('18:59')}`)).toEqual([])
    expect(await found('kind=manual,scan')).toHaveLength(6)
    expect((await key.get(`${OPERATIONS}?address=10.0.0.0/99`)).status).toBe(400)
  })

  test('is exported with the filters of the list; spreadsheets execute nothing in it', async () => {
    const engagementId = await newEngagement(key)
    await note(engagementId, { address: '10.0.0.5', port: 22, note: '=HYPERLINK("x")' })
    await note(engagementId, { address: '10.0.0.6' })
    const { text, headers } = await key.get(`${OPERATIONS}/export?engagementId=${engagementId}&address=10.0.0.5`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`2026-11-21T14:03:02.120Z,,manual,,10.0.0.5,,22,,tcp,`)
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('downloaded by a link, which names the organization in the query, has the rows of the list, with the filter organization too', async () => {
    const engagementId = await newEngagement(key)
    await note(engagementId, { address: '10.0.0.7', note: 'by link' })
    const person = await app.signedIn('member')
    const browser = app.anonymous.with({ cookie: person.headers.cookie as string, 'sec-fetch-site': 'same-origin' })
    const download = (query: string) => browser.get(`/api/web/operations/export?${query}`)
    const named = `organizationId=${app.organization.id}`
    expect((await download(`engagementId=${engagementId}&${named}`)).text).toContain('by link')
    const without = await download(`organization=true&${named}`)
    expect([without.status, without.text.includes('by link')]).toEqual([200, false])
    // Here the name is that of a filter: an id is refused, not taken for `true`.
    expect((await download(`engagementId=${engagementId}&organization=${app.organization.id}`)).status).toBe(400)
  })

  test('allows no change or deletion of a row, and is deleted with its engagement', async () => {
    const engagementId = await newEngagement(key)
    await note(engagementId, { address: '10.0.0.5' })
    const rows = app.db.selectFrom('operation_log_entries').selectAll().where('engagement_id', '=', engagementId)
    await expect(
      app.db
        .updateTable('operation_log_entries')
        .set({ note: 'other' })
        .where('engagement_id', '=', engagementId)
        .execute(),
    ).rejects.toThrow()
    await expect(
      app.db.deleteFrom('operation_log_entries').where('engagement_id', '=', engagementId).execute(),
    ).rejects.toThrow('append-only')
    expect(await rows.execute()).toHaveLength(1)
    await app.asSuperuser(`delete from engagements where id = '${engagementId}'`)
    expect(await rows.execute()).toHaveLength(0)
  })

  test('has a row for each executed request and each followed redirect; none for refused ones', async () => {
    const engagementId = await newEngagement(key)
    await key.post('/api/v1/scope-rules', { engagementId, effect: 'deny', pattern: 'secret.example.com' })
    const send = (url: string) =>
      key.post('/api/v1/api-requests/send', {
        engagementId,
        request: { method: 'GET', url, options: { followRedirects: 'yes' } },
      })
    const { id } = (await send(`${web.origin}/`)).body.data
    const row = {
      kind: 'request',
      runId: id,
      address: '127.0.0.1',
      sourceAddress: '127.0.0.1',
      port: web.port,
      protocol: 'http',
      host: null,
      by: expect.objectContaining({ name: expect.any(String) }),
    }
    const list = async () => (await key.get(`${OPERATIONS}?engagementId=${engagementId}`)).body.data
    expect(await list()).toEqual([expect.objectContaining(row)])
    await send(`${web.origin}/away`)
    expect((await list()).map(({ port }: { port: number }) => port).toSorted()).toEqual(
      [web.port, web.port, elsewhere.port].toSorted(),
    )
    expect((await send('http://secret.example.com/')).body.data.state).toBe('refused')
    expect(await list()).toHaveLength(3)
  })
  test('has a row for each failed connection, with its source address and the reason: refused, without TLS, or timed out', async () => {
    const engagementId = await newEngagement(key)
    const send = (url: string) =>
      key.post('/api/v1/api-requests/send', {
        engagementId,
        request: { method: 'GET', url, options: { timeoutMs: 1_000 } },
      })
    for (const url of [
      `http://127.0.0.1:${closed.port}/`,
      `https://127.0.0.1:${web.port}/`,
      `https://127.0.0.1:${silent.port}/`,
    ]) {
      const { id, state, reason, hops } = (await send(url)).body.data
      expect(state).toBe('failed')
      const [row, ...more] = (await key.get(`${OPERATIONS}?engagementId=${engagementId}`)).body.data.filter(
        ({ runId }: { runId: string }) => runId === id,
      )
      const { port, protocol } = new URL(hops[0].url)
      expect(more).toEqual([])
      const went = {
        address: '127.0.0.1',
        sourceAddress: '127.0.0.1',
        port: Number(port),
        protocol: protocol.slice(0, -1),
      }
      expect(row).toMatchObject({ kind: 'request', ...went, note: reason })
    }
  })
})
