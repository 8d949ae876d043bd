import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { asSuperuser, copyTemplate } from '../../support/database/test-databases.ts'
import { BILLING, hmac, SECRET, subscriptionEvent } from '../../support/providers/billing-provider.ts'

const CUSTOMER = 'cus_killed'
const CYCLES = isNightly ? 3 : 1
const SENDERS = 6
const ACKNOWLEDGED_PER_CYCLE = 20
/**
 * The job of a killed worker is given to another one within 90 s, or at the queue's next check once its time is over.
 */
const APPLIED_WITHIN_MS = 120_000
const TEST_TIMEOUT_MS = APPLIED_WITHIN_MS + 60_000

/** Makes the running jobs of a killed worker exceed their time limit. */
const letTimeOfJobsPass = (settings: ConnectionSettings) =>
  asSuperuser(settings, "update pgboss.job set started_on = started_on - interval '2 minutes' where state = 'active'")

const stage = createStage()
afterAll(() => stage.close())

test(
  'W4: after kills while it accepts and applies events, each acknowledged one is applied once, and so is a repeated one after no answer',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async () => {
    const settings = await copyTemplate()
    const start = async (where: { port?: number } = {}) => {
      const started = await stage.server({ ...where, env: { ...BILLING, DATABASE_URL: databaseUrl(settings) } })
      await started.ready()
      return started
    }
    let server = await start()
    const owner = await signInAsOwner(server.origin)
    const organizationId = owner.headers['x-organization'] as string
    const link = await owner.request('PUT', `/api/web/instance/organizations/${organizationId}/billing-customer`, {
      body: { customerId: CUSTOMER },
    })
    expect(link.status).toBe(200)

    const provider = new TestClient(server.origin)
    const send = (event: { id: string }) => {
      const body = JSON.stringify(event)
      const seconds = Math.floor(Date.now() / 1000)
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': `t=${seconds},v1=${hmac(SECRET, seconds, body)}`,
      }
      return provider.request('POST', '/api/billing/webhook', { rawBody: body, headers })
    }
    let created = 1_790_000_000
    const nextEvent = () =>
      subscriptionEvent({
        customer: CUSTOMER,
        created: ++created,
        product: { id: `prod_${created}`, name: `Plan ${created}` },
      })
    const acknowledged: string[] = []
    const unknown: ReturnType<typeof nextEvent>[] = []
    const sendUntilItDies = async () => {
      for (;;) {
        const event = nextEvent()
        try {
          expect((await send(event)).status).toBe(200)
          acknowledged.push(event.id)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          unknown.push(event)
          return
        }
      }
    }
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const wanted = acknowledged.length + ACKNOWLEDGED_PER_CYCLE
      const senders = Array.from({ length: SENDERS }, sendUntilItDies)
      await eventually(() => expect(acknowledged.length).toBeGreaterThanOrEqual(wanted), 30_000, 5)
      await server.kill()
      await Promise.all(senders)
      if (!isNightly) await letTimeOfJobsPass(settings)
      server = await start({ port: server.port })
    }
    expect(unknown).toHaveLength(CYCLES * SENDERS)
    for (const event of unknown) expect((await send(event)).status).toBe(200)

    const database = new pg.Client(settings)
    await database.connect()
    const sent = [...acknowledged, ...unknown.map(({ id }) => id)].toSorted()
    const outcomes = await eventually(async () => {
      const { rows } = await database.query<{ id: string; outcome: string | null }>(
        'select id, outcome from billing_events order by id collate "C"',
      )
      expect(rows.filter(({ outcome }) => outcome === null)).toEqual([])
      return rows
    }, APPLIED_WITHIN_MS)
    expect(outcomes.map(({ id }) => id)).toEqual(sent)
    expect(outcomes.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'superseded')).toEqual([])
    // Each event names its own plan, so that each applied one left exactly one entry.
    const { rows: changes } = await database.query<{ plan: string }>(
      "select after->>'plan' as plan from audit_entries where organization_id = $1 and action = 'organization.plan-changed'",
      [organizationId],
    )
    expect(new Set(changes.map(({ plan }) => plan)).size).toBe(changes.length)
    expect(changes.length).toBe(outcomes.filter(({ outcome }) => outcome === 'applied').length)
    const { rows: organizations } = await database.query('select plan from organizations where id = $1', [
      organizationId,
    ])
    expect(organizations).toEqual([{ plan: `Plan ${created}` }])
    await database.end()
  },
)
