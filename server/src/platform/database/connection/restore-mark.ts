import type pg from 'pg'
import { ConfigurationError } from '../../errors.ts'
import { question } from '../question.ts'

/** A table that exists while a restore into this database is not complete. No migration creates it. */
export const RESTORE_MARK = 'restore_unfinished'

/** The only row of the table: how far the restore is. */
export interface RestoreMark {
  /** Also written to the storage, to know which files belong to this restore. */
  token: string
  /** Checksum of the backup's manifest, and its directory as the operator named it. */
  backup: string
  source: string
  /** STORAGE_PATH. */
  storage: string
  files_done: boolean
  rows_done: boolean
}

/** @returns undefined if no restore was started, or the last one is complete */
export const readRestoreMark = async (client: pg.Client): Promise<RestoreMark | undefined> => {
  const { rows } = await client.query<{ known: boolean }>(
    question(`select to_regclass('${RESTORE_MARK}') is not null as known`),
  )
  if (!rows[0]?.known) return undefined
  const { rows: marks } = await client.query<RestoreMark>(question(`select * from ${RESTORE_MARK}`))
  return marks[0]
}

/**
 * Keeps servers and commands from a database with an incomplete restore: rows may be missing, and API keys and sessions
 * that the last step ends may still work.
 *
 * @throws ConfigurationError
 */
export const requireNoRestore = async (client: pg.Client): Promise<void> => {
  const mark = await readRestoreMark(client)
  if (!mark) return
  throw new ConfigurationError([
    `DATABASE_URL: a restore of ${mark.source} into this database is under way or was interrupted; run "npm run operator -- restore" with that backup again to continue`,
  ])
}
