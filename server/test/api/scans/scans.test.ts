import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { eventually, freePort } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen } from '../../support/clients/listeners.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { ended, engagementWith, getScan, messageOf, portScan, started } from '../../support/scans/scans.ts'

const SCOPES = ['targets:read', 'targets:write', 'organizations:read', 'organizations:write'] as const
let app: TestApp
let key: TestClient
let names: DnsServer
let listeners: Listener[] = []

beforeAll(async () => {
  names = await DnsServer.start()
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', SCAN_MAX_PROBES: '300000', DNS_SERVERS: names.address } })
  key = await app.withKey(SCOPES)
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})
afterAll(async () => {
  await app.close()
  await names.stop()
})

const opened = async (port: number, address = '127.0.0.1'): Promise<Listener> => {
  const listener = await listen((socket) => socket.write('SSH-2.0-test\r\n'), address, port)
  listeners = [...listeners, listener]
  return listener
}

const resultsOf = async (engagementId: string, more = '') =>
  (await key.get(`/api/v1/results?engagementId=${engagementId}&perPage=100&sort=asset&order=asc${more}`)).body.data as {
    kind: string
    asset: string
    state: string
    tools: string[]
    targetId: string
  }[]

describe('a scan', () => {
  test('finds listeners; a repetition changes nothing; a closed listener is gone, and one that is back reappeared', async () => {
    const [open, other] = [await freePort(), await freePort()]
    const first = await opened(open)
    await opened(other)
    const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
    const wanted = { engagementId, scanners: [portScan([open, other])], targets: { ids } }
    const one = await started(key, wanted)
    expect(one).toMatchObject({
      state: 'queued',
      trigger: 'key',
      requestedBy: null,
      override: null,
      name: 'Ports: 127.0.0.1',
    })
    expect(await ended(key, one.id)).toMatchObject({
      state: 'succeeded',
      stateReason: null,
      progress: null,
      counts: { created: 3, unchanged: 0, skipped: 0 },
    })
    const found = await resultsOf(engagementId)
    expect(found.map(({ asset, state, tools, targetId }) => [asset, state, tools, targetId])).toEqual([
      ['127.0.0.1', 'present', ['ports'], ids[0]],
      ...[open, other].toSorted((a, b) => a - b).map((port) => [`127.0.0.1:${port}/tcp`, 'present', ['ports'], ids[0]]),
    ])
    expect(await resultsOf(engagementId, `&scanId=${one.id}`)).toEqual(found)
    const again = await key.post(`/api/v1/scans/${one.id}/repeat`)
    expect(again.status).toBe(201)
    expect(await ended(key, again.body.data.id)).toMatchObject({
      state: 'succeeded',
      counts: { created: 0, unchanged: 3, changed: 0, gone: 0 },
    })
    await first.stop()
    listeners = listeners.filter((listener) => listener !== first)
    const third = await ended(key, (await started(key, wanted)).id)
    expect(third).toMatchObject({ state: 'succeeded', counts: { unchanged: 2, gone: 1 } })
    expect((await resultsOf(engagementId, '&state=gone')).map(({ asset }) => asset)).toEqual([`127.0.0.1:${open}/tcp`])
    await opened(open)
    expect((await ended(key, (await started(key, wanted)).id)).counts).toMatchObject({
      unchanged: 2,
      reappeared: 1,
      gone: 0,
    })
    const diff = (await key.get(`/api/v1/results/diff?engagementId=${engagementId}&from=${one.id}&to=${third.id}`)).body
    expect(diff.meta.summary).toEqual({ new: 0, changed: 0, gone: 1, reappeared: 0 })
    const [{ id: renewed }] = [
      await started(key, { ...wanted, targets: { diff: { from: one.id, to: third.id, changes: ['gone'] } } }),
    ]
    expect(await ended(key, renewed)).toMatchObject({ state: 'succeeded', targets: { diff: { from: one.id } } })
  })

  test('N9: repeated requests with one Idempotency-Key are one scan, also simultaneous ones; two scans of a target at once find each result once', async () => {
    const port = await freePort()
    const listener = await opened(port)
    const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
    const wanted = { engagementId, scanners: [portScan([port])], targets: { ids } }
    const headers = { 'idempotency-key': `nightly-${port}` }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => key.request('POST', '/api/v1/scans', { body: wanted, headers })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1)
    const scans = async () =>
      (await key.get(`/api/v1/scans?engagementId=${engagementId}`)).body.data as { id: string }[]
    expect(await scans()).toHaveLength(1)
    await ended(key, answers[0]?.body.data.id)
    expect(listener.accepted).toBe(1)
    const [one, two] = [await started(key, wanted), await started(key, wanted)]
    // If the later one is written first, its data is newer, and the earlier one changes nothing.
    const counts = [await ended(key, one.id), await ended(key, two.id)].map((scan) => [
      scan.state,
      scan.counts.created,
      scan.counts.changed,
    ])
    expect(counts).toEqual([
      ['succeeded', 0, 0],
      ['succeeded', 0, 0],
    ])
    expect((await resultsOf(engagementId)).map(({ asset }) => asset)).toEqual(['127.0.0.1', `127.0.0.1:${port}/tcp`])
  })

  test('of which the egress policy refuses every target fails and says why; one of which it refuses only some does not', async () => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['10.9.8.7', '10.9.8.8'] })
    for (const scanners of [[portScan([80])], [{ id: 'http' }], [{ id: 'tls' }], [portScan([80]), { id: 'http' }]]) {
      const scan = await ended(key, (await started(key, { engagementId, scanners, targets: { ids } })).id)
      expect(scan, JSON.stringify(scanners)).toMatchObject({
        state: 'failed',
        stateReason: expect.stringMatching(
          /^Nothing could be scanned\. 10\.9\.8\.[78] was left out: .*the egress policy refuses it/,
        ),
      })
    }
    const { data } = (await key.get(`/api/v1/operations?engagementId=${engagementId}`)).body
    expect(data).toEqual([])
    const listener = await opened(await freePort())
    const some = await engagementWith(key, { targets: ['127.0.0.1', '10.9.8.7'] })
    const wanted = {
      engagementId: some.engagementId,
      scanners: [portScan([listener.port])],
      targets: { ids: some.ids },
    }
    expect(await ended(key, (await started(key, wanted)).id), 'one of them was asked').toMatchObject({
      state: 'succeeded',
      counts: { skipped: 1 },
    })
  })

  test('goes through a network address by address: what rules deny in it is never touched, and counted', async () => {
    const port = await freePort()
    const [touched, denied] = [await opened(port, '127.0.7.5'), await opened(port, '127.0.7.6')]
    const { engagementId } = await engagementWith(key, {
      allow: ['127.0.7.0/28'],
      deny: ['127.0.7.6'],
      targets: ['127.0.7.0/28'],
    })
    const scan = await ended(
      key,
      (await started(key, { engagementId, scanners: [portScan([port])], targets: { filter: { engagementId } } })).id,
    )
    expect(scan).toMatchObject({ state: 'succeeded', counts: { skipped: 1 } })
    expect([touched.accepted, denied.accepted]).toEqual([1, 0])
    expect((await resultsOf(engagementId, '&kind=service')).map(({ asset }) => asset)).toEqual([
      `127.0.7.5:${port}/tcp`,
    ])
    const parents = (await key.get(`/api/v1/targets?engagementId=${engagementId}&kind=ip`)).body.data as {
      source: string
      parentId: string
    }[]
    expect(parents.every(({ source, parentId }) => source === 'scan' && parentId !== null)).toBe(true)
    expect(parents.length).toBe(15)
  })

  test('runs scanners on the results of earlier ones; records that a name server no longer returns are gone, by queried type', async () => {
    const port = await freePort()
    const listener = await opened(port)
    const name = 'shop.scanned.test'
    names.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
    names.records.set(name, [{ type: 'MX', name, ttl: 60, data: { preference: 10, exchange: 'mail.scanned.test' } }])
    const { engagementId, ids } = await engagementWith(key, { allow: ['*.scanned.test', name], targets: [name] })
    const dns = (types: string[]) => ({ id: 'dns', options: { types, addTargets: true } })
    const run = async (types: string[]) =>
      ended(key, (await started(key, { engagementId, scanners: [dns(types), portScan([port])], targets: { ids } })).id)
    expect(await run(['A', 'MX'])).toMatchObject({ state: 'succeeded', counts: { created: 4 } })
    expect(listener.accepted).toBe(1)
    const found = (await resultsOf(engagementId)).map(({ kind, asset }) => `${kind} ${asset}`)
    expect(found.toSorted()).toEqual([
      `dns_record ${name}`,
      `dns_record ${name}`,
      'host 127.0.0.1',
      `service 127.0.0.1:${port}/tcp`,
    ])
    const targets = (await key.get(`/api/v1/targets?engagementId=${engagementId}&verdict=in`)).body.data as {
      canonical: string
    }[]
    expect(targets.map(({ canonical }) => canonical).toSorted()).toEqual(['mail.scanned.test', name])
    names.records.delete(name)
    expect((await run(['A'])).counts).toMatchObject({ unchanged: 3, gone: 0 })
    expect((await run(['A', 'MX'])).counts).toMatchObject({ unchanged: 3, gone: 1 })
  })

  test('writes its messages into a log, and its probes into the operation log: a row for each address and minute', async () => {
    const ports = [await freePort(), await freePort()].toSorted((a, b) => a - b)
    await opened(ports[0] as number)
    const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
    const { id, startedAt } = await ended(
      key,
      (await started(key, { engagementId, scanners: [portScan(ports)], targets: { ids } })).id,
    )
    const log = (await key.get(`/api/v1/scans/${id}/log?perPage=2`)).body
    expect(log.data[0]).toMatchObject({ level: 'info', scanner: 'ports', text: 'Started.' })
    const next = (await key.get(`/api/v1/scans/${id}/log?cursor=${log.meta.nextCursor}&perPage=100`)).body
    expect(next.data.at(-1)).toMatchObject({ scanner: null, text: 'Finished.' })
    const rows = (await key.get(`/api/v1/operations?engagementId=${engagementId}&at=${startedAt}`)).body.data as {
      ports: string | null
    }[]
    expect(rows.length).toBeGreaterThan(0)
    expect(rows[0]).toMatchObject({
      kind: 'scan',
      scanId: id,
      address: '127.0.0.1',
      sourceAddress: '127.0.0.1',
      protocol: 'tcp',
      host: null,
    })
    expect(await app.db.selectFrom('scan_probes').selectAll().execute()).toEqual([])
  })
})

