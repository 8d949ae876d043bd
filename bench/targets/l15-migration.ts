import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { withClient } from '../lib/database.ts'
import { seedOrganization } from '../lib/seed.ts'
import { atMostOf, none, type Target } from './target.ts'

/** The newest migration before which the people of an organization are kept as they were at first. */
const FROM_VERSION = 2
const KILLS = 30
const SMALL = 20_000
const CODE = (url: string) => `
  import { migrate } from ${JSON.stringify(new URL('../../server/src/platform/database/migrate.ts', import.meta.url).href)}
  import { createLogger } from ${JSON.stringify(new URL('../../server/src/platform/log.ts', import.meta.url).href)}
  await migrate({ connectionString: ${JSON.stringify(url)} }, createLogger('info'))`

export const l15: Target = {
  name: 'L15',
  title: 'Migrations of an organization of a million, killed at any point, twice at once, and a downgrade (count: members)',
  count: 1_000_000,
  measure: async ({ stage, database, count, note }) => {
    const log = createLogger('silent')
    const early = readMigrations().filter(({ version }) => version <= FROM_VERSION)
    const prepare = async (name: string, members: number) => {
      const url = await database.create(name)
      await migrate({ connectionString: url }, log, undefined, early)
      if (members > 0) await seedOrganization(url, name, members)
      return url
    }
    const inProcess = (url: string): ChildProcess => {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', CODE(url)], { stdio: ['ignore', 'pipe', 'ignore'] })
      stage.add(() => child.kill('SIGKILL'))
      return child
    }
    const isWhole = async (url: string, members: number): Promise<boolean> => {
      const { rows } = await withClient(url, (client) =>
        client.query('select (select count(*) from memberships)::int as members, (select max(version) from schema_migrations)::int as version'),
      )
      return rows[0].members === members && rows[0].version === readMigrations().at(-1)?.version
    }

    const large = await prepare('l15', count)
    const startedAt = performance.now()
    await migrate({ connectionString: large }, log)
    const seconds = (performance.now() - startedAt) / 1000
    const largeIsWhole = await isWhole(large, count)

    let broken = 0
    const template = await prepare('l15_small', SMALL)
    const copies = (name: string) =>
      withClient(large, (client) => client.query(`create database ${name} template l15_small`)).then(() => template.replace('l15_small', name))
    for (let kill = 0; kill < KILLS; kill++) {
      const url = await copies(`l15_kill_${kill}`)
      const child = inProcess(url)
      const ended = once(child, 'exit')
      await sleep(200 + kill * 30)
      child.kill('SIGKILL')
      await ended
      await migrate({ connectionString: url }, log)
      if (!(await isWhole(url, SMALL))) broken++
      await withClient(large, (client) => client.query(`drop database l15_kill_${kill} with (force)`))
    }

    const shared = await copies('l15_shared')
    const pair = [inProcess(shared), inProcess(shared)]
    const outputs = pair.map(() => '')
    for (const [i, { stdout }] of pair.entries()) stdout?.on('data', (data) => (outputs[i] += data))
    const codes = await Promise.all(pair.map(async (child) => (await once(child, 'close'))[0] as number))
    const migrated = outputs.filter((output) => output.includes('"migrated"')).length
    note(`${migrated} of two processes at once migrated; exit codes ${codes.join(' and ')}`)

    await withClient(shared, (client) =>
      client.query('insert into schema_migrations select version + 100, name, checksum, applied_at from schema_migrations order by version desc limit 1'),
    )
    const older = await stage.server({ env: { DATABASE_URL: shared } })
    const { code } = await older.exited
    note(`a build older than the schema ended with ${code}: ${older.errorLines.join(' ')}`)
    return [
      atMostOf(`migrating ${count.toLocaleString('en')} members`, 60, 's', seconds),
      none('of them not whole afterwards', largeIsWhole ? 0 : 1),
      none(`not whole after one of ${KILLS} kills and another start`, broken),
      none('of two at once: failed, or migrated both', codes.filter((each) => each !== 0).length + Math.abs(migrated - 1)),
      none('downgrades not refused with 78', code === 78 ? 0 : 1),
    ]
  },
}
