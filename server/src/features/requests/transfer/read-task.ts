import type { IMPORT_FORMATS } from '@sortie/contract/requests/request-transfer.ts'
import { parseJson, parseYaml, TooDeep } from '../../../platform/text/documents.ts'
import { UnreadableFile } from '../../scanner-formats/registry/format.ts'
import { importBru, importBruno } from './clients/import-bruno.ts'
import { importEnvironment } from './clients/import-environment.ts'
import { importHoppscotch } from './clients/import-hoppscotch.ts'
import { importBurpItems, importHttp, isHttp } from './clients/import-http.ts'
import { importInsomnia } from './clients/import-insomnia.ts'
import { importSwagger } from './clients/import-swagger.ts'
import { importCurl } from './curl/import-curl.ts'
import { fitted } from './fit.ts'
import { importHar } from './formats/import-har.ts'
import { importOpenApi } from './formats/import-openapi.ts'
import { importPostman } from './formats/import-postman.ts'
import { fromPostmanV1, isPostmanV1 } from './formats/postman-v1.ts'
import { ImportError, type Imported, listIn, literal, nothingImported, objectIn, textIn } from './imported.ts'
import { unresolvedIn, type UnresolvedVariable } from './unresolved.ts'

export interface ReadTask {
  bytes: Uint8Array
  format: 'auto' | (typeof IMPORT_FORMATS)[number]
  /** `text`: braces are text in every format. */
  variables?: 'use' | 'text' | undefined
}

/** The contents of a file, and the variables that have no value in it. */
export type ReadFile = Imported & { unresolved: UnresolvedVariable[] }

/** Runs in a thread that is terminated after a time limit. @returns the contents, or why the file cannot be read */
export const readImport = async ({
  bytes,
  format,
  variables = 'use',
}: ReadTask): Promise<ReadFile | { unreadable: string }> => {
  try {
    const imported = await read(decode(bytes), format)
    const taken = fitted(variables === 'text' ? withoutVariables(imported) : imported)
    return { ...taken, unresolved: unresolvedIn(taken) }
  } catch (error) {
    if (error instanceof ImportError || error instanceof UnreadableFile) return { unreadable: error.message }
    throw error
  }
}

/** UTF-8, or UTF-16 with its mark. */
const decode = (bytes: Uint8Array): string => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new ImportError(
      refusalOf(new TextDecoder('windows-1252').decode(bytes.subarray(0, 10_000))) ?? 'it is not text in UTF-8',
    )
  }
}

