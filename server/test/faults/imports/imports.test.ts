import { afterAll, describe, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { asSuperuser } from '../../support/database/test-databases.ts'
import { createStorages, STORAGES } from '../../support/storage/storages.ts'
import { again, DONE_WITHIN_MS, expectImportToSurviveKills, rowsOf, startApi, WRONG } from './import-kills.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

/** A file of nine batches. */
const SERVICES = 4_000

/**
 * With this many, a statement that compares each row with each of a batch takes several times the statement timeout.
 */
const MANY_SERVICES = 20_000
/** The first of them are in the file once more, each with a name. */
const REPEATED = 1_000
const manyServices = [...rowsOf(MANY_SERVICES), ...again(REPEATED, () => true), ...WRONG].join('\n')

describe.each(STORAGES)('%s', (name) => {
  nightly(
    'an import that is killed in the middle restarts from its file, and leaves the same as an undisturbed one',
    async () => {
      const [first, second] = [
        { results: 1_500, named: 0 },
        { results: SERVICES, named: 200 },
      ]
      await expectImportToSurviveKills(stage, (await open(name)).env, SERVICES, [first, second])
    },
    600_000,
  )
})

nightly(
  'an import of a large file into tables without statistics finishes: no statement compares all with all',
  async () => {
    const { settings, ...api } = await startApi(stage, (await open('a directory')).env)
    for (const table of ['results', 'observations', 'targets', 'import_targets']) {
      await asSuperuser(settings, `alter table ${table} set (autovacuum_enabled = false)`)
    }
    await (await api.startWorker()).ready()
    const { counts, stateReason } = await api.ended(
      await api.importInto(await api.newEngagement('Large'), manyServices),
      DONE_WITHIN_MS,
    )
    expect(counts).toMatchObject({
      results: { created: MANY_SERVICES, changed: 0 },
      targets: { created: MANY_SERVICES },
      rejected: 2,
    })
    expect(stateReason).toBe('2 entries could not be imported')
  },
)
