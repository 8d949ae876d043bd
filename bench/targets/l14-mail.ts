import { setTimeout as sleep } from 'node:timers/promises'
import { signInAsOwner } from '../../server/test/support/server-clients.ts'
import { SmtpSink } from '../../server/test/support/smtp-sink.ts'
import { withClient } from '../lib/database.ts'
import { atMostOf, none, type Target } from './target.ts'

const INVITE = '/api/web/organizations/current/members/invite'
const DELIVERED_WITHIN_MS = 180_000
/** An hour passes by turning back the times at which mails are tried again. */
const HOUR_STEPS = 12
const STEP = "update pgboss.job set start_after = start_after - interval '5 minutes' where name = 'deliver-mail' and state in ('created', 'retry')"

export const l14: Target = {
  name: 'L14',
  title: 'A mail server that is away for an hour: nothing lost, nothing twice (count: invitations)',
  count: 1_000,
  measure: async ({ stage, database, count, note }) => {
    const url = await database.createMigrated('l14')
    const sink = await SmtpSink.create()
    stage.add(() => sink.down())
    const env = { DATABASE_URL: url, SMTP_URL: sink.url, FRONTEND_URL: 'http://localhost:3001', INVITATION_LIMIT_PER_HOUR: '1000000', LOG_LEVEL: 'error' }
    const server = await stage.server({ env })
    await server.ready()
    const owner = await signInAsOwner(server.origin)
    let refused = 0
    for (let i = 0; i < count; i++) {
      const { status } = await owner.post(INVITE, { email: `guest${i}@example.com`, role: 'member' })
      if (status !== 201) refused++
    }
    for (let step = 0; step < HOUR_STEPS; step++) {
      await withClient(url, (client) => client.query(STEP))
      await sleep(500)
    }
    const tried = await withClient(url, (client) => client.query<{ attempts: number }>('select coalesce(sum(attempts), 0)::int as attempts from mails'))
    note(`${tried.rows[0]?.attempts} attempts while the mail server was away`)
    await sink.up()
    const backAt = performance.now()
    const ids = () => sink.mails.filter(({ to }) => to?.[0]?.address?.startsWith('guest')).map(({ messageId }) => messageId)
    while (new Set(ids()).size < count && performance.now() - backAt < DELIVERED_WITHIN_MS) {
      await withClient(url, (client) => client.query(STEP))
      await sleep(500)
    }
    const seconds = (performance.now() - backAt) / 1000
    await sleep(2_000)
    const all = ids()
    return [
      none('invitations refused meanwhile', refused),
      none('mails lost', count - new Set(all).size),
      none('mails sent twice', all.length - new Set(all).size),
      atMostOf('all delivered after', DELIVERED_WITHIN_MS / 1000, 's', seconds),
    ]
  },
}
