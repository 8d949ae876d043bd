import path from 'node:path'
import type { Platform } from '../../platform/context.ts'
import type { Refusals } from '../../platform/database/connection/refusals.ts'
import { readDiskSpace } from '../../platform/files/disk-space.ts'

/** Why the database stores nothing, or is about to. */
export interface DatabaseTrouble {
  isDiskFull: boolean
  /** A sentence for the operator. */
  message: string
}

/** Postgres adds to its log in files of this size: with less space it refuses changes soon. */
const LOG_FILE_BYTES = 16 * 1024 * 1024
const MEBIBYTE = 1024 * 1024

/**
 * Looks for a full disk of the database, or one that refuses changes (O13): the disk of the embedded database shows
 * itself, any other by what Postgres answered to the statements of this process within two minutes.
 */
export const findDatabaseTrouble = async (
  { config }: Pick<Platform, 'config'>,
  refusals: Refusals,
): Promise<DatabaseTrouble | undefined> => {
  const space = config.DATABASE_URL ? undefined : await readDiskSpace(path.join(config.DATA_DIR, 'postgres'))
  if (space && space.free < LOG_FILE_BYTES)
    return {
      isDiskFull: true,
      message: `The disk of the database is full: ${Math.floor(space.free / MEBIBYTE)} MiB are free in DATA_DIR.`,
    }
  const refusal = refusals.current()
  if (!refusal || (refusal.isDiskFull && space)) return undefined
  const { isDiskFull, cause } = refusal
  return {
    isDiskFull,
    message: `${isDiskFull ? 'The disk of the database is full' : 'The database refuses changes'}: ${cause}.`,
  }
}
