import type { Clock } from '../../clock.ts'

/** Jobs write every minute: a database that still refuses them is noticed again within this. */
const REMEMBERED_MS = 2 * 60_000

/** Why the database stores nothing: its disk is full, or it is read-only. */
export interface Refusal {
  isDiskFull: boolean
  /** The message of Postgres, without values. */
  cause: string
}

/** Remembers for two minutes that the database refused to store something. */
export interface Refusals {
  /** Called with the error of every failed statement. */
  note(error: unknown): void
  current(): Refusal | undefined
}

export const createRefusals = (clock: Pick<Clock, 'monotonic'>): Refusals => {
  let last: { refusal: Refusal; at: number } | undefined
  return {
    note: (error) => {
      const refusal = refusalOf(error)
      if (refusal) last = { refusal, at: clock.monotonic() }
    },
    current: () => (last && clock.monotonic() - last.at < REMEMBERED_MS ? last.refusal : undefined),
  }
}

/** disk_full */
const DISK_FULL = '53100'
/** read_only_sql_transaction: a standby, or a database that its provider has locked because its disk is full. */
const READ_ONLY = '25006'
const NO_SPACE = /no space left on device|disk quota exceeded/i

/** The messages name files of the database at most. */
const refusalOf = (error: unknown): Refusal | undefined => {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const isDiskFull = code === DISK_FULL || NO_SPACE.test(error.message)
  return isDiskFull || code === READ_ONLY ? { isDiskFull, cause: error.message } : undefined
}
