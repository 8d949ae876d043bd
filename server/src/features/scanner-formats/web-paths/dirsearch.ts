import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { columnsIn, csvRecordItems } from '../readers/csv-records.ts'
import { documentParts } from '../readers/document-parts.ts'
import { textLines } from '../readers/lines.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import type { Format, Head, Item } from '../registry/format.ts'
import { pathSighting } from './paths.ts'

/** `301   178B   https://app.example.com/admin    -> REDIRECTS TO: https://app.example.com/admin/` */
const LINE =
  /^(\d{3})\s+(\d{1,15}(?:\.\d{1,3})?)\s?([KMG]?B)\s+(https?:\/\/\S{1,4096})(?:\s+-> REDIRECTS TO: (\S{1,4096}))?$/

/** JSON, CSV and text reports of dirsearch. */
export const dirsearch: Format = {
  id: 'dirsearch',
  name: 'dirsearch JSON, CSV and text',
  recognisedBy:
    'JSON with info.args and results; a CSV with URL, Status and Redirection; lines such as "301 178B https://..."',
  knowsCoverage: false,
  statedTimes: () => ({
    patterns: [/"time"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g, /^# Dirsearch started ([^\n]{1,40}?) as:/gm],
  }),
  isIn: (head) =>
    isDocument(head) ||
    isCsv(head) ||
    (head.shape === 'text' && (head.line.startsWith('# Dirsearch started') || LINE.test(head.line))),
  read: (text, head) =>
    isDocument(head)
      ? readResults(text)
      : isCsv(head)
        ? csvRecordItems(text, rowSightings, { known: COLUMNS })
        : readLines(text),
}

const COLUMNS = new Set([
  'url',
  'status',
  'size',
  'content type',
  'redirection',
  'path',
  'content-length',
  'content-type',
  'content_length',
  'content_type',
  'redirect',
])

const isDocument = (head: Head): boolean =>
  head.shape === 'json' && head.keys.has('results') && head.keys.has('info.args')
const isCsv = (head: Head): boolean =>
  head.shape === 'text' && ['url', 'status', 'redirection'].every((column) => columnsIn(head.line).has(column))

async function* readResults(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(COLUMNS)
  for await (const part of documentParts(text, ['results.*'])) {
    if (part.type === 'cut') yield part
    else
      for (const row of rowsIn(objectOf(part.value))) {
        unknown.count(row)
        yield* itemsOf(part.position, row, rowSightings)
      }
  }
  yield* unknown.warnings()
}

/** Before version 0.4.3 each entry was `{"https://host/": [{"path": ...}]}`. */
const rowsIn = (entry: Fields): Fields[] =>
  entry['url'] !== undefined
    ? [entry]
    : Object.entries(entry).flatMap(([site, rows]) =>
        listOf(rows).map((row) => ({
          ...objectOf(row),
          url: site.replace(/\/$/, '') + `/${textIn(objectOf(row)['path']) ?? ''}`.replace(/^\/+/, '/'),
        })),
      )

function* rowSightings(row: Fields): Generator<Sighting> {
  yield pathSighting({
    url: row['url'],
    status: row['status'],
    length: row['content-length'] ?? row['content_length'] ?? row['size'],
    contentType: row['content-type'] ?? row['content_type'] ?? row['content type'],
    location: row['redirect'] ?? row['redirection'],
  })
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text))
    if (!line.startsWith('#')) yield* itemsOf(`line ${number}`, line, lineSightings)
}

/** Sizes in KB are rounded, so they are left out. */
function* lineSightings(line: string): Generator<Sighting> {
  const [, status, length, unit, url, location] = LINE.exec(line) ?? []
  if (url === undefined) throw new InvalidSighting('is not a line of dirsearch')
  yield pathSighting({ url, status, length: unit === 'B' ? length : undefined, location })
}
