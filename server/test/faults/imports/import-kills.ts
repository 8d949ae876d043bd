import assert from 'node:assert/strict'
import { expect } from 'vitest'
import { eventually, type Stage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate, newSuperuser } from '../../support/database/test-databases.ts'
import { newEngagement } from '../../support/document/files.ts'

/**
 * Only keeps a broken test from hanging: on a busy machine the last of many restarts reads the whole file again for
 * minutes.
 */
export const DONE_WITHIN_MS = 900_000

export const WRONG = ['{"ip":"300.0.0.1","port":1}', '{"ip":"10.0.0.1","po']

const rowOf = (index: number, extra = '') =>
  `{"ip":"10.${index >> 14}.${(index >> 7) & 127}.${index & 127}","port":443${extra}}`
export const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => rowOf(index))
export const again = (count: number, isNamed: (index: number) => boolean) =>
  Array.from({ length: count }, (_, index) => rowOf(index, isNamed(index) ? ',"name":"https"' : ''))

/** Blanks in each row, because progress shows in steps of a megabyte; a key that no format has would be refused. */
const UNREAD = `${' '.repeat(310)}}`

/** Services, each in two distant rows, and some invalid rows. */
const twiceEach = (count: number) => {
  const rows = [...rowsOf(count), ...again(count, (index) => index % 4 === 0)]
  return [...rows.map((row) => row.replace(/\}$/, UNREAD)), ...WRONG].join('\n')
}

/** A server that only answers, on its own database and the storage of these settings, and a function that imports into it. */
export const startApi = async (stage: Stage, storage: Record<string, string>) => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings), ...storage }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  await api.ready()
  const key = await withNewKey(await signInAsOwner(api.origin), [
    'targets:read',
    'targets:write',
    'organizations:read',
    'organizations:write',
  ])
  const read = async (id: string) => (await key.get(`/api/v1/imports/${id}`)).body.data
  return {
    settings,
    read,
    newEngagement: (name: string) => newEngagement(key, name),
    startWorker: () => stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } }),
    importInto: async (engagementId: string, rawBody: string) => {
      const query = new URLSearchParams({ engagementId, fileName: 'many.jsonl' })
      const { body } = await key.request('POST', `/api/v1/imports?${query.toString()}`, { rawBody })
      return body.data.id as string
    },
    ended: (id: string, withinMs: number) =>
      eventually(
        async () => {
          const found = await read(id)
          expect(['partial', 'failed', 'applied']).toContain(found.state)
          expect(found.progress).toBeNull()
          return found
        },
        withinMs,
        200,
      ),
  }
}

/**
 * A worker is killed at this number of results, and of named results: in the first half of the file, and in the second.
 */
export interface KilledAt {
  results: number
  named: number
}

/**
 * Imports a file of services and kills the worker at these points: the import restarts from its file each time, and
 * leaves the same as an undisturbed one.
 */
export const expectImportToSurviveKills = async (
  stage: Stage,
  storage: Record<string, string>,
  services: number,
  killedAt: readonly KilledAt[],
): Promise<void> => {
  const { settings, ...api } = await startApi(stage, storage)
  const file = twiceEach(services)
  // The number of results with a name at the end: the second half of the file names them.
  const allNamed = services / 4
  const killedEngagement = await api.newEngagement('Killed')
  const killed = await api.importInto(killedEngagement, file)
  const database = await newSuperuser(settings)
  stage.add(() => database.end())
  /** Runs between two batches: imports and the holder of the inventory lock alternate. */
  const betweenBatches = async (meet: (results: number, named: number) => Promise<void>) => {
    await database.query('begin')
    await database.query(`select pg_advisory_xact_lock(hashtextextended('results ${killedEngagement}', 0))`)
    const { rows } = await database.query(
      `select count(*)::int as results, count(*) filter (where r.data ->> 'name' = 'https')::int as named
       from observations o join results r on r.id = o.result_id where o.source_id = '${killed}'`,
    )
    await meet(rows[0].results, rows[0].named)
    await database.query('rollback')
  }
  for (const [index, at] of killedAt.entries()) {
    const worker = await api.startWorker()
    let isAlive = true
    let seen = ''
    await eventually(
      async () => {
        await betweenBatches(async (results, named) => {
          seen = `kill ${index + 1} at ${JSON.stringify(at)}: ${results} results, ${named} of them named`
          if (results < at.results || named < at.named) return
          assert.ok(named < allNamed, 'killed in the middle')
          await worker.kill()
          isAlive = false
        })
        expect(isAlive, seen).toBe(false)
      },
      DONE_WITHIN_MS,
      20,
    )
    const [work] = await asSuperuserRows(
      settings,
      `select state, attempt from background_jobs where subject_id = '${killed}'`,
    )
    expect(work).toEqual({ state: 'running', attempt: index + 1 })
    // Simulates the queue's detection; removal-kills tests that it takes at most 60 seconds.
    await asSuperuser(
      settings,
      `update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now(), heartbeat_on = null
       where name = 'work-import' and state = 'active'`,
    )
  }
  const last = await api.startWorker()
  await last.ready()
  const one = await api.ended(killed, DONE_WITHIN_MS)
  const engagementId = await api.newEngagement('Undisturbed')
  const undisturbed = await api.importInto(engagementId, file)
  const other = await api.ended(undisturbed, DONE_WITHIN_MS)
  expect(one.counts).toEqual(other.counts)
  expect(one.counts).toMatchObject({
    results: { created: services, changed: 0 },
    targets: { created: services, known: 0 },
    rejected: 2,
  })
  expect([one.state, one.stateReason]).toEqual([other.state, other.stateReason])
  const keptOf = async (importId: string) => {
    const [kept] = await asSuperuserRows(
      settings,
      `select
         (select jsonb_agg(jsonb_build_array(r.asset, r.title, r.state, r.data, r.tools, r.target_id is null, o.change, o.reported, o.before, o.after) order by r.asset_key)
           from observations o join results r on r.id = o.result_id where o.source_id = '${importId}') as results,
         (select jsonb_agg(ts_delete(w.words, array['=' || r.organization_id || '/result', '=' || r.engagement_id || '/result'])::text order by r.asset_key)
           from observations o join results r on r.id = o.result_id join object_words w on w.object_id = r.id where o.source_id = '${importId}') as words,
         (select jsonb_agg(jsonb_build_array(host, is_new) order by host) from import_targets where import_id = '${importId}') as targets,
         (select jsonb_agg(jsonb_build_array(number, position, excerpt, reason) order by number) from import_rejections where import_id = '${importId}') as rejections`,
    )
    assert.ok(kept)
    return kept as Record<'results' | 'words' | 'targets' | 'rejections', unknown[]>
  }
  const kept = await keptOf(killed)
  expect(kept).toEqual(await keptOf(undisturbed))
  expect(Object.values(kept).map((rows) => rows.length)).toEqual([services, services, services, 2])
}
