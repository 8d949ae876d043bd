import { parse as parseYaml } from 'yaml'
import { importCurl } from './curl/import-curl.ts'
import { fitted } from './fit.ts'
import { importHar } from './formats/import-har.ts'
import { importOpenApi } from './formats/import-openapi.ts'
import { importPostman } from './formats/import-postman.ts'
import { ImportError, type Imported, objectIn } from './imported.ts'

export interface ReadTask {
  bytes: Uint8Array
  format: 'auto' | 'curl' | 'har' | 'openapi' | 'postman'
}

/** Runs in a thread that is terminated after a time limit. @returns the contents, or why the file cannot be read */
export const readImport = ({ bytes, format }: ReadTask): Imported | { unreadable: string } => {
  try {
    return fitted(read(decode(bytes), format))
  } catch (error) {
    if (error instanceof ImportError) return { unreadable: error.message }
    throw error
  }
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ImportError('it is not text in UTF-8')
  }
}

const read = (text: string, format: ReadTask['format']): Imported => {
  if (format === 'curl' || (format === 'auto' && isCurl(text))) return importCurl(text)
  const file = parse(text)
  const told = format === 'auto' ? formatOf(file) : format
  if (told === 'har') return importHar(file)
  if (told === 'postman') return importPostman(file)
  if (told === 'openapi') return importOpenApi(file)
  throw new ImportError('it is none of cURL commands, HAR, OpenAPI and Postman collection')
}

const CURL = /^\s{0,1000}(?:\$ {1,8})?(?:\S{0,200}[/\\])?curl(?:\.exe)?(?:\s|$)/i

/**
 * True if the first line that is not a comment is a command, or a later line without indentation (indented ones may be text in a
 * document).
 */
const isCurl = (text: string): boolean => {
  const lines = text.slice(0, 65_536).split('\n')
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? ''
  return CURL.test(first) || (!/^\s*[[{]/.test(text) && lines.some((line) => !/^\s/.test(line) && CURL.test(line)))
}

const formatOf = (file: unknown): ReadTask['format'] | undefined => {
  const fields = objectIn(file)
  if ('log' in fields) return 'har'
  if ('openapi' in fields) return 'openapi'
  return 'info' in fields && 'item' in fields ? 'postman' : undefined
}

/** Parses JSON, else YAML with limited aliases. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return parseAsYaml(text)
  }
}

const parseAsYaml = (text: string): unknown => {
  try {
    return parseYaml(text, { maxAliasCount: 100, logLevel: 'silent' }) as unknown
  } catch {
    throw new ImportError('it is neither JSON nor YAML')
  }
}