const read = async (text: string, format: ReadTask['format']): Promise<Imported> => {
  if (format === 'curl' || (format === 'auto' && isCurl(text))) return importCurl(text)
  if (format === 'burp' || (format === 'auto' && isBurpItems(text))) return importBurpItems(text)
  if (format === 'http' || (format === 'auto' && isHttp(text))) return importHttp(text)
  if (format === 'bruno' && !/^\s*[[{]/.test(text)) return importBru(text)
  if (format === 'auto' && /^(?:meta|vars) \{/m.test(text.slice(0, 1_000))) return importBru(text)
  const refusal = format === 'auto' ? refusalOf(text) : undefined
  if (refusal !== undefined) throw new ImportError(refusal)
  const file = parse(text)
  const detected = format === 'auto' ? formatOf(file) : format
  if (detected === 'har') return importHar(file)
  if (detected === 'postman') return importPostmanFile(file)
  if (detected === 'openapi') return 'swagger' in objectIn(file) ? importSwagger(file) : importOpenApi(file)
  if (detected === 'insomnia') return importInsomnia(file)
  if (detected === 'bruno') return importBruno(file)
  if (detected === 'hoppscotch') return importHoppscotch(file)
  throw new ImportError(
    'it must be cURL commands, HTTP requests, HAR, OpenAPI or Swagger, saved items of Burp, or a collection of Postman, Insomnia, Bruno or Hoppscotch',
  )
}

const isBurpItems = (text: string): boolean => /^\s*</.test(text) && /<items[\s>]/.test(text.slice(0, 10_000))

/** Files that are not collections, and what to do with them. */
const REFUSALS: readonly [pattern: RegExp, sentence: string][] = [
  [
    /^\s*(?:\$session = New-Object Microsoft\.PowerShell|Invoke-(?:WebRequest|RestMethod)\b)/i,
    'it was copied as PowerShell: choose Copy as cURL (bash) in the browser',
  ],
  [/^\s*(?:await )?fetch\(["'`]/, 'it was copied as fetch: choose Copy as cURL (bash) in the browser'],
  [/^\s*<[^]{0,2000}schemas\.xmlsoap\.org\/wsdl/, 'it is a WSDL: import it in Postman, and the collection of it here'],
  [
    /^\s*(?:type|schema|interface|enum|input|scalar|directive|extend)\b[^\n]{0,300}[{@=]/,
    'it is a schema of GraphQL: import a collection or cURL commands that use it',
  ],
  [/^PK/, 'it is a ZIP: unpack it and import the files in it'],
  [/^%PDF-/, 'it is a PDF: export the collection as JSON'],
  [/^\s*<!doctype html|^\s*<html/i, 'it is a web page: save the JSON or YAML document that it shows'],
]

const refusalOf = (text: string): string | undefined =>
  REFUSALS.find(([pattern]) => pattern.test(text.slice(0, 10_000)))?.[1]

/** A collection, one in an answer of the API, an environment, or an export of everything. */
const importPostmanFile = (file: unknown): Imported => {
  const { collection, values, collections } = objectIn(file)
  if (Array.isArray(values)) return importEnvironment(file)
  if (collection !== undefined) return importCollection(collection)
  if (!Array.isArray(collections)) return importCollection(file)
  const all = nothingImported()
  for (const each of [
    ...(collections as unknown[]).map(importCollection),
    ...listIn(file, 'environments').map(importEnvironment),
  ])
    joinInto(all, each)
  return all
}

const importCollection = (file: unknown): Imported => importPostman(isPostmanV1(file) ? fromPostmanV1(file) : file)

const joinInto = (all: Imported, { folders, requests, environments, problems }: Imported): void => {
  const base = all.folders.length
  for (const folder of folders)
    all.folders.push({ ...folder, parent: folder.parent === null ? null : folder.parent + base })
  for (const request of requests)
    all.requests.push({ ...request, folder: request.folder === null ? null : request.folder + base })
  all.environments.push(...environments)
  all.problems.push(...problems)
}

/** Every text of the requests, and of what they inherit, as it is written, without variables. */
const withoutVariables = (imported: Imported): Imported => ({
  ...imported,
  folders: imported.folders.map((folder) => ({ ...(literally(folder) as typeof folder), name: folder.name })),
  requests: imported.requests.map((request) => ({
    ...request,
    ...(literally(request) as typeof request),
    name: request.name,
  })),
})

const literally = (value: unknown): unknown => {
  if (typeof value === 'string') return literal(value.replaceAll(/\\(?=\{\{)/g, ''))
  if (Array.isArray(value)) return value.map(literally)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literally(inner)]))
    : value
}

const CURL = /^\s{0,1000}(?:\$ {1,8})?(?:\S{0,200}[/\\])?curl(?:\.exe)?(?:\s|$)/i

/**
 * True if the first line that is not a comment is a command, or a later line without indentation (indented ones may be
 * text in a document).
 */
const isCurl = (text: string): boolean => {
  const lines = text.slice(0, 65_536).split('\n')
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? ''
  return CURL.test(first) || (!/^\s*[[{]/.test(text) && lines.some((line) => !/^\s/.test(line) && CURL.test(line)))
}

const formatOf = (file: unknown): ReadTask['format'] | undefined => {
  const fields = objectIn(Array.isArray(file) ? (file as unknown[])[0] : file)
  const has = (...keys: string[]) => keys.every((key) => key in fields)
  if (has('log')) return 'har'
  if (has('openapi') || has('swagger')) return 'openapi'
  if (
    has('_postman_variable_scope') ||
    has('info', 'item') ||
    'info' in objectIn(fields, 'collection') ||
    has('collections', 'environments') ||
    isPostmanV1(fields)
  )
    return 'postman'
  if (has('resources', '__export_format') || textIn(fields, 'type')?.startsWith('collection.insomnia'))
    return 'insomnia'
  if (has('items', 'name') && (has('version') || has('environments') || has('brunoConfig'))) return 'bruno'
  if ((has('requests') && has('folders')) || (has('v', 'variables') && has('name'))) return 'hoppscotch'
  return undefined
}

/** Aliases of one anchor in a document. */
const MAX_ALIASES = 100

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof TooDeep) throw new ImportError(error.message)
    return parseAsYaml(text)
  }
}

const parseAsYaml = (text: string): unknown => {
  try {
    return parseYaml(text, MAX_ALIASES)
  } catch (error) {
    throw new ImportError(error instanceof TooDeep ? error.message : 'it must be JSON or YAML')
  }
}
