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

/** What files of other programs hold is text: braces of theirs are no variables of ours. */
export const literal = (text: string): string => text.replaceAll('{{', '\\{{')