test('is deleted with its engagement, and so are its rows of the operation log', async () => {
  const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  await ended(
    key,
    (await started(key, { engagementId, scanners: [portScan([await freePort()])], targets: { ids } })).id,
  )
  const left = async () => {
    const count = async (table: 'operation_log_entries' | 'scans' | 'scan_log') =>
      (await app.db.selectFrom(table).select('engagement_id').where('engagement_id', '=', engagementId).execute())
        .length
    return [await count('operation_log_entries'), await count('scans'), await count('scan_log')]
  }
  expect(Math.min(...(await left()))).toBeGreaterThan(0)
  expect(
    (await key.request('DELETE', `/api/v1/engagements/${engagementId}`, { body: { name: 'Scanned' } })).status,
  ).toBe(200)
  await eventually(async () => expect(await left()).toEqual([0, 0, 0]))
})

describe('a scan does not start', () => {
  const scanning = (engagementId: string, ids: string[], more: object = {}) =>
    key.post('/api/v1/scans', { engagementId, scanners: [portScan([1])], targets: { ids }, ...more })

  test('on a target out of scope: the rule is named; with skip it is left out and counted', async () => {
    const { engagementId, ids } = await engagementWith(key, {
      allow: ['127.0.0.0/8'],
      deny: ['127.0.0.9'],
      targets: ['127.0.0.1', '127.0.0.9', '192.0.2.1'],
    })
    expect(messageOf(await scanning(engagementId, ids.slice(0, 2)))).toEqual([
      409,
      '127.0.0.9 is out of scope (rule "127.0.0.9"): leave it out, or skip what is out of scope.',
    ])
    expect(messageOf(await scanning(engagementId, [ids[2] as string]))).toEqual([
      409,
      '192.0.2.1 is out of scope (covered by no rule): leave it out, or skip what is out of scope.',
    ])
    expect(messageOf(await scanning(engagementId, ids.slice(1), { outOfScope: 'skip' }))).toEqual([
      409,
      'There is nothing to scan: no target matches.',
    ])
    const { status, body } = await scanning(engagementId, ids, { outOfScope: 'skip' })
    expect([status, body.data.counts.skipped]).toEqual([201, 2])
    await ended(key, body.data.id)
  })

  test('outside of the testing hours: the next window is named', async () => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.0.1'] })
    const now = new Date(app.clock.now())
    const tomorrow = new Date(app.clock.now() + 86_400_000)
    const windows = [{ days: [tomorrow.getUTCDay() || 7], from: '20:00', to: '21:00' }]
    await key.patch(`/api/v1/engagements/${engagementId}/details`, { testingHours: { timeZone: 'UTC', windows } })
    const next = `${tomorrow.toISOString().slice(0, 10)} at 20:00 (UTC)`
    expect(messageOf(await scanning(engagementId, ids))).toEqual([
      409,
      `It is outside the testing hours (${tomorrow.toUTCString().slice(0, 3)} 20:00 to 21:00, UTC): the next window begins on ${next}.`,
    ])
    const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)
    await key.patch(`/api/v1/engagements/${engagementId}/details`, { testingHours: null, endsOn: yesterday })
    expect(messageOf(await scanning(engagementId, ids))).toEqual([
      409,
      'It is outside the testing hours: there is no further window.',
    ])
  })

  test('in an engagement that is completed or archived, beyond the largest scan, and without any target', async () => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.0.0/24', '127.0.0.1'] })
    expect(messageOf(await scanning(engagementId, ids.slice(0, 1), { scanners: [portScan('all')] }))).toEqual([
      409,
      'This scan is too large: 16776960 probes, and at most 300000 are allowed (SCAN_MAX_PROBES). Choose fewer addresses or ports.',
    ])
    const none = { engagementId, scanners: [portScan([1])], targets: { filter: { engagementId, kind: ['domain'] } } }
    expect(messageOf(await key.post('/api/v1/scans', none))).toEqual([
      409,
      'There is nothing to scan: no target matches.',
    ])
    await key.patch(`/api/v1/engagements/${engagementId}`, { status: 'completed' })
    expect(messageOf(await scanning(engagementId, ids))).toEqual([
      409,
      'This engagement is not active: scans run only in active engagements.',
    ])
    await key.patch(`/api/v1/engagements/${engagementId}`, { status: 'archived' })
    expect(messageOf(await scanning(engagementId, ids))).toEqual([409, 'This engagement is archived: reopen it first.'])
  })

  test.each([
    [{ targets: {} }, 'targets: exactly one of ids, filter and diff is needed'],
    [{ scanners: [portScan([1]), portScan([2])] }, 'scanners: each scanner can run once'],
    [
      { scanners: [{ id: 'ports', options: { types: ['A'] } }] },
      'scanners: ports has no option types; its options are ports, rate, timeoutMs',
    ],
    [
      { targets: { ids: ['tgt_01jd7w2v4pf1y8m3c6k9t0r5xz'] } },
      'targets.ids: names a target that is not in this engagement',
    ],
    [{ engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz' }, 'engagementId: there is no such engagement'],
  ])('as %j', async (more, message) => {
    const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.0.1'] })
    expect(messageOf(await scanning(engagementId, ids, more))).toEqual([422, message])
  })
})

