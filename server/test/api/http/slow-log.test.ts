import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { lockRow } from '../../support/races/locked-row.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const INVITE = '/api/v1/organizations/current/members/invite'
const CANARY = 'canary-of-a-parameter'
const CANCELLED = '57014'

interface Line {
  level: number
  msg: string
  err?: { code?: string }
  [field: string]: unknown
}

let app: TestApp
let key: TestClient

beforeAll(async () => {
  // Every request and statement is slow.
  app = await testApp({ env: { LOG_SLOW_MS: '1' } })
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const linesSince = (start: number): Line[] => app.logLines.slice(start).map((line) => JSON.parse(line))

/** Sends a request while the table of engagements is locked, and waits for its timeout. */
const whileLocked = async (send: () => Promise<{ status: number }>) => {
  const blocker = new pg.Client(app.settings)
  await blocker.connect()
  try {
    await blocker.query('begin; lock table engagements in access exclusive mode')
    const start = app.logLines.length
    const answer = (await send()) as Awaited<ReturnType<TestClient['get']>>
    return { answer, lines: linesSince(start) }
  } finally {
    await blocker.end()
  }
}

test('O8: a read whose statement is cancelled answers that it took too long and what helps; the log names route, organization, request and statement', async () => {
  const { answer, lines } = await whileLocked(() => key.get(`${ENGAGEMENTS}?perPage=7`))
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.body.error.message).toMatch(/^Time-out: .*took too long to read.*[Nn]arrow it down.*try again/)
  const failure = lines.find(({ level }) => level === 50)
  expect(failure).toMatchObject({
    reqId: answer.headers.get('x-request-id'),
    method: 'GET',
    route: ENGAGEMENTS,
    organization: app.organization.id,
    statement: expect.stringMatching(/^\w+ \w+ [0-9a-f]{8}$/),
    err: { code: CANCELLED },
  })
})

test('O8: a change whose statement is cancelled answers that it took too long; no line of the log has its parameters', async () => {
  const { answer, lines } = await whileLocked(() => key.post(ENGAGEMENTS, { name: CANARY }))
  expect(answer.status).toBe(503)
  expect(answer.body.error.message).toMatch(/^Time-out: .*took too long to make this change.*try again/)
  const failure = lines.find(({ level }) => level === 50)
  expect(failure).toMatchObject({
    reqId: answer.headers.get('x-request-id'),
    method: 'POST',
    route: ENGAGEMENTS,
    organization: app.organization.id,
  })
  expect(failure?.statement).toMatch(/^\w+ \w+ [0-9a-f]{8}$/)
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})

test('O8: a slow request and its slow statement are logged at warn with the same request id, route and organization, and without parameters', async () => {
  const { id } = (await key.post(ENGAGEMENTS, { name: 'Held for a moment' })).body.data
  const held = await lockRow(app, 'select 1 from engagements where id = $1 for update', [id])
  const start = app.logLines.length
  const changing = key.patch(`${ENGAGEMENTS}/${id}`, { name: `${CANARY} in a patch` })
  await held.waitedFor(1, changing)
  await held.release()
  const answer = await changing
  expect(answer.status).toBe(200)
  const label = {
    level: 40,
    reqId: answer.headers.get('x-request-id'),
    method: 'PATCH',
    route: `${ENGAGEMENTS}/:engagementId`,
    organization: app.organization.id,
  }
  // The line of the request is written after its answer is sent.
  const lines = await eventually(() => {
    const written = linesSince(start)
    expect(written).toContainEqual(
      expect.objectContaining({ ...label, msg: 'slow request', status: 200, ms: expect.any(Number) }),
    )
    return written
  })
  const statements = lines.filter(({ msg, reqId }) => msg === 'slow statement' && reqId === label.reqId)
  expect(statements).toContainEqual(
    expect.objectContaining({
      ...label,
      statement: expect.stringMatching(/^\w+ \w+ [0-9a-f]{8}$/),
      ms: expect.any(Number),
    }),
  )
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})

test('O8: a slow statement of a job names the kind of job', async () => {
  await app.asSuperuser(`
    create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return new; end $$;
    create trigger pause before update on mails for each row execute function pause()`)
  const start = app.logLines.length
  expect((await key.post(INVITE, { email: 'slow.job@example.com', role: 'member' })).status).toBe(201)
  await app.nextMail('slow.job@example.com')
  const wanted = {
    level: 40,
    msg: 'slow statement',
    job: expect.stringContaining('mail'),
    statement: expect.stringMatching(/^update mails [0-9a-f]{8}$/),
  }
  await eventually(() => expect(linesSince(start)).toContainEqual(expect.objectContaining(wanted)))
})

test('O8: LOG_SLOW_MS=0 logs nothing as slow', async () => {
  const quiet = await testApp({ env: { LOG_SLOW_MS: '0' }, workers: false })
  try {
    const reader = await quiet.withKey(['organizations:read'])
    expect((await reader.get(ENGAGEMENTS)).status).toBe(200)
    await eventually(() => expect(quiet.logLines.some((line) => line.includes(`"${ENGAGEMENTS}"`))).toBe(true))
    expect(quiet.logLines.filter((line) => line.includes('slow'))).toEqual([])
  } finally {
    await quiet.close()
  }
})
