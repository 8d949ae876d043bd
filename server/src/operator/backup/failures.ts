import pg from 'pg'
import { isUnavailable } from '../../platform/database/connection/failures.ts'
import { ConfigurationError } from '../../platform/errors.ts'

/** Error codes of the file system, in words. */
const FILE_SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  EACCES: 'this user may not do that',
  EPERM: 'this user may not do that',
  EROFS: 'this file system cannot be written to',
}

/** SQLSTATEs that an operator can do something about, in words. */
const DATABASE_ERRORS: Readonly<Record<string, string>> = {
  '28P01': 'DATABASE_URL: the database refused the connection',
  '28000': 'DATABASE_URL: the database refused the connection',
  '3D000': 'DATABASE_URL: the database refused the connection',
  '42501': 'DATABASE_URL: the role may not do that: connect as the owner of the database and of its tables',
  '25006': 'DATABASE_URL: the database is read-only, as a standby is',
  '53100': 'the disk of the database is full',
  '55P03': 'a table is locked by something else for a minute, as by an upgrade: try again when that is over',
}

/**
 * Turns an error that an operator can do something about into a sentence that names the cause; returns any other as it
 * is.
 */
export const explainFailure = (error: unknown): unknown => {
  const { code = '', message, path } = error as NodeJS.ErrnoException
  if (FILE_SYSTEM_ERRORS[code]) return new ConfigurationError([`${FILE_SYSTEM_ERRORS[code]}: ${message}`])
  // Errors of files have a path, those of connections have none.
  if (path !== undefined) return error
  if (error instanceof pg.DatabaseError && DATABASE_ERRORS[code])
    return new ConfigurationError([`${DATABASE_ERRORS[code]} (${message})`])
  // An error for several addresses of one name has no message of its own.
  const cause = error instanceof AggregateError ? (error.errors[0] as Error).message : message
  if (isUnavailable(error)) return new ConfigurationError([`DATABASE_URL: the database cannot be reached (${cause})`])
  return error instanceof pg.DatabaseError
    ? new ConfigurationError([`the database answered with an error: ${message} (SQLSTATE ${code})`])
    : error
}
