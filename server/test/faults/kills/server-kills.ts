import assert from 'node:assert/strict'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { eventually, freePort, isAlive, postgresPid, type Stage } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen } from '../../support/clients/listeners.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { newEngagement } from '../../support/document/files.ts'
import { engagementWith, getScan, portScan, started } from '../../support/scans/scans.ts'
import { rowsOf } from '../imports/import-kills.ts'

/** A file of several batches. */
const SERVICES = isNightly ? 6_000 : 3_000
/** One unreadable line. */
const FILE = [...rowsOf(SERVICES), '{"ip":"10.0.0.1","po'].join('\n')
/**
 * A dead process is detected within a minute; jobs that were interrupted several times are resumed one after another.
 */
const ENDED_WITHIN_MS = 180_000

interface Begun {
  scan: string
  scanned: string
  imported: string
  into: string
}

/**
 * Repeatedly kills the whole server, every second time and the last with its Postgres, during an import and a scan:
 * each import ends as if undisturbed, each scan ends with its results and sends nothing again.
 */
export const expectWorkToSurviveServerKills = async (stage: Stage, kills: number): Promise<void> => {
  const env = { EGRESS_ALLOW: '127.0.0.0/8', SCAN_CONCURRENCY: String(kills + 1) }
  let server = await stage.server({ env })
  await server.ready()
  const { dataDir, port: ownPort } = server
  const key = await withNewKey(await signInAsOwner(server.origin), [
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
  ])
  const listener = await listen(undefined, '127.0.0.1', await freePort())
  stage.add(() => listener.stop())
  const begun: Begun[] = []
  for (let kill = 0; kill < kills; kill++) {
    const scan = await beginScan(key, listener.port)
    // Before the import begins, which ends soon on a fast machine.
    await scanHasFound(key, scan)
    const work = { ...scan, ...(await beginImport(key)) }
    begun.push(work)
    const takesPostgres = (kills - kill) % 2 === 1
    await betweenBatches(dataDir, work, Math.floor((SERVICES * (kill + 0.5)) / kills), async () => {
      const postgres = postgresPid(dataDir)
      await server.kill()
      if (!takesPostgres || postgres === undefined) return
      process.kill(postgres, 'SIGKILL')
      await eventually(() => assert.ok(!isAlive(postgres)))
    })
    server = await stage.server({ dataDir, port: ownPort, env })
    await server.ready()
    await expectInterrupted(dataDir, work)
    if (!isNightly) await noticeDeath(dataDir)
  }
  await expectEnded(key, begun, listener)
  assert.equal((await server.stop()).code, 0)
}

/** Starts a scan that would take minutes. */
const beginScan = async (key: TestClient, port: number): Promise<Pick<Begun, 'scan' | 'scanned'>> => {
  const { engagementId: scanned, ids } = await engagementWith(key, { allow: ['127.0.0.1'], targets: ['127.0.0.1'] })
  const scan = await started(key, {
    engagementId: scanned,
    scanners: [portScan(`${port},33000-38000`, { rate: 20 })],
    targets: { ids },
  })
  return { scan: scan.id, scanned }
}

const beginImport = async (key: TestClient): Promise<Pick<Begun, 'imported' | 'into'>> => {
  const into = await newEngagement(key, 'Imported')
  const { body } = await key.request('POST', `/api/v1/imports?engagementId=${into}&fileName=many.jsonl`, {
    rawBody: FILE,
  })
  return { imported: body.data.id, into }
}

const connectionTo = (dataDir: string) =>
  new pg.Client({ host: path.join(dataDir, 'postgres'), port: 5432, user: 'sortie', database: 'sortie' })

const onDatabase = async <Row extends pg.QueryResultRow>(dataDir: string, statement: string): Promise<Row[]> => {
  const client = connectionTo(dataDir)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Both were killed in the middle. */
const expectInterrupted = async (dataDir: string, { scan, imported }: Begun): Promise<void> => {
  const works = await onDatabase(
    dataDir,
    `select state from background_jobs where subject_id in ('${scan}', '${imported}')`,
  )
  expect(works).toEqual([{ state: 'running' }, { state: 'running' }])
}

/** Simulates the queue's detection; removal-kills tests that it takes at most 60 seconds. */
const noticeDeath = (dataDir: string) =>
  onDatabase(
    dataDir,
    "update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now(), heartbeat_on = null where name like 'work-%' and state = 'active'",
  )

/** The host, and the open port. */
const scanHasFound = (key: TestClient, { scan }: Pick<Begun, 'scan'>): Promise<void> =>
  eventually(async () => expect((await getScan(key, scan)).counts.created).toBeGreaterThanOrEqual(2), ENDED_WITHIN_MS)

/** Runs once the import has found this number of services: imports and the holder of the inventory lock alternate. */
const betweenBatches = async (
  dataDir: string,
  { imported, into }: Begun,
  services: number,
  meet: () => Promise<void>,
): Promise<void> => {
  const database = connectionTo(dataDir)
  // Postgres may be killed during this.
  database.on('error', () => undefined)
  await database.connect()
  await eventually(
    async () => {
      await database.query('begin')
      await database.query(`select pg_advisory_xact_lock(hashtextextended('results ${into}', 0))`)
      const { rows } = await database.query(
        `select count(*)::int as found from observations where source_id = '${imported}'`,
      )
      if (rows[0].found >= services) return
      await database.query('rollback')
      assert.fail(`${rows[0].found} services`)
    },
    ENDED_WITHIN_MS,
    20,
  )
  await meet()
  await database.end().catch(() => undefined)
}

const expectEnded = async (key: TestClient, begun: readonly Begun[], listener: Listener): Promise<void> => {
  for (const { scan, scanned, imported, into } of begun) {
    await eventually(
      async () => {
        expect(await getScan(key, scan)).toMatchObject({
          state: 'partial',
          stateReason: 'The process that did this ended unexpectedly.',
        })
        expect((await key.get(`/api/v1/imports/${imported}`)).body.data).toMatchObject({
          state: 'partial',
          progress: null,
        })
      },
      ENDED_WITHIN_MS,
      200,
    )
    const { counts, stateReason } = (await key.get(`/api/v1/imports/${imported}`)).body.data
    expect(counts).toMatchObject({
      results: { created: SERVICES, changed: 0, gone: 0 },
      targets: { created: SERVICES, known: 0 },
      rejected: 1,
    })
    expect(stateReason).toBe('1 entry could not be imported')
    expect((await key.get(`/api/v1/results?engagementId=${into}&perPage=1`)).body.meta.total).toBe(SERVICES)
    const services = (await key.get(`/api/v1/results?engagementId=${scanned}&kind=service`)).body.data
    expect(services.map(({ asset }: { asset: string }) => asset)).toEqual([`127.0.0.1:${listener.port}/tcp`])
    expect((await key.get(`/api/v1/operations?scanId=${scan}`)).body.data).not.toEqual([])
  }
  // Each scan probed the open port once, and at most once for its banner.
  expect(listener.accepted).toBeLessThanOrEqual(2 * begun.length)
}
