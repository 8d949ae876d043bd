import type { RequestInput } from '../saved/definition.ts'
import type { AuthInput } from '../secrets.ts'

/** What a file holds, before anything of it is stored. */
export interface Imported {
  /** Parents before children; they are named by their place in this list. */
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
  /** Where in the file. */
  position: string
  reason: string
}

/** Characters of all requests of an import together: more than the largest file has, since parts that are named often are copied. */
const MAX_DEFINITIONS = 16_777_216

/**
 * Counts what an import makes, in the thread that reads the file and before anything is sent over (finding S4).
 *
 * @returns counts a request. @throws ImportError beyond the limit
 */
export const definitionBudget = (): ((request: ImportedRequest) => void) => {
  let left = MAX_DEFINITIONS
  return (request) => {
    left -= charactersIn(request)
    if (left < 0) throw new ImportError(`its requests have more than ${MAX_DEFINITIONS} characters together, and one import takes as many`)
  }
}

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + charactersIn(inner), 0)
}

export const nothingImported = (): Imported => ({ folders: [], requests: [], environments: [], problems: [] })

/** The file is none of the format; for people. */
export class ImportError extends Error {}

/** Headers that each connection writes by itself; browsers copy theirs along. */
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

/** A field of whatever stands there, as an object; empty where it is none. */
export const objectIn = (value: unknown, field?: string): Json => {
  const found = field === undefined ? value : own(value, field)
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : {}
}

export const listIn = (value: unknown, field: string): readonly unknown[] => {
  const found = own(value, field)
  return Array.isArray(found) ? found : []
}

/** A text, or a number or switch as text; undefined for anything else. */
export const textIn = (value: unknown, field: string): string | undefined => {
  const found = own(value, field)
  return typeof found === 'string' ? found : typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined
}

const own = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field) ? (value as Json)[field] : undefined

export const pair = (name: string, value: string, enabled = true) => ({ name, value, enabled })

/** As `variables.ts` reads them: a backslash before one makes it text. */
const VARIABLE = /\{\{[ \t]{0,16}[A-Za-z_][A-Za-z0-9_.-]{0,63}[ \t]{0,16}\}\}/g

/** What HAR files hold is text: names in braces of theirs are no variables of ours. Other braces are text anyway, and stay as they are. */
export const literal = (text: string): string => text.replace(VARIABLE, '\\$&')

/** Names in braces of a text, which are variables here. */
export const variablesIn = (text: string): string[] => [...new Set(text.match(VARIABLE))]

/** Without a scheme an address is one of HTTP, as cURL and Postman send it; unless a variable begins it. */
export const withScheme = (url: string): string => (/^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(url) ? url : `http://${url}`)

type Headers = ReturnType<typeof pair>[]

/**
 * Headers of a request with parts. Each sending has a boundary of its own, which goes with the body: the one in a file, or a
 * `multipart/form-data` without any, would make the body unreadable.
 */
export const withoutBoundary = (headers: Headers): Headers =>
  headers.flatMap((header) => {
    if (header.name.trim().toLowerCase() !== 'content-type' || !/^\s*multipart\//i.test(header.value)) return [header]
    const value = header.value.replace(/;[ \t]*boundary=(?:"[^"]*"|[^;]*)/i, '').trim()
    return value.toLowerCase() === 'multipart/form-data' ? [] : [{ ...header, value }]
  })