describe('an override', () => {
  test('bypasses scope and hours for owner and admins in the web: audited and shown, not repeated; egress rules still apply', async () => {
    const port = await freePort()
    const listener = await opened(port)
    const { engagementId, ids } = await engagementWith(key, {
      allow: ['192.0.2.0/24'],
      targets: ['127.0.0.1', '10.9.8.7'],
    })
    await key.patch(`/api/v1/engagements/${engagementId}/details`, { endsOn: '2020-01-01' })
    const wanted = {
      engagementId,
      scanners: [portScan([port])],
      targets: { ids },
      override: { reason: 'Agreed by phone' },
    }
    expect((await key.post('/api/v1/scans', wanted)).status).toBe(403)
    expect((await (await app.signedIn('member')).post('/api/web/scans', wanted)).status).toBe(403)
    const owner = await app.signedIn('owner')
    const scan = await started(owner, wanted, '/api/web')
    expect(scan).toMatchObject({
      override: { reason: 'Agreed by phone' },
      trigger: 'manual',
      requestedBy: { id: owner.user.id },
    })
    expect(await ended(key, scan.id)).toMatchObject({ state: 'succeeded', counts: { skipped: 1 } })
    expect(listener.accepted).toBe(1)
    const audit = await app.db.selectFrom('audit_entries').select('after').where('object_id', '=', scan.id).execute()
    expect(audit).toEqual([{ after: expect.objectContaining({ override: 'Agreed by phone' }) }])
    expect((await key.post(`/api/v1/scans/${scan.id}/repeat`)).status).toBe(409)
  })
})

