// L15: migrations of a large organization; of a smaller one, killed and twice at once; and a build older than its
// database.
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { migrateInProcess } from '../../server/test/support/database/migrating-process.ts'
import { allAtMost, type Bench, type Measured, msOf, none, repeat, sum } from '../lib/figure.ts'
import { seedOrganization, sql } from '../lib/sortie.ts'

const KNOWN = readMigrations()
const MIGRATIONS = fileURLToPath(new URL('../../server/migrations/', import.meta.url))
const VERSIONS = [1, 2].map((step) => (KNOWN.at(-1)?.version ?? 0) + step) as [number, number]
const fileName = (version: number, name: string) => `${String(version).padStart(4, '0')}_${name}.sql`
/** Expand, then fill and contract: the second rewrites each row of the largest table. */
const STEPS = {
  [fileName(VERSIONS[0], 'shown_names')]: 'alter table memberships add column shown_name text',
  [fileName(VERSIONS[1], 'fill_shown_names')]:
    'update memberships set shown_name = name; alter table memberships alter column shown_name set not null',
}
const [KILLS, SMALL] = [30, 20_000]
const log = createLogger('silent')
const STATE = `select (select count(*) from memberships where shown_name = name)::int as members,
  (select max(version) from schema_migrations)::int as version`
const NEWER =
  'insert into schema_migrations select version + 100, name, checksum, applied_at from schema_migrations order by version desc limit 1'

export const title =
  'Migrations of an organization of a million, killed at any point, twice at once, and a downgrade (count: members)'
export const count = 1_000_000

export const measure = async ({ stage, database, count }: Bench): Promise<Measured[]> => {
  const directory = stage.directory()
  cpSync(MIGRATIONS, directory, { recursive: true })
  for (const [name, text] of Object.entries(STEPS)) writeFileSync(path.join(directory, name), text)
  const migrations = readMigrations(directory)
  const prepare = async (members: number) => {
    const url = await database()
    await seedOrganization(url, 'migrated', members)
    return url
  }
  const brokenIn = async (url: string, members: number): Promise<number> => {
    const [row] = await sql(url, STATE)
    return row.members === members && row.version === VERSIONS[1] ? 0 : 1
  }
  const large = await prepare(count)
  const ms = await msOf(() => migrate({ connectionString: large }, log, undefined, migrations))
  const template = new URL(await prepare(SMALL))
  const copyAs = async (name: string) => {
    await sql(large, `create database ${name} template ${template.pathname.slice(1)}`)
    return Object.assign(new URL(template), { pathname: name }).href
  }
  const broken = await repeat(KILLS, async (kill) => {
    const url = await copyAs(`killed_${kill}`)
    const { child, exited } = migrateInProcess(stage, { connectionString: url }, directory)
    await sleep(200 + kill * 30)
    child.kill('SIGKILL')
    await exited
    await migrate({ connectionString: url }, log, undefined, migrations)
    return brokenIn(url, SMALL)
  })
  const shared = await copyAs('shared')
  const pair = [0, 1].map(() => migrateInProcess(stage, { connectionString: shared }, directory))
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
