import pg from 'pg'
import { ApiError, unavailable } from '../../errors.ts'

/** SQLSTATEs and system errors that mean "not now" rather than "wrong". */
const UNAVAILABLE_STATES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57014', // query_canceled: the statement timeout
  '55P03', // lock_not_available: the lock timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '26000', // invalid_sql_statement_name: its preparation, sent just before, failed
  '40001', // serialization_failure, after its retries
  '40P01', // deadlock_detected, after its retries
])
const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|client was closed|connection timeout|timeout expired/i

export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.has(code ?? '') || (code?.startsWith('08') ?? false)
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return (code !== undefined && UNAVAILABLE_SYSTEM.has(code)) || UNAVAILABLE_MESSAGE.test(error.message)
}

/** query_canceled (the statement timeout, or an administrator) and lock_not_available (the lock timeout). */
const TOOK_TOO_LONG = new Set(['57014', '55P03'])

/** Reports whether Postgres answers, but cancelled the statement because it ran or waited for too long. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && TOOK_TOO_LONG.has(error.code ?? '')

export const READ_TIMED_OUT =
  'Time-out: the database took too long to read this. Narrow it down with filters or smaller pages, or try again shortly.'
export const CHANGE_TIMED_OUT =
  'Time-out: the database took too long to make this change. Change fewer objects at a time, or try again shortly.'

/** By SQLSTATE: Postgres answers, and stores nothing until the operator acts. The transaction was rolled back. */
const STORES_NOTHING: Readonly<Record<string, string>> = {
  '53100': 'Nothing was stored: the disk of the database is full. Try again once the operator has freed space.',
  '25006': 'Nothing was stored: the database is read-only at the moment. Try again later.',
}

/**
 * Turns a failed query into an answer: 503 while the database cannot serve, stores nothing, or if a statement took too
 * long; returns other errors unchanged.
 *
 * @param method of the request that failed: the advice differs between reads and changes
 */
export const translateFailure = (error: unknown, method: string): unknown => {
  if (error instanceof ApiError || !isUnavailable(error)) return error
  if (tookTooLong(error))
    return unavailable(method === 'GET' || method === 'HEAD' ? READ_TIMED_OUT : CHANGE_TIMED_OUT, error)
  const storesNothing = STORES_NOTHING[(error as { code?: string }).code ?? '']
  if (storesNothing !== undefined) return unavailable(storesNothing, error)
  return unavailable('The database cannot be reached right now. Try again shortly.', error)
}

/**
 * Reports whether nothing of the transaction that threw this was stored. After a broken connection, it may have been.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof ApiError || (error instanceof pg.DatabaseError && error.severity === 'ERROR')

/** Reports whether a statement failed because of this unique index or constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.constraint === constraint
