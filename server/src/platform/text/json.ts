import { isUtf8 } from 'node:buffer'
import { badRequest } from '../errors.ts'
import { isStorable } from './text.ts'

const MAX_DEPTH = 32
const MAX_KEYS = 2_000
const MAX_VALUES = 20_000
/** `JSON.parse` makes an own property of this key, but code that merges objects would not. */
const FORBIDDEN_KEYS = new Set(['__proto__'])

/**
 * Reads a JSON body strictly: UTF-8 without byte order mark, one object, no key twice in an object, at most 32 levels
 * deep, 2,000 keys (or the endpoint's own limit) and 20,000 values, no NUL and no lone surrogate in any text (open
 * point 32). Takes time in proportion to the bytes, a few milliseconds for 1 MiB of the worst: it measures the
 * structure before it builds anything.
 *
 * @throws ApiError BAD_REQUEST with what could not be read
 */
export const parseJsonObject = (bytes: Buffer, maxKeys: number = MAX_KEYS): Record<string, unknown> => {
  const value = parseJson(bytes, maxKeys)
  if (Array.isArray(value)) throw badRequest('The body must be a JSON object.')
  return value
}

/** Like `parseJsonObject`, for an object or a list. @throws ApiError BAD_REQUEST with what could not be read */
export const parseJson = (bytes: Buffer, maxKeys: number = MAX_KEYS): Record<string, unknown> | unknown[] => {
  const text = decode(bytes)
  const { keys } = measureStructure(bytes, maxKeys)
  const value = parse(text)
  if (typeof value !== 'object' || value === null) throw badRequest('The body must be a JSON object.')
  // `JSON.parse` keeps only one of two equal keys in an object.
  if (countCheckedKeys(value) !== keys) throw badRequest('The body has a key twice in the same object.')
  return value as Record<string, unknown>
}

/** Equals a strict `TextDecoder`, which takes longer. */
const decode = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8.')
  return bytes.toString()
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const BRACKETS = { open: 0x5b, close: 0x5d }
const BRACES = { open: 0x7b, close: 0x7d }

/**
 * Counts structure outside strings, without trusting the bytes to be JSON, and stops at the first limit. Commas and
 * opening brackets together are at least as many as the values. If the bytes are JSON, `keys` is the exact number of
 * keys.
 */
const measureStructure = (bytes: Buffer, maxKeys: number): { keys: number } => {
  let depth = 0
  let keys = 0
  let values = 0
  let strings = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      strings++
      i = endOfString(bytes, i + 1)
    } else if (byte === COMMA) values++
    else if (byte === COLON) keys++
    else if (byte === BRACKETS.open || byte === BRACES.open) {
      depth++
      values++
    } else if (byte === BRACKETS.close || byte === BRACES.close) depth--
    if (depth > MAX_DEPTH) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`)
    if (keys > maxKeys) throw badRequest(`The body has more than ${maxKeys} keys.`)
    // Each string is a key or a value; with more strings, the bytes are not JSON either.
    if (values > MAX_VALUES || strings > maxKeys + MAX_VALUES + 1)
      throw badRequest(`The body has more than ${MAX_VALUES} values.`)
  }
  return { keys }
}

/**
 * The position of the quote that ends a string: the first one without an odd number of backslashes before it; else the
 * end of the bytes.
 */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let from = start; ;) {
    const quote = bytes.indexOf(QUOTE, from)
    if (quote < 0) return bytes.length
    let backslashes = 0
    while (quote - backslashes > start && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote
    from = quote + 1
  }
}

/** Counts the keys in a value, and checks that each key and text can be stored. */
const countCheckedKeys = (value: unknown): number => {
  if (typeof value === 'string' && !isStorable(value))
    throw badRequest('The body contains a text with a NUL character or half a surrogate pair.')
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  for (const [name, child] of Object.entries(value)) {
    if (!isStorable(name)) throw badRequest('The body has a key with a NUL character or half a surrogate pair.')
    if (FORBIDDEN_KEYS.has(name)) throw badRequest(`The body has the key ${name}, which is not allowed.`)
    keys += Array.isArray(value) ? countCheckedKeys(child) : 1 + countCheckedKeys(child)
  }
  return keys
}

/** JSON with sorted keys: equal values have equal texts, since Postgres does not keep the order of keys. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
