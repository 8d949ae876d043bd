// L15: migrations of a large organization; of a smaller one, killed and twice at once; and a build older than its database.
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { migrateInProcess } from '../../server/test/support/migrating-process.ts'
import { allAtMost, type Bench, type Measured, msOf, none, repeat, sum } from '../lib/figure.ts'
import { seedOrganization, sql } from '../lib/sortie.ts'

/** The state of an early build, with the first layout of members and without row-level security. */
const TABLE = 'create table schema_migrations (version integer primary key, name text, checksum text, applied_at timestamptz(3) not null default now())'
const EARLY = readMigrations()
  .slice(0, 2)
  .flatMap(({ version, name, checksum, sql: text }) => {
    return [text, `insert into schema_migrations (version, name, checksum) values (${version}, '${name}', '${checksum}')`]
  })
const [KILLS, SMALL] = [30, 20_000]
const log = createLogger('silent')
const STATE = 'select (select count(*) from memberships)::int as members, (select max(version) from schema_migrations)::int as version'
const NEWER = 'insert into schema_migrations select version + 100, name, checksum, applied_at from schema_migrations order by version desc limit 1'

export const title = 'Migrations of an organization of a million, killed at any point, twice at once, and a downgrade (count: members)'
export const count = 1_000_000

export const measure = async ({ stage, database, count }: Bench): Promise<Measured[]> => {
  const prepare = async (members: number) => {
    const url = await database({ isEmpty: true })
    await sql(url, TABLE, ...EARLY)
    await seedOrganization(url, 'migrated', members)
    return url
  }
  const brokenIn = async (url: string, members: number): Promise<number> => {
    const [row] = await sql(url, STATE)
    return row.members === members && row.version === readMigrations().at(-1)?.version ? 0 : 1
  }
  const large = await prepare(count)
  const ms = await msOf(() => migrate({ connectionString: large }, log))
  const template = new URL(await prepare(SMALL))
  const copyAs = async (name: string) => {
    await sql(large, `create database ${name} template ${template.pathname.slice(1)}`)
    return Object.assign(new URL(template), { pathname: name }).href
  }
  const broken = await repeat(KILLS, async (kill) => {
    const url = await copyAs(`killed_${kill}`)
    const { child, exited } = migrateInProcess(stage, { connectionString: url })
    await sleep(200 + kill * 30)
    child.kill('SIGKILL')
    await exited
    await migrate({ connectionString: url }, log)
    return brokenIn(url, SMALL)
  })
  const shared = await copyAs('shared')
  const pair = [0, 1].map(() => migrateInProcess(stage, { connectionString: shared }))
  const failed = (await Promise.all(pair.map(({ exited }) => exited))).filter((code) => code !== 0)
  const migrated = pair.filter(({ output }) => output().includes('"migrated"')).length
  await sql(shared, NEWER)
  const { code } = await (await stage.server({ env: { DATABASE_URL: shared } })).exited
  return [
    allAtMost(`migrating ${count.toLocaleString('en')} members`, 60, 's', [ms / 1_000]),
    none('of them not whole afterwards', await brokenIn(large, count)),
    none(`not whole after one of ${KILLS} kills and another start`, sum(broken)),
    none('of two at once: failed, or migrated both', failed.length + Math.abs(migrated - 1)),
    none('downgrades not refused with 78', code === 78 ? 0 : 1),
  ]
}
