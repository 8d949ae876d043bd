import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { textLines } from '../readers/lines.ts'
import { type Fields, itemsOf, objectOf, recordItems, UnknownFields } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { pathSighting } from './paths.ts'

/** `200      GET       10l       20w      300c https://app.example.com/admin => https://...` */
const LINE =
  /^(\d{3}|WLD)\s+([A-Z]{3,10})\s+([\d-]+)l\s+([\d-]+)w\s+([\d-]+)c\s+(https?:\/\/\S{1,4096})(?:\s+=>\s+(\S{1,4096}))?/

/** JSON rows (`--json`) and text of feroxbuster. */
export const feroxbuster: Format = {
  id: 'feroxbuster',
  name: 'feroxbuster JSON lines and text',
  recognisedBy:
    'rows with type and target_url, or with original_url, word_count and line_count; lines such as "200 GET 10l 20w 300c https://..."',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"timestamp"\s{0,5}:\s{0,5}(\d{9,10})\b/g] }),
  isIn: (head) =>
    (head.shape === 'json' &&
      ((head.keys.has('type') && head.keys.has('target_url')) ||
        ['original_url', 'word_count', 'line_count'].every((key) => head.keys.has(key)))) ||
    (head.shape === 'text' && LINE.test(head.line)),
  read: (text, head) => (head.shape === 'text' ? readLines(text) : readRows(text)),
}

const FIELDS = new Set(
  `type url original_url path wildcard status method content_length line_count word_count headers extension truncated timestamp`.split(
    ' ',
  ),
)

/** Skips rows of its configuration and statistics, and answers that every path of a folder gets. */
async function* readRows(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let wildcards = 0
  const unknown = new UnknownFields(FIELDS)
  yield* recordItems(text, function* (row) {
    if (row['type'] !== 'response') return
    unknown.count(row)
    if (row['wildcard'] === true) wildcards++
    else yield* rowSightings(row)
  })
  yield* unknown.warnings()
  yield* wildcardWarning(wildcards)
}

function* wildcardWarning(count: number): Generator<Item> {
  if (count > 0)
    yield { type: 'warning', text: `Answers that every path gets (wildcards), which are not imported: ${count}.` }
}

function* rowSightings(row: Fields): Generator<Sighting> {
  yield pathSighting({
    url: row['url'],
    method: row['method'],
    status: row['status'],
    length: row['content_length'],
    words: row['word_count'],
    lines: row['line_count'],
    contentType: objectOf(row['headers'])['content-type'],
    location: objectOf(row['headers'])['location'],
  })
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let wildcards = 0
  for await (const { line, number } of textLines(text)) {
    if (line.startsWith('WLD')) wildcards++
    else yield* itemsOf(`line ${number}`, line, lineSightings)
  }
  yield* wildcardWarning(wildcards)
}

function* lineSightings(line: string): Generator<Sighting> {
  const [, status, method, lines, words, length, url, location] = LINE.exec(line) ?? []
  if (url === undefined) throw new InvalidSighting('is not a line of feroxbuster')
  yield pathSighting({ url, method, status, lines, words, length, location })
}
