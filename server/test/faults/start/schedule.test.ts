import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterAll(() => stage.close())

const MINUTE_MS = 60_000

nightly('F14: two workers do a scheduled job once', async () => {
  const settings = await copyTemplate()
  const database = new pg.Client(settings)
  await database.connect()
  stage.add(() => database.end())
  const env = { DATABASE_URL: databaseUrl(settings), SORTIE_ROLE: 'worker' }
  const workers = await Promise.all([stage.server({ env }), stage.server({ env })])
  await Promise.all(workers.map((worker) => worker.ready()))
  const { rowCount } = await database.query("update pgboss.schedule set cron = '* * * * *' where name = 'clean-up'")
  expect(rowCount).toBe(1)
  const started = new Date()
  const jobs = async () => {
    const { rows } = await database.query("select state from pgboss.job where name = 'clean-up' and created_on >= $1", [
      started,
    ])
    return rows
  }
  await eventually(
    async () => expect((await jobs()).filter(({ state }) => state === 'completed').length).toBeGreaterThan(0),
    1.5 * MINUTE_MS,
    500,
  )
  expect((await jobs()).length).toBeLessThanOrEqual(Math.ceil((Date.now() - started.getTime()) / MINUTE_MS))
})
