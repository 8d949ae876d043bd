import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { eventually, type ServerProcess, type Stage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate, newSuperuser } from '../../support/database/test-databases.ts'
import { filesBelow } from '../../support/document/files.ts'

const ROWS = 300_000
/** A dead worker is detected and its job resumed within this time. */
const NOTICED_WITHIN_MS = 60_000

export interface RemovalResult {
  /** From each kill until another worker had resumed the job, in milliseconds. */
  takenUpMs: number[]
  /** Remaining rows of the engagement, and of the other one, at the end. */
  left: number
  others: number
  /** What the files below STORAGE_PATH hold, without those of the other engagement. */
  bytes: string[]
  work: { state: string; done: number; total: number }
}

/**
 * Deletes an engagement with many files and repeatedly kills the removing process: workers, and servers that also
 * answer. Another engagement has files, too.
 *
 * @param rows of the engagement
 */
export const runRemovalKills = async (stage: Stage, kills: number, rows = ROWS): Promise<RemovalResult> => {
  const settings = await copyTemplate()
  const storage = path.join(stage.directory(), 'uploads')
  const env = { DATABASE_URL: databaseUrl(settings), STORAGE_PATH: storage }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  await api.ready()
  const owner = await signInAsOwner(api.origin)
  const [engagementId, otherId] = await Promise.all(
    ['Removed', 'Stays'].map(
      async (name) => (await owner.post('/api/web/engagements', { name })).body.data.id as string,
    ),
  )
  const insertFiles = (id: string | undefined, count: number) =>
    asSuperuser(
      settings,
      `insert into files (id, organization_id, engagement_id, owner_type, owner_id, file_name, size, sha256, media_type, created_at)
       select 'fil_' || substr('${id}', 5, 18) || lpad(n::text, 8, '0'), organization_id, id, 'engagement', id, 'x', 1, repeat('0', 64), 'application/octet-stream', now()
       from engagements, generate_series(1, ${count}) n where id = '${id}'`,
    )
  for (const id of [engagementId, engagementId, otherId]) {
    assert.equal(
      (await owner.request('POST', `/api/web/engagements/${id}/files?fileName=real`, { rawBody: `of ${id}` })).status,
      201,
    )
  }
  await insertFiles(engagementId, rows)
  await insertFiles(otherId, 10)
  for (const list of ['engagements', 'trashed-engagements']) {
    const removed = await owner.delete(`/api/web/${list}/${engagementId}`, { body: { name: 'Removed' } })
    assert.equal(removed.status, 200)
  }
  assert.equal((await owner.get(`/api/web/engagements/${engagementId}`)).status, 404)

  const findBackgroundJob = async () => {
    const [row] = await asSuperuserRows<{ state: string; attempt: number; done: string; total: string; left: string }>(
      settings,
      `select state, attempt, done, total, (select count(*) from files where engagement_id = '${engagementId}') as left from background_jobs where subject_id = '${engagementId}'`,
    )
    assert.ok(row)
    return { ...row, done: Number(row.done), total: Number(row.total), left: Number(row.left) }
  }
  const startWorker = async (n: number): Promise<ServerProcess> => {
    const worker = await stage.server({ env: { ...env, SORTIE_ROLE: n % 2 === 0 ? 'worker' : 'all' } })
    await worker.ready()
    return worker
  }
  const takenUpMs: number[] = []
  const holder = await newSuperuser(settings)
  stage.add(() => holder.end())
  const reached = (kill: number) => Math.floor((rows * kill) / (kills + 1))
  /** The removal reaches a locked row, and is killed there. */
  const hold = async (kill: number) => {
    await holder.query('begin')
    const last = String(reached(kill)).padStart(8, '0')
    const { rowCount } = await holder.query(
      `select from files where engagement_id = '${engagementId}' and id like '%${last}' for update`,
    )
    assert.equal(rowCount, 1)
  }
  await hold(1)
  let worker = await startWorker(0)
  for (let kill = 1; kill <= kills; kill++) {
    await eventually(async () => assert.ok((await findBackgroundJob()).left < rows - reached(kill - 1)), 120_000, 20)
    await worker.kill()
    const killedAt = performance.now()
    await holder.query('rollback')
    const { attempt, state, left } = await findBackgroundJob()
    assert.deepEqual([state, left > 0], ['running', true], 'killed in the middle')
    if (kill < kills) await hold(kill + 1)
    worker = await startWorker(kill)
    await eventually(async () => assert.ok((await findBackgroundJob()).attempt > attempt), NOTICED_WITHIN_MS * 2, 100)
    takenUpMs.push(performance.now() - killedAt)
  }
  const work = await eventually(async () => {
    const row = await findBackgroundJob()
    assert.equal(row.state, 'succeeded')
    return row
  }, 300_000)
  assert.equal((await worker.stop()).code, 0)
  const bytes = filesBelow(storage)
    .map((file) => readFileSync(path.join(storage, file), 'utf8'))
    .filter((text) => text !== `of ${otherId}`)
  const [counts] = await asSuperuserRows<{ others: string; engagements: string }>(
    settings,
    `select (select count(*) from files where engagement_id = '${otherId}') as others, (select count(*) from engagements where id = '${engagementId}') as engagements`,
  )
  assert.equal(Number(counts?.engagements), 0)
  return {
    takenUpMs,
    left: work.left,
    others: Number(counts?.others),
    bytes,
    work: { state: work.state, done: work.done, total: work.total },
  }
}
