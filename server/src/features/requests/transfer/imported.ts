import type { RequestInput } from '../saved/definition.ts'
import type { AuthInput } from '../secrets.ts'

/** The contents of a file, before they are stored. */
export interface Imported {
  /** Parents before children; `parent` is an index of this list. */
  folders: { name: string; parent: number | null; auth?: AuthInput }[]
  requests: ImportedRequest[]
  environments: { name: string; variables: { name: string; value: string; secret: boolean }[] }[]
  problems: Problem[]
}

export interface ImportedRequest extends RequestInput {
  folder: number | null
  name: string
  description?: string
}

export interface Problem {
  /** The place in the file. */
  position: string
  reason: string
}

/** Limit of all requests of an import, in characters; above the largest file, because referenced parts are copied. */
const MAX_DEFINITIONS = 16_777_216

/**
 * Counts the size of an import in the thread that reads the file, before it is transferred (finding T4).
 *
 * @returns a function that counts a request. @throws ImportError above the limit
 */
export const definitionBudget = (): ((request: ImportedRequest) => void) => {
  let left = MAX_DEFINITIONS
  return (request) => {
    left -= charactersIn(request)
    if (left < 0)
      throw new ImportError(
        `its requests have more than ${MAX_DEFINITIONS} characters together, and one import takes as many`,
      )
  }
}

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + charactersIn(inner), 0)
}

export const nothingImported = (): Imported => ({ folders: [], requests: [], environments: [], problems: [] })

/** The file does not have the format; the message is for users. */
export class ImportError extends Error {}

/** Headers that each connection writes itself; browsers include them in copies. */
export const OF_CONNECTIONS: readonly string[] = [
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-connection',
  'http2-settings',
]

type Json = Readonly<Record<string, unknown>>

/** Returns a value or its field as an object; empty if it is not one. */
export const objectIn = (value: unknown, field?: string): Json => {
  const found = field === undefined ? value : own(value, field)
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : {}
}

export const listIn = (value: unknown, field: string): readonly unknown[] => {
  const found = own(value, field)
  return Array.isArray(found) ? found : []
}

/** Returns a string, number or boolean as text; undefined for anything else. */
export const textIn = (value: unknown, field: string): string | undefined => {
  const found = own(value, field)
  return typeof found === 'string'
    ? found
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : undefined
}

const own = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field) ? (value as Json)[field] : undefined

export const pair = (name: string, value: string, enabled = true) => ({ name, value, enabled })

/** The syntax of `variables.ts`, without its escape by a backslash. */
const VARIABLE = /\{\{[ \t]{0,16}[A-Za-z_][A-Za-z0-9_.-]{0,63}[ \t]{0,16}\}\}/g

/** Escapes braces of a HAR file, which has no variables. Other braces need no escape. */
export const literal = (text: string): string => text.replace(VARIABLE, '\\$&')

/** Returns the names in braces, which are variables here. */
export const variablesIn = (text: string): string[] => [...new Set(text.match(VARIABLE))]

/** Adds http:// to a URL without a scheme, as cURL and Postman do, unless it starts with a variable. */
export const withScheme = (url: string): string =>
  /^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(url) ? url : `http://${url}`

/** Replaces the parts `:name` of a path, as Postman and Bruno write them. */
export const withPathValues = (url: string, values: readonly { name: string; value: string }[]): string => {
  const query = url.search(/[?#]/)
  const [path, rest] = query < 0 ? [url, ''] : [url.slice(0, query), url.slice(query)]
  const named = new Map(values.map(({ name, value }) => [`:${name}`, value]))
  return (
    path
      .split('/')
      .map((part) => named.get(part) ?? part)
      .join('/') + rest
  )
}

type Headers = ReturnType<typeof pair>[]

/**
 * Removes boundaries from the headers of a multipart request. Each run creates its own boundary: one from the file, or
 * `multipart/form-data` without one, would make the body unreadable.
 */
export const withoutBoundary = (headers: Headers): Headers =>
  headers.flatMap((header) => {
    if (header.name.trim().toLowerCase() !== 'content-type' || !/^\s*multipart\//i.test(header.value)) return [header]
    const value = header.value.replace(/;[ \t]*boundary=(?:"[^"]*"|[^;]*)/i, '').trim()
    return value.toLowerCase() === 'multipart/form-data' ? [] : [{ ...header, value }]
  })
