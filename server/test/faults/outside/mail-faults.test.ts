import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'
import { runMailOutage } from './mail-outage.ts'

/** Delay of a slow mail server: an earlier answer has not waited for it. */
const SLOW_MS = isNightly ? 5_000 : 3_000

const stage = createStage()
let settings: ConnectionSettings
let sink: SmtpSink
let server: ServerProcess
let owner: TestClient
let count = 0

beforeAll(async () => {
  settings = await copyTemplate()
  sink = await SmtpSink.create()
  stage.add(() => sink.down())
  server = await stage.server({ env: environment() })
  await server.ready()
  owner = await signInAsOwner(server.origin)
})
beforeEach(async () => {
  await sink.down()
  sink.behaviour = 'accept'
  sink.mails.length = 0
})
afterAll(() => stage.close())

const environment = () => ({
  DATABASE_URL: databaseUrl(settings),
  SMTP_URL: sink.url,
  FRONTEND_URL: 'http://localhost:3001',
})

const invite = async (): Promise<string> => {
  const email = `guest${count++}@example.com`
  const started = performance.now()
  const { status } = await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
  expect(status).toBe(201)
  expect(performance.now() - started).toBeLessThan(SLOW_MS)
  return email
}

/** The state of the invitation's mail in the web interface. */
const mailOf = async (email: string): Promise<{ status: string; sentAt: string | null; error: string | null }> => {
  const { body } = await owner.get('/api/web/invitations')
  return body.data.find((invitation: { email: string }) => invitation.email === email).mail
}

/**
 * Message ids of the accepted invitation mails, and how often each was accepted; notices about the account are sent as
 * well.
 */
const invitationIds = (): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { to, messageId = '' } of sink.mails)
    if (to?.[0]?.address?.startsWith('guest')) counts.set(messageId, (counts.get(messageId) ?? 0) + 1)
  return counts
}

const received = (email: string) => sink.mails.filter((mail) => mail.to?.[0]?.address === email)

const inDatabase = async (text: string) => {
  const client = new pg.Client(settings)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const onQueue = (text: string) => inDatabase(`update pgboss.job set ${text}`)

/** Skips the queue's growing wait after failures. */
const hurry = () => onQueue("start_after = now() where name = 'deliver-mail' and state in ('created', 'retry')")

/** Skips the minute after which the job of a dead worker is given to another. */
const letMinutePass = () =>
  onQueue(
    "started_on = started_on - interval '2 minutes', heartbeat_on = heartbeat_on - interval '2 minutes' where state = 'active'",
  )

const expectDelivered = (email: string, withinMs = 30_000) =>
  eventually(
    async () => {
      await hurry()
      expect((await mailOf(email)).status).toBe('sent')
    },
    withinMs,
    300,
  )

describe('F18: a mail server that', () => {
  test('is down: the invitation is made, the reason is visible, and the mail is sent once it is back', async () => {
    const email = await invite()
    await eventually(async () => expect((await mailOf(email)).error).toContain('ECONNREFUSED'))
    expect((await mailOf(email)).status).toBe('queued')
    await sink.up()
    await expectDelivered(email)
  })

  nightly('is away for an hour: no invitation is refused, and each of their mails is sent once', async () => {
    const result = await runMailOutage(stage, databaseUrl(await copyTemplate()), 10)
    expect(result).toMatchObject({ refused: 0, lost: 0, twice: 0 })
    expect(result.attempts).toBeGreaterThan(10)
  })

  test('answers 451 for a while: the mail is retried until it is accepted, once', async () => {
    sink.behaviour = 'try later'
    await sink.up()
    const email = await invite()
    const before = sink.attempts
    await eventually(async () => {
      await hurry()
      expect(sink.attempts).toBeGreaterThan(before + 2)
    })
    expect(await mailOf(email)).toMatchObject({ status: 'queued', sentAt: null, error: expect.stringContaining('451') })
    sink.behaviour = 'accept'
    await expectDelivered(email)
    expect(received(email)).toHaveLength(1)
  })

  test('answers 550: the mail has visibly failed for good, and a resend is sent', async () => {
    sink.behaviour = 'refuse'
    await sink.up()
    const email = await invite()
    await eventually(async () => expect((await mailOf(email)).status).toBe('failed'))
    expect((await mailOf(email)).error).toContain('550')
    // No job is left that would retry it.
    await eventually(async () =>
      expect(await inDatabase("select 1 from pgboss.job where name = 'deliver-mail' and state < 'completed'")).toEqual(
        [],
      ),
    )
    sink.behaviour = 'accept'
    const { body } = await owner.get('/api/web/invitations')
    const { id } = body.data.find((invitation: { email: string }) => invitation.email === email)
    expect((await owner.post(`/api/web/invitations/${id}/resend`, {})).status).toBe(200)
    await expectDelivered(email)
  })

  test(`takes ${SLOW_MS / 1000} s: the invitation does not wait for it`, async () => {
    sink.behaviour = { slowMs: SLOW_MS }
    await sink.up()
    const email = await invite()
    await expectDelivered(email)
    expect(received(email)).toHaveLength(1)
  })

  test('accepts the mail and drops the connection: it is repeated with the same message id, so that receivers recognise it', async () => {
    sink.behaviour = 'drop'
    await sink.up()
    const email = await invite()
    await eventually(() => expect(received(email).length).toBeGreaterThan(0))
    sink.behaviour = 'accept'
    await expectDelivered(email)
    expect(new Set(received(email).map(({ messageId }) => messageId)).size).toBe(1)
  })

  nightly('is away while the server is killed: nothing is lost, nothing is sent twice', async () => {
    const emails = [await invite(), await invite()]
    await server.kill()
    await letMinutePass()
    await sink.up()
    server = await stage.server({ env: environment() })
    await server.ready()
    owner = await signInAsOwner(server.origin)
    for (const email of emails) await expectDelivered(email, 45_000)
    expect(invitationIds().size).toBe(2)
    expect([...invitationIds().values()]).toEqual([1, 1])
  })
})

test('F18: without a mail server each mail is a file that shows its link unbroken, and the log reports it', async () => {
  const own = await stage.server({
    env: { DATABASE_URL: databaseUrl(await copyTemplate()), ORGANIZATION_NAME: 'Größe & Söhne' },
  })
  await own.ready()
  const inviter = await signInAsOwner(own.origin)
  await inviter.post('/api/web/organizations/current/members/invite', { email: 'reader@example.com', role: 'member' })
  const directory = path.join(own.dataDir, 'mail')
  const [file] = await eventually(() => {
    const files = readdirSync(directory).filter((name) => name.endsWith('.eml'))
    expect(files).toHaveLength(1)
    return files
  })
  const text = readFileSync(path.join(directory, file as string), 'utf8')
  expect(text).toMatch(new RegExp(`^http://localhost:${own.port}/invitations/accept#token=[\\w.-]{40,}$`, 'm'))
  expect(text).toContain('Größe & Söhne')
  expect(text.slice(text.indexOf('\n\n'))).not.toMatch(/=\n|=3D/)
  expect(own.log.some(({ msg }) => msg === `SMTP_URL is not set: each mail is written to a file in ${directory}`)).toBe(
    true,
  )
  await eventually(() =>
    expect(own.log.some(({ destination }) => destination === path.join(directory, file as string))).toBe(true),
  )
})
