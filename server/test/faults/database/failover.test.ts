import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { startEmbedded } from '../../../src/platform/database/connection/embedded.ts'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import {
  databaseAddress,
  databaseUrl,
  proxiedUrl,
  signInAsOwner,
  withNewKey,
} from '../../support/clients/server-clients.ts'
import { FaultProxy } from '../../support/network/fault-proxy.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const RECOVERED_WITHIN_MS = 5_000

const stage = createStage()
afterAll(() => stage.close())

const inDatabase = async <T extends pg.QueryResultRow>(
  settings: ConnectionSettings,
  statement: string,
): Promise<T[]> => {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

/** A Postgres and its standby, which replicates it byte by byte. */
const primaryAndStandby = async () => {
  const log = createLogger('silent')
  const [first, second] = [stage.directory(), stage.directory()]
  await (await startEmbedded(first, log)).stop()
  const copied = spawnSync('cp', ['-a', path.join(first, 'postgres'), second])
  expect(copied.status).toBe(0)
  const primary = await startEmbedded(first, log)
  stage.add(() => primary.stop())
  const { host, user } = primary.settings as { host: string; user: string }
  const ofStandby = path.join(second, 'postgres')
  writeFileSync(path.join(ofStandby, 'standby.signal'), '')
  appendFileSync(
    path.join(ofStandby, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} user=${user} application_name=standby'\n`,
  )
  const standby = await startEmbedded(second, log)
  stage.add(() => standby.stop())
  return { primary, standby }
}

nightly(
  'F4: the primary stops and its standby takes over: reads are current, writes are 503 until it is promoted, and nothing acknowledged is missing',
  async () => {
    const { primary, standby } = await primaryAndStandby()
    const proxy = await FaultProxy.start(databaseAddress(primary.settings))
    stage.add(() => proxy.close())
    const server = await stage.server({ env: { DATABASE_URL: proxiedUrl(primary.settings, proxy.port) } })
    await server.ready()
    const owner = await signInAsOwner(server.origin)
    const [key, deleted] = [await withNewKey(owner), await withNewKey(owner)]
    expect((await deleted.get(ENGAGEMENTS)).status).toBe(200)
    const acknowledged: string[] = []
    for (let i = 0; i < 30; i++) {
      const answer = await key.post(ENGAGEMENTS, { name: `Before ${i}` })
      expect(answer.status).toBe(201)
      acknowledged.push(answer.body.data.id)
    }
    expect((await owner.request('DELETE', `/api/web/api-keys/${deleted.keyId}`)).status).toBe(200)

    // An orderly stop of a primary sends its acknowledged writes to its standby first.
    await primary.stop()
    proxy.upstream = databaseAddress(standby.settings)
    proxy.dropConnections()
    await eventually(async () => expect((await key.get(ENGAGEMENTS)).status).toBe(200), RECOVERED_WITHIN_MS)
    for (let i = 0; i < 5; i++) {
      const answer = await key.post(ENGAGEMENTS, { name: 'Not on a standby' })
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await deleted.get(ENGAGEMENTS)).status).toBe(401)
    const listed = (await key.get(`${ENGAGEMENTS}?perPage=100`)).body.data.map(({ id }: { id: string }) => id)
    expect(listed.toSorted()).toEqual(acknowledged.toSorted())

    await inDatabase(standby.settings, 'select pg_promote()')
    const after = await eventually(async () => {
      const answer = await key.post(ENGAGEMENTS, { name: 'After' })
      expect(answer.status).toBe(201)
      return answer.body.data.id
    }, RECOVERED_WITHIN_MS)
    const rows = await inDatabase<{ id: string; entries: number }>(
      standby.settings,
      'select e.id, count(a.id)::int as entries from engagements e left join audit_entries a on a.object_id = e.id group by e.id',
    )
    expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [...acknowledged, after].toSorted().map((id) => ({ id, entries: 1 })),
    )
    expect(server.isRunning).toBe(true)
    // A server that starts on it does not treat it as a copy either.
    expect((await server.stop()).code).toBe(0)
    const next = await stage.server({ env: { DATABASE_URL: databaseUrl(standby.settings) }, dataDir: server.dataDir })
    await next.ready()
    expect((await (await signInAsOwner(next.origin)).get('/api/web/account')).body.data.safeMode).toBeNull()
  },
)
