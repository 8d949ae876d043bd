import pg from 'pg'

const TIMESTAMPTZ = 1184
const INT8 = 20

/**
 * `2026-11-21 08:30:00.12+00` as `2026-11-21T08:30:00.120Z`: from Postgres to the wire without ever being a `Date`.
 * Connections run in UTC and columns keep milliseconds.
 */
export const isoFromPostgres = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const parsers: Record<number, (text: string) => unknown> = { [TIMESTAMPTZ]: isoFromPostgres, [INT8]: Number }

/** How values of Postgres become values here: timestamps as ISO texts, counts as numbers. */
export const POSTGRES_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
}
