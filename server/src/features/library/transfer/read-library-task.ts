import { gunzipSync } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseToml } from 'smol-toml'
import { extract } from 'tar-stream'
import { parseJson, parseYaml } from '../../../platform/text/documents.ts'
import { readGhostwriter } from './formats/ghostwriter.ts'
import { fieldsIn, type ImportedEntry, listIn } from './formats/imported-entry.ts'
import { readOwnCsv, readOwnJson } from './formats/own.ts'
import { readPwnDoc } from './formats/pwndoc.ts'
import { readSysReptor } from './formats/sysreptor.ts'

export interface ReadLibraryTask {
  bytes: Uint8Array
  format: 'auto' | 'json' | 'csv' | 'pwndoc' | 'sysreptor' | 'ghostwriter'
  /** Entries of one file. */
  max: number
}

/** Entries as the file has them, or why it cannot be read. */
export type ReadLibrary = { entries: ImportedEntry[] } | { unreadable: string }

const MAX_UNPACKED_BYTES = 64 * 1024 * 1024
const MAX_RECORD = 8_388_608

class Unreadable extends Error {}

/** Runs in its own thread: a file of the worst content takes seconds. */
export const readLibrary = async ({ bytes, format, max }: ReadLibraryTask): Promise<ReadLibrary> => {
  try {
    const entries = await entriesIn(Buffer.from(bytes), format)
    if (entries.length === 0) return { unreadable: 'The file has no entry of a library.' }
    if (entries.length > max) return { unreadable: `The file has more than ${max} entries.` }
    return { entries }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    return { unreadable: `The file cannot be read: ${(error as Error).message.split('\n')[0]?.slice(0, 200) ?? ''}` }
  }
}

const entriesIn = async (bytes: Buffer, format: ReadLibraryTask['format']): Promise<ImportedEntry[]> => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    if (format !== 'auto' && format !== 'sysreptor')
      throw new Unreadable('Only templates of SysReptor are read from a .tar.gz file.')
    return (await filesIn(bytes)).flatMap((text) => readSysReptor(parseJson(text)))
  }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  if (format === 'csv') return readOwnCsv(rowsIn(text))
  if (format === 'ghostwriter') return readGhostwriter(rowsIn(text))
  if (format === 'json') return readOwnJson(parseJson(text))
  if (format === 'pwndoc') return readPwnDoc(documentIn(text))
  if (format === 'sysreptor') return readSysReptor(documentIn(text))
  return readUnknown(text)
}

const UNKNOWN = 'The file is of no known format: name it with `format`.'

const readUnknown = (text: string): ImportedEntry[] => {
  const columns = columnsIn(text)
  if (columns.includes('replication_steps')) return readGhostwriter(rowsIn(text))
  if (columns.includes('key') && columns.includes('title')) return readOwnCsv(rowsIn(text))
  const document = documentIn(text)
  if ('entries' in fieldsIn(document)) return readOwnJson(document)
  const first = fieldsIn(listIn(fieldsIn(document)['datas'] ?? document)[0])
  if ('details' in first) return readPwnDoc(document)
  if ('translations' in first || 'data' in first) return readSysReptor(document)
  throw new Unreadable(UNKNOWN)
}

/** The heading of a CSV; none of another file. */
const columnsIn = (text: string): string[] => {
  if (/^\s*[[{]/.test(text)) return []
  try {
    return parseCsv(text, { bom: true, to: 1, max_record_size: MAX_RECORD })[0]?.map((column) => column.trim()) ?? []
  } catch {
    return []
  }
}

/** JSON, TOML or YAML. Aliases of YAML are refused: a few bytes could become gigabytes. */
const documentIn = (text: string): unknown => {
  const start = firstLineOf(text)
  // `name = ` or a table of TOML: [name] or [[name]].
  if (/^(?:[A-Za-z_][\w-]*\s*=|\[{1,2}[A-Za-z_][\w.-]*\])/.test(start)) return parseToml(text)
  if (/^[[{]/.test(start)) return parseJson(text)
  return parseYaml(text, 0)
}

/** The first line that is neither empty nor a comment, without indentation. */
const firstLineOf = (text: string): string => {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? undefined : end).trim()
    if (line !== '' && !line.startsWith('#')) return line
    if (end < 0) return ''
    at = end + 1
  }
  return ''
}

const rowsIn = (text: string): Record<string, string>[] =>
  parseCsv(text, {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD,
  })

/** The JSON files of a .tar.gz, unpacked in memory; images are skipped. */
const filesIn = async (bytes: Buffer): Promise<string[]> => {
  const unpacked = gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES })
  const files: string[] = []
  const archive = extract()
  archive.end(unpacked)
  for await (const entry of archive) {
    const isTemplate = entry.header.type === 'file' && /^[^/]+\.json$/i.test(entry.header.name.replace(/^\.\//, ''))
    const parts: Buffer[] = []
    for await (const part of entry as AsyncIterable<Buffer>) if (isTemplate) parts.push(part)
    if (isTemplate) files.push(Buffer.concat(parts).toString())
  }
  return files
}
