import assert from 'node:assert/strict'
import path from 'node:path'
import pg from 'pg'
import { eventually, isAlive, postgresPid, type Stage } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'

/** One write as its client saw it. `unknown`: no answer arrived, or 503; the write may have happened or not. */
interface Operation {
  kind: 'engagement' | 'invitation'
  /** Unique; part of the written row. */
  mark: string
  outcome: 'ok' | 'unknown'
  id?: string
}

export interface KillResult {
  cycles: number
  acknowledged: number
  unknown: number
  lost: number
  half: number
  duplicates: number
  /** Milliseconds from start to ready, per cycle. */
  readyMs: number[]
}

const WRITERS = 6
const ACKNOWLEDGED_PER_CYCLE = 50

/**
 * Repeatedly kills the server during writes, every second time and the last with its Postgres, and compares the answers
 * with the database: an acknowledged write exists, complete and once; an unknown one exists completely or not at all.
 */
export const runKillCycles = async (stage: Stage, cycles: number): Promise<KillResult> => {
  const history: Operation[] = []
  const readyMs: number[] = []
  let server = await stage.server({ env: { INVITATION_LIMIT_PER_HOUR: '1000000' } })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  for (let cycle = 0; cycle < cycles; cycle++) {
    const before = history.length
    let going = true
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(key, history, `c${cycle}w${writer}`, () => going),
    )
    await eventually(
      () => assert.ok(history.slice(before).filter(({ outcome }) => outcome === 'ok').length >= ACKNOWLEDGED_PER_CYCLE),
      30_000,
      5,
    )
    const postgres = postgresPid(server.dataDir)
    const takesPostgres = (cycles - cycle) % 2 === 1
    server.signal('SIGKILL')
    if (takesPostgres && postgres !== undefined) process.kill(postgres, 'SIGKILL')
    await server.exited
    going = false
    await Promise.all(writers)
    if (takesPostgres && postgres !== undefined) await eventually(() => assert.ok(!isAlive(postgres)))
    server = await stage.server({
      dataDir: server.dataDir,
      port: server.port,
      env: { INVITATION_LIMIT_PER_HOUR: '1000000' },
    })
    readyMs.push(await server.ready())
  }
  const result = await check(server.dataDir, history)
  assert.equal((await server.stop()).code, 0)
  return { cycles, readyMs, ...result }
}

const write = async (key: TestClient, history: Operation[], name: string, going: () => boolean): Promise<void> => {
  for (let n = 0; going(); n++) {
    const mark = `${name}n${n}`
    const kind = n % 3 === 0 ? 'invitation' : 'engagement'
    const operation: Operation = { kind, mark, outcome: 'unknown' }
    try {
      const answer =
        kind === 'engagement'
          ? await key.post('/api/v1/engagements', { name: mark, description: mark })
          : await key.post('/api/v1/organizations/current/members/invite', {
              email: `${mark}@example.com`,
              role: 'member',
            })
      if (answer.status === 201) {
        operation.outcome = 'ok'
        operation.id = answer.body.data.id
      } else {
        assert.equal(answer.status, 503)
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    history.push(operation)
    if (operation.outcome === 'unknown') return
  }
}

const check = async (dataDir: string, history: Operation[]) => {
  const database = new pg.Client({
    host: path.join(dataDir, 'postgres'),
    port: 5432,
    user: 'sortie',
    database: 'sortie',
  })
  await database.connect()
  // An invitation is complete with its audit entry, its mail and that mail's job; an engagement with its audit entry.
  const { rows } = await database.query<{ id: string; mark: string; whole: boolean }>(`
    select e.id, e.name as mark, e.name = e.description and count(a.id) = 1 as whole
      from engagements e left join audit_entries a on a.object_id = e.id group by e.id
    union all
    select i.id, split_part(i.email, '@', 1), count(distinct a.id) = 1 and count(distinct m.id) = 1 and (count(distinct j.id) = 1 or every(m.status <> 'queued'))
      from invitations i
      left join audit_entries a on a.object_id = i.id
      left join mails m on m.subject_id = i.id
      left join pgboss.job j on j.name = 'deliver-mail' and j.data->>'mailId' = m.id
      group by i.id`)
  const orphans = await database.query(`
    select object_id from audit_entries where action in ('engagement.created', 'member.invited')
    except select id from engagements except select id from invitations`)
  await database.end()
  const ids = new Set(rows.map(({ id }) => id))
  const marks = rows.map(({ mark }) => mark)
  const asked = new Set(history.map(({ mark }) => mark))
  return {
    acknowledged: history.filter(({ outcome }) => outcome === 'ok').length,
    unknown: history.filter(({ outcome }) => outcome === 'unknown').length,
    lost: history.filter(({ outcome, id }) => outcome === 'ok' && !ids.has(id as string)).length,
    half: rows.filter(({ whole, mark }) => !whole || !asked.has(mark)).length + orphans.rows.length,
    duplicates: marks.length - new Set(marks).size,
  }
}
