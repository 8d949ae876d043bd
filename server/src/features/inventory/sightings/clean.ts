import { Limited, limitedTo } from './left-out.ts'

/** The longest stored text of a tool, in characters. */
export const MAX_TEXT = 64 * 1024
/** The longest stored line, in characters, unless a field has another limit. */
export const MAX_LINE = 1_000
/** Per field. */
export const MAX_ENTRIES = 500
/** Characters of a text that is a list: a hostile file has one of many megabytes. */
const MAX_LIST_TEXT = 1024 * 1024
/** Entries of a list that are looked at, to find the distinct ones. */
const MAX_CONSIDERED = 10_000
const CUT = '… (cut)'

/** Makes a text storable in Postgres and cuts it to `max` characters; undefined if nothing remains. */
export const cleanText = (value: unknown, max = MAX_TEXT): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  const short = text.length > max ? `${text.slice(0, max - CUT.length)}${CUT}` : text
  const stored = short.replaceAll('\u0000', '\ufffd').toWellFormed().trim()
  return stored === '' ? undefined : stored
}

/** The numbers of texts and of lines that were cut, also in lists and objects of the data. */
export const countCuts = (data: Readonly<Record<string, unknown>>): { texts: number; lines: number } => {
  const counts = { texts: 0, lines: 0 }
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner)
    else if (typeof value === 'string' && value.length >= MAX_LINE - 1 && value.endsWith(CUT))
      counts[value.length >= MAX_TEXT - 1 ? 'texts' : 'lines']++
  }
  visit(data)
  return counts
}

/** Like `cleanText`, but in one line: control characters become blanks. */
export const cleanLine = (value: unknown, max = MAX_LINE): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return cleanText(
    String(value)
      .slice(0, 4 * max)
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' '),
    max,
  )
}

/**
 * Returns distinct lines in their original order, from a list or from one text with a `separator`: `MAX_ENTRIES` at
 * most. The rest of a text that is too long counts as one entry that was left out. Lines that are limited already are
 * returned as they are.
 */
export const cleanLines = (value: unknown, separator: RegExp | string = ','): Limited<string[]> => {
  if (value instanceof Limited) return value
  const entries: unknown[] = Array.isArray(value) ? value : listText(value).split(separator)
  const considered = entries.slice(0, MAX_CONSIDERED)
  const lines = considered.map((entry) => cleanLine(entry)).filter((line) => line !== undefined)
  const unread = entries.length - considered.length + (isLongerThanList(value) ? 1 : 0)
  return limitedTo(MAX_ENTRIES, [...new Set(lines)], unread)
}

const isLongerThanList = (value: unknown): boolean => typeof value === 'string' && value.length > MAX_LIST_TEXT

/** As much of a text as is read as a list; empty for other values. */
export const listText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_LIST_TEXT) : '')

/** Further fields of a tool, under names of our own: texts, numbers, flags, and lists of lines. */
export type MoreFields = Readonly<Record<string, unknown>>

/** Makes further fields storable; drops empty ones, and objects. */
export const cleanFields = (fields: MoreFields = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
        ? value
        : Array.isArray(value) || value instanceof Limited
          ? cleanLines(value)
          : cleanText(value),
    ]),
  )

/** Removes empty values: blanks never overwrite known data. */
export const withoutBlanks = <T extends object>(data: T): T =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) =>
        !(value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)),
    ),
  ) as T

/** Parses a finite number, also from text. */
export const cleanNumber = (value: unknown): number | undefined => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Parses a time (text, or seconds since 1970) to UTC with milliseconds; undefined if it is invalid. */
export const cleanTime = (value: unknown): string | undefined => {
  const seconds = cleanNumber(value)
  const ms =
    seconds !== undefined
      ? seconds * 1_000
      : typeof value === 'string' && value.length < 64
        ? Date.parse(value)
        : Number.NaN
  return ms > 0 && ms < Date.UTC(2200) ? new Date(ms).toISOString() : undefined
}
