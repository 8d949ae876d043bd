import path from 'node:path'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { eventually, type ServerProcess, type Stage } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { endpointOf } from '../../support/webhooks/endpoints.ts'
import { openReceiver, type Received, type Receiver } from '../../support/webhooks/receiver.ts'

const SENDERS = 4
const FAILING = 0.3
/** Deliveries of one endpoint at the same time. */
const AT_ONCE = 8
/** Only ends a run that hangs. */
const ARRIVED_WITHIN_MS = 1_800_000
const ENV = {
  EGRESS_ALLOW: '127.0.0.1',
  // 10,000 by default, which the tasks after the deletion would exceed.
  TASK_LIMIT: '20000',
  // More attempts than chance can let fail.
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 100 }, () => 1).join(),
}

interface Run {
  events: number
  kills: number
  /** Otherwise the test lets the minute pass in which another process could still send what the killed one had begun. */
  waitsForClaims: boolean
}

/**
 * Creates tasks, whose events go to a receiver that fails at random, and kills the server while it accepts, fans out and
 * sends: each task that exists arrives at least once, with one id and one body, and nothing else does.
 */
export const expectEventsToSurviveKills = async (
  stage: Stage,
  { events, kills, waitsForClaims }: Run,
): Promise<void> => {
  let server = await stage.server({ env: ENV })
  await server.ready()
  const { dataDir, port } = server
  const receiver = await openReceiver()
  stage.add(() => receiver.close())
  const key = await withNewKey(await signInAsOwner(server.origin), [
    'organizations:read',
    'organizations:write',
    'tasks:read',
    'tasks:write',
  ])
  const engagementId: string = (await key.post('/api/v1/engagements', { name: 'Many tasks' })).body.data.id
  const endpoint = await endpointOf(key, '/api/v1', { url: receiver.url, events: ['task.created'] })
  const seen = failAtRandom(receiver, endpoint.secret)

  const created: string[] = []
  let isOver = false
  /** Creates tasks until there are enough; during a kill it waits for the next server. */
  const send = async () => {
    while (created.length < events && !isOver) {
      const answer = await key.post('/api/v1/tasks', { engagementId, title: 'One of many' }).catch(() => undefined)
      if (answer?.status === 201) created.push(answer.body.data.id)
      else await eventually(async () => expect(await server.health()).toBe(200), 120_000)
    }
  }
  const senders = Promise.all(Array.from({ length: SENDERS }, send))
  try {
    for (let kill = 1; kill <= kills; kill++) {
      // In the middle of both: some were sent, and more are still created.
      const wanted = Math.floor((events * kill) / (kills + 1))
      await eventually(() => expect(seen.size).toBeGreaterThan(Math.floor(wanted / 4)), ARRIVED_WITHIN_MS, 5)
      await eventually(() => expect(created.length).toBeGreaterThanOrEqual(wanted), ARRIVED_WITHIN_MS, 5)
      server = await killed(stage, server, { dataDir, port, waitsForClaims })
    }
    await senders
  } finally {
    isOver = true
  }

  const existing = await onDatabase<{ id: string }>(dataDir, 'select id from tasks')
  const wanted = new Set(existing.map(({ id }) => id))
  expect(created.filter((id) => !wanted.has(id))).toEqual([])
  await eventually(() => expect([...wanted].filter((id) => !seen.has(id)).length).toBe(0), ARRIVED_WITHIN_MS, 500)
  expect([...seen.keys()].filter((id) => !wanted.has(id))).toEqual([])
  expect([...seen.values()].filter(({ size }) => size !== 1)).toEqual([])
  await expectNothingAfterDeletion(key, receiver, { engagementId, endpointId: endpoint.id })
  expect((await server.stop()).code).toBe(0)
}

/** Verifies each message. @returns the different messages that were accepted, by the id of their task */
const failAtRandom = (receiver: Receiver, secret: string): Map<string, Set<string>> => {
  const webhook = new Webhook(secret)
  const accepted = new Map<string, Set<string>>()
  // A fixed sequence, so that a failure can be repeated.
  let seed = 46
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  receiver.answer = (got: Received) => {
    webhook.verify(got.body, got.headers as Record<string, string>)
    if (random() < FAILING) return random() < 0.5 ? { status: 500 } : { status: 429, headers: { 'retry-after': '1' } }
    const id = String(got.message.data['id'])
    accepted.set(id, (accepted.get(id) ?? new Set()).add(`${got.id} ${got.body}`))
    return { status: 204 }
  }
  return accepted
}

const killed = async (
  stage: Stage,
  server: ServerProcess,
  { dataDir, port, waitsForClaims }: { dataDir: string; port: number; waitsForClaims: boolean },
): Promise<ServerProcess> => {
  await server.kill()
  if (!waitsForClaims)
    await onDatabase(dataDir, "update webhook_deliveries set claimed_until = null where state = 'pending'")
  const next = await stage.server({ dataDir, port, env: ENV })
  await next.ready()
  return next
}

/** Tasks are created while the endpoint is deleted: what was under way may arrive, nothing else. */
const expectNothingAfterDeletion = async (
  key: TestClient,
  receiver: Receiver,
  { engagementId, endpointId }: { engagementId: string; endpointId: string },
): Promise<void> => {
  const create = async () => {
    const { status, text } = await key.post('/api/v1/tasks', { engagementId, title: 'Too late' })
    expect(status, text).toBe(201)
  }
  const count = 5 * AT_ONCE
  const creating = Promise.all(Array.from({ length: count }, create))
  const isOurs = ({ message }: Received) => message.type === 'task.created'
  const before = receiver.received.length
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(before))
  expect((await key.delete(`/api/v1/webhook-endpoints/${endpointId}`)).status).toBe(200)
  const atDeletion = receiver.received.filter(isOurs).length
  await creating
  const witness = await endpointOf(key, '/api/v1', { url: receiver.url, events: ['task.done'] })
  receiver.answer = () => ({ status: 204 })
  const ping = async (wanted: number) => {
    await key.post(`/api/v1/webhook-endpoints/${witness.id}/test`)
    await eventually(() => expect(receiver.received.filter((got) => !isOurs(got)).length).toBe(wanted))
  }
  await ping(1)
  const afterwards = receiver.received.filter(isOurs).length
  expect(afterwards - atDeletion).toBeLessThanOrEqual(AT_ONCE)
  for (let index = 0; index < AT_ONCE; index++) await create()
  await ping(2)
  expect(receiver.received.filter(isOurs).length).toBe(afterwards)
}

const onDatabase = async <Row extends pg.QueryResultRow>(dataDir: string, statement: string): Promise<Row[]> => {
  const client = new pg.Client({ host: path.join(dataDir, 'postgres'), port: 5432, user: 'sortie', database: 'sortie' })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
