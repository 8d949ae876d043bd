import { randomUUID } from 'node:crypto'
import { isoTime } from '../clock.ts'
import type { Platform } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { conflict } from '../errors.ts'
import type { JobType } from '../jobs/jobs.ts'
import { enterSafeModeOnce } from '../safe-mode/state.ts'
import { type Beat, readBeat, readMark, writeBeat } from './storage-mark.ts'

/**
 * Every minute, in one process: increments a counter in the database and one next to its files, so that each shows when
 * the other is out of date.
 */
export const beatJob: JobType<object> = {
  name: 'storage-beat',
  options: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 60 * 60 },
}

interface Counted {
  beat: number
  beat_token: string
}

/** The count continues from the value in the directory; another database, or an older state of this one, wrote it. */
const ADOPTED = 'adopted '
/** A promoted standby may lack the newest count: a directory that is ahead by one is adopted once. */
const GAP = 'gap '
/** A directory that has been silent for this long is not in use. */
const SILENT_MS = 2 * 60_000
const SHARED = 'Another database uses the same files.'

export const adopted = ({ beat, token }: Beat): Counted => ({ beat, beat_token: `${ADOPTED}${token}` })

export const isSameToken = ({ beat_token: token }: Counted, seen: Beat): boolean =>
  token.replace(/^(?:adopted|gap) /, '') === seen.token

/**
 * Counts one beat; enters safe mode if another database has counted in the directory. Never writes into another
 * database's directory.
 */
export const countBeat = async ({
  storage,
  db,
  clock,
  log,
}: Pick<Platform, 'storage' | 'db' | 'clock' | 'log'>): Promise<void> => {
  const at = isoTime(clock.now())
  const next = await transaction(db, async (tx) => {
    const row = await tx
      .selectFrom('storage_binding')
      .select(['storage_id', 'beat', 'beat_token'])
      .forUpdate()
      .executeTakeFirst()
    if (!row) return undefined
    if ((await readMark(storage)) !== row.storage_id) {
      log.error(`${storage.name} no longer belongs to this database: nothing is removed from it`)
      return undefined
    }
    const seen = await readBeat(storage)
    const own = { ...row, beat: Number(row.beat) }
    if (seen && isForeign(own, seen)) {
      if (await enterSafeModeOnce(tx, SHARED, at))
        log.error({ lastSeen: seen.at }, 'another database uses the same files: this instance is in safe mode now')
      return undefined
    }
    const isAhead = seen !== undefined && seen.beat > own.beat
    const token = randomUUID()
    const beat = Math.max(own.beat, seen?.beat ?? 0) + 1
    await tx
      .updateTable('storage_binding')
      .set({ beat, beat_token: isAhead ? `${GAP}${token}` : token })
      .execute()
    return { beat, token, at }
  })
  // After the commit: the directory is never ahead of its own database.
  if (next) await writeBeat(storage, next)
}

const isForeign = (own: Counted, seen: Beat): boolean => {
  if (seen.beat === own.beat) return !isSameToken(own, seen)
  return seen.beat > own.beat + 1 || (seen.beat > own.beat && own.beat_token.startsWith(GAP))
}

/** @throws ApiError CONFLICT while another database counts in the directory of the files */
export const requireSoleUse = async ({
  storage,
  db,
  clock,
}: Pick<Platform, 'storage' | 'db' | 'clock'>): Promise<void> => {
  const seen = await readBeat(storage)
  const row = await db.selectFrom('storage_binding').select(['beat', 'beat_token']).executeTakeFirst()
  if (!seen || !row) return
  const own = { ...row, beat: Number(row.beat) }
  const isOther = own.beat_token.startsWith(ADOPTED) || seen.beat > own.beat || !isSameToken(own, seen)
  if (isOther) await requireSilence({ storage, clock })
}

/** @throws ApiError CONFLICT if any database has counted in the directory within the last two minutes */
export const requireSilence = async ({ storage, clock }: Pick<Platform, 'storage' | 'clock'>): Promise<void> => {
  const seen = await readBeat(storage)
  if (!seen || clock.now() - Date.parse(seen.at) > SILENT_MS) return
  throw conflict(
    `Another server used the same files at ${seen.at}. Stop it and try again ${SILENT_MS / 60_000} minutes later, or give this one a copy of the files.`,
  )
}
