import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isoTime } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Platform } from '../context.ts'
import type { Database } from '../database/connection/open.ts'
import { ConfigurationError } from '../errors.ts'
import { adopted, isSameToken } from './beat.ts'
import { hasMoved, placeOf, readBeat, readMark, removeBeat, writeBeat, writeMark, writeMoved } from './storage-mark.ts'
import type { Storage } from './storage.ts'

/** Comparison of the files that a database knows with those of a directory. */
export interface Comparison {
  /** Files that the database knows. */
  known: number
  /** Known files that were looked for, and how many of them exist. */
  lookedFor: number
  found: number
  /** Files there of organizations that the database does not know. */
  strange: number
}

type Opened = Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'storage'>
export type Compare = (platform: Opened) => Promise<Comparison>

const MOVED =
  'The database or its files were copied or restored: they are in a different place than when the instance last started.'
const BEHIND =
  'The database holds an older state than its files: it was restored, or another database uses the same files.'

/**
 * Checks at a start that the storage belongs to this database (O2). A database and a directory without an id get one
 * if they agree: either knows none of the other's files, or some of the files that the database knows exist.
 *
 * @returns why the pair looks like a copy or an older state, as a sentence for people; undefined if it does not
 * @throws ConfigurationError if they do not belong together
 */
export const bindStorage = async (platform: Opened, compare: Compare): Promise<string | undefined> => {
  const { config, db, log, storage } = platform
  const mark = await readMark(storage)
  const binding = await findBinding(db)
  if (mark !== undefined && mark !== binding?.storage_id)
    throw new ConfigurationError([belongsToAnother(config, storage)])
  if (mark === undefined) {
    const comparison = await compare(platform)
    const problem = disagreement(config, storage, comparison)
    if (problem !== undefined) throw new ConfigurationError([problem])
    if (comparison.found < comparison.lookedFor)
      log.warn({ ...comparison }, `${storage.setting} lacks files that the database knows`)
    await writeBinding(platform, binding?.storage_id ?? randomUUID())
  }
  if (binding === undefined) return undefined
  const place = await placeOf(storage, clusterOf(config))
  const seen = await readBeat(storage)
  const isBehind =
    seen !== undefined && (seen.beat > binding.beat + 1 || (seen.beat === binding.beat && !isSameToken(binding, seen)))
  await db
    .updateTable('storage_binding')
    .set({ place, ...(isBehind && adopted(seen)) })
    .execute()
  if (mark === undefined || hasMoved(binding.place ?? '', place)) return MOVED
  return isBehind ? BEHIND : undefined
}

/**
 * Gives the database and the directory a new id, regardless of earlier bindings: former partners of either are refused
 * from now on.
 */
export const rebindStorage = async (platform: Opened): Promise<void> => {
  await removeBeat(platform.storage)
  await writeBinding(platform, randomUUID())
}

/**
 * For a database that was restored to match its files: adopts their id if they agree.
 *
 * @returns why they do not agree; undefined if they are bound
 */
export const adoptStorage = async (platform: Opened, compare: Compare): Promise<string | undefined> => {
  const { config, clock, db, storage } = platform
  const problem = disagreement(config, storage, await compare(platform))
  if (problem !== undefined) return problem
  const mark = await readMark(storage)
  if (mark === undefined) {
    await rebindStorage(platform)
    return undefined
  }
  const seen = await readBeat(storage)
  const beat = seen ? adopted(seen) : { beat: 0, beat_token: '' }
  await saveBinding(db, {
    storage_id: mark,
    place: await placeOf(storage, clusterOf(config)),
    ...beat,
    bound_at: isoTime(clock.now()),
  })
  return undefined
}

/** Reports whether the directory is the database's own right now: another one may have been mounted there. */
export const isOwnStorage = async ({ storage, db }: Pick<Platform, 'storage' | 'db'>): Promise<boolean> => {
  const binding = await findBinding(db)
  return binding !== undefined && (await readMark(storage)) === binding.storage_id
}

/**
 * Moves the binding to a storage that holds the same files, whose place becomes the known one: the next start on it is
 * not taken for a copy. The former storage is refused from then on.
 */
export const moveBinding = async ({ config, db, storage: from }: Opened, to: Storage, named: string): Promise<void> => {
  const binding = await findBinding(db)
  if (!binding) throw new Error('the database has no storage')
  const beat = await readBeat(from)
  if (beat) await writeBeat(to, beat)
  else await removeBeat(to)
  await writeMark(to, binding.storage_id)
  await db
    .updateTable('storage_binding')
    .set({ place: await placeOf(to, clusterOf(config)) })
    .execute()
  await writeMoved(from, binding.storage_id, named)
}

/** Files that the latest cleanup left behind, for the metric: 0 if none. */
export const noteLeftFiles = async (db: Database, count: number): Promise<void> => {
  await db.updateTable('storage_binding').set({ left_files: count }).execute()
}

export const countLeftFiles = async (db: Database): Promise<number> =>
  (await db.selectFrom('storage_binding').select('left_files').executeTakeFirst())?.left_files ?? 0

/** The row of the database; undefined before its first start. */
export const findBinding = async (db: Database) => {
  const row = await db.selectFrom('storage_binding').selectAll().executeTakeFirst()
  return row && { ...row, beat: Number(row.beat) }
}

/** Writes the row before the file: after a crash in between, the next start completes it. */
const writeBinding = async ({ config, db, clock, storage }: Opened, storageId: string): Promise<void> => {
  const row = { storage_id: storageId, place: null, beat: 0, beat_token: '', bound_at: isoTime(clock.now()) }
  await saveBinding(db, row)
  await writeMark(storage, storageId)
  await db
    .updateTable('storage_binding')
    .set({ place: await placeOf(storage, clusterOf(config)) })
    .execute()
}

const saveBinding = async (
  db: Database,
  row: { storage_id: string; place: string | null; beat: number; beat_token: string; bound_at: string },
): Promise<void> => {
  await db
    .insertInto('storage_binding')
    .values({ id: true, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

const clusterOf = ({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): string | undefined =>
  DATABASE_URL ? undefined : path.join(DATA_DIR, 'postgres')

const databaseOf = ({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): string =>
  DATABASE_URL ? 'DATABASE_URL' : `DATA_DIR (${DATA_DIR})`

const REMEDY = 'see "Files" in docs/operating/database/files.md'

const belongsToAnother = (config: Config, { setting, name }: Storage): string =>
  `${setting}: ${name} belongs to another database than that of ${databaseOf(config)}: correct the setting that is wrong, or run "npm run operator -- bind-storage" to join them; ${REMEDY}`

/** @returns the mismatch and its remedy; undefined if they may belong together */
const disagreement = (
  config: Config,
  { setting, name, kind }: Storage,
  { known, lookedFor, found, strange }: Comparison,
): string | undefined => {
  if (known > 0 && found === 0) {
    return `${setting}: ${name} holds none of the ${lookedFor} files that were looked for, and the database of ${databaseOf(config)} knows ${known}: correct the setting that is wrong, or put the files back; if they are lost, run "npm run operator -- bind-storage"; ${REMEDY}`
  }
  if (known === 0 && strange > 0) {
    return `${setting}: ${name} holds files of another database, and that of ${databaseOf(config)} knows none: correct the setting that is wrong, or take an empty ${kind}; ${REMEDY}`
  }
  return undefined
}