describe('a running scan', () => {
  /** A scan that sends 20 probes a second to a listener, for minutes. */
  const running = async (client: TestClient = key, prefix = '/api/v1') => {
    const port = await freePort()
    const listener = await opened(port)
    const { engagementId, ids } = await engagementWith(key, { allow: ['127.0.0.0/8'], targets: ['127.0.0.1'] })
    const ports = `${port},20000-25000`
    const scan = await started(
      client,
      { engagementId, scanners: [portScan(ports, { rate: 20 })], targets: { ids } },
      prefix,
    )
    await eventually(async () => expect((await getScan(key, scan.id)).state).toBe('running'))
    await eventually(async () => expect(await lastSent(scan.id)).toBeGreaterThan(0))
    return { engagementId, id: scan.id, listener }
  }

  /** Start of the scan's last connection, in milliseconds since 1970; 0 before the first. */
  const lastSent = async (scanId: string): Promise<number> => {
    const contacts = await app.db
      .selectFrom('scan_probes')
      .select('ended_at as at')
      .where('scan_id', '=', scanId)
      .execute()
    const operations = await app.db
      .selectFrom('operation_log_entries')
      .select('ended_at as at')
      .where('scan_id', '=', scanId)
      .execute()
    return Math.max(0, ...[...contacts, ...operations].map(({ at }) => Date.parse(at as string)))
  }

  test('N10: that is cancelled sends nothing two seconds after the answer, and its results stay', async () => {
    const { id } = await running()
    const { status, body } = await key.post(`/api/v1/scans/${id}/cancel`)
    const answeredAt = app.clock.now()
    expect([status, body.data.state]).toEqual([200, 'cancelled'])
    expect(body.data.stateReason).toMatch(/^cancelled by /)
    await eventually(async () => {
      const work = await app.db
        .selectFrom('background_jobs')
        .select('state')
        .where('subject_id', '=', id)
        .executeTakeFirstOrThrow()
      expect(work.state).toBe('cancelled')
    })
    expect((await lastSent(id)) - answeredAt).toBeLessThan(hereMs(2_000))
    expect(await app.db.selectFrom('scan_probes').selectAll().where('scan_id', '=', id).execute()).toEqual([])
    expect(await getScan(key, id)).toMatchObject({ state: 'cancelled' })
    const again = await key.post(`/api/v1/scans/${id}/cancel`)
    expect([again.status, again.body.data]).toEqual([200, await getScan(key, id)])
  })

  test('leaves out newly denied addresses, within a second', async () => {
    const { id, engagementId } = await running()
    await key.post('/api/v1/scope-rules', { engagementId, effect: 'deny', pattern: '127.0.0.1' })
    const deniedAt = app.clock.now()
    await eventually(async () => expect((await getScan(key, id)).counts.skipped).toBe(1))
    expect((await lastSent(id)) - deniedAt).toBeLessThan(hereMs(1_500))
    await key.post(`/api/v1/scans/${id}/cancel`)
  })

  test('N5: stops as partial when the testing hours end, the engagement is completed, or the right is revoked', async () => {
    const hours = await running()
    await key.patch(`/api/v1/engagements/${hours.engagementId}/details`, { endsOn: '2020-01-01' })
    const closedAt = app.clock.now()
    expect(await ended(key, hours.id)).toMatchObject({
      state: 'partial',
      stateReason: 'It is outside the testing hours: there is no further window.',
    })
    expect((await lastSent(hours.id)) - closedAt).toBeLessThan(hereMs(1_500))
    const completed = await running()
    await key.patch(`/api/v1/engagements/${completed.engagementId}`, { status: 'completed' })
    expect(await ended(key, completed.id)).toMatchObject({
      state: 'partial',
      stateReason: 'The engagement is no longer active.',
    })
    const archived = await running()
    for (const status of ['completed', 'archived'])
      await key.patch(`/api/v1/engagements/${archived.engagementId}`, { status })
    expect((await ended(key, archived.id)).state).toBe('partial')
  })

  test('ends with the membership of the user who started it', async () => {
    const user = await app.createMember('member')
    const { id } = await running(await app.signIn(user, app.organization.id), '/api/web')
    const owner = await app.signedIn('owner')
    expect((await owner.delete(`/api/web/organizations/current/members/${user.id}`)).status).toBe(200)
    const revokedAt = app.clock.now()
    expect(await ended(key, id)).toMatchObject({
      state: 'cancelled',
      stateReason: `${user.name} no longer has access to the organization.`,
    })
    expect((await lastSent(id)) - revokedAt).toBeLessThan(hereMs(2_000))
  })
})
