import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Stage } from '../../support/app/server-process.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'

export interface MailOutageResult {
  /** Invitations that were refused during the outage. */
  refused: number
  /** Delivery attempts during the outage. */
  attempts: number
  lost: number
  twice: number
  /** Milliseconds from the mail server's return to the last mail. */
  deliveredMs: number
}

/** Simulates an hour by moving back the retry times. */
const STEPS = 12
const STEP =
  "update pgboss.job set start_after = start_after - interval '5 minutes' where name = 'deliver-mail' and state in ('created', 'retry')"
const STEP_MS = 500
const DELIVERED_WITHIN_MS = 180_000

/**
 * Invites people while the mail server is away for an hour, and compares with the mails that it received once it is
 * back.
 */
export const runMailOutage = async (
  stage: Stage,
  databaseUrl: string,
  invitations: number,
): Promise<MailOutageResult> => {
  const sink = await SmtpSink.create()
  stage.add(() => sink.down())
  const env = {
    DATABASE_URL: databaseUrl,
    SMTP_URL: sink.url,
    FRONTEND_URL: 'http://localhost:3001',
    INVITATION_LIMIT_PER_HOUR: '1000000',
  }
  const server = await stage.server({ env: { ...env, LOG_LEVEL: 'error' } })
  await server.ready()
  const owner = await signInAsOwner(server.origin)
  let refused = 0
  for (let i = 0; i < invitations; i++) {
    const { status } = await owner.post('/api/web/organizations/current/members/invite', {
      email: `guest${i}@example.com`,
      role: 'member',
    })
    if (status !== 201) refused++
  }
  const database = new pg.Client(databaseUrl)
  await database.connect()
  const step = async () => {
    await database.query(STEP)
    await sleep(STEP_MS)
  }
  for (let i = 0; i < STEPS; i++) await step()
  const { rows } = await database.query<{ attempts: number }>(
    'select coalesce(sum(attempts), 0)::int as attempts from mails',
  )
  await sink.up()
  const backAt = performance.now()
  // Notices about the account are sent as well.
  const ids = () =>
    sink.mails.filter(({ to }) => to?.[0]?.address?.startsWith('guest')).map(({ messageId }) => messageId)
  while (new Set(ids()).size < invitations && performance.now() - backAt < DELIVERED_WITHIN_MS) await step()
  const deliveredMs = performance.now() - backAt
  // Leaves time for duplicates to arrive.
  for (let i = 0; i < 4; i++) await step()
  await database.end()
  const distinct = new Set(ids()).size
  return {
    refused,
    attempts: rows[0]?.attempts ?? 0,
    lost: invitations - distinct,
    twice: ids().length - distinct,
    deliveredMs,
  }
}
