import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { columnsIn, csvRecordItems } from '../readers/csv-records.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, objectOf, recordItems, UnknownFields } from '../readers/records.ts'
import type { Format, Head, Item } from '../registry/format.ts'
import { pathSighting } from './paths.ts'

/** JSON (`-of json`, `-of ejson`), rows (`-json`) and CSV of ffuf. */
export const ffuf: Format = {
  id: 'ffuf',
  name: 'ffuf JSON, JSON lines and CSV',
  recognisedBy:
    'JSON with commandline, results and config; rows with input, position, words and url; a CSV with url, content_words and resultfile',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"time"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    isDocument(head) ||
    (head.shape === 'json' && ['input', 'position', 'words', 'url'].every((key) => head.keys.has(key))) ||
    isCsv(head),
  read: (text, head) =>
    isDocument(head)
      ? readResults(text)
      : isCsv(head)
        ? csvRecordItems(text, rowSightings, { known: FIELDS })
        : recordItems(text, rowSightings, FIELDS),
}

/** Every field of a row of JSON, and every column of the CSV; inputs are columns with names of their own. */
const FIELDS = new Set(
  `input position status status_code length content_length words content_words lines content_lines content-type content_type redirectlocation resultfile
  scraper duration url host fuzz ffufhash`.split(/\s+/),
)

const isDocument = (head: Head): boolean =>
  head.shape === 'json' && ['commandline', 'results'].every((key) => head.keys.has(key)) && !head.keys.has('input')
const isCsv = (head: Head): boolean =>
  head.shape === 'text' && ['url', 'content_words', 'resultfile'].every((column) => columnsIn(head.line).has(column))

async function* readResults(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  for await (const part of documentParts(text, ['results.*'])) {
    if (part.type === 'cut') yield part
    else {
      unknown.count(objectOf(part.value))
      yield* itemsOf(part.position, objectOf(part.value), rowSightings)
    }
  }
  yield* unknown.warnings()
}

function* rowSightings(row: Fields): Generator<Sighting> {
  yield pathSighting({
    url: row['url'],
    status: row['status'] ?? row['status_code'],
    length: row['length'] ?? row['content_length'],
    words: row['words'] ?? row['content_words'],
    lines: row['lines'] ?? row['content_lines'],
    contentType: row['content-type'] ?? row['content_type'],
    location: row['redirectlocation'],
  })
}
