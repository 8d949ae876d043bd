import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { layoutNamed } from '../csv/csv-layouts.ts'
import { CsvNotes } from '../csv/csv-notes.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Head, Item } from '../registry/format.ts'
import { TestsslFacts } from './testssl-facts.ts'

/** JSON of testssl.sh, flat (`--jsonfile`) and nested (`--jsonfile-pretty`). Its findings are those of its CSV. */
export const testssl: Format = {
  id: 'testssl',
  name: 'testssl.sh JSON, flat and pretty',
  recognisedBy: 'rows with id, ip, port, severity and finding; JSON with Invocation and scanResult',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"startTime"\s{0,5}:\s{0,5}"(\d{9,10})"/g] }),
  isIn: (head) => isFlat(head) || (head.shape === 'json' && head.keys.has('Invocation') && head.keys.has('scanResult')),
  read: (text, head) => (isFlat(head) ? readFlat(text) : readNested(text)),
}

const isFlat = (head: Head): boolean =>
  head.shape === 'json' && ['id', 'ip', 'port', 'severity', 'finding'].every((key) => head.keys.has(key))

/** A check in a row. */
async function* readFlat(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const checks = new Checks()
  yield { type: 'tool', name: 'testssl' }
  yield* recordItems(text, (row) => checks.read(row), FIELDS)
  yield* checks.finish()
}

const FIELDS = new Set(['id', 'ip', 'port', 'severity', 'finding', 'cve', 'cwe', 'hint', 'exploit'])

/** Reads checks as those of the CSV, with what they state of the service. */
class Checks {
  readonly #layout = layoutNamed('testssl')
  readonly #notes = new CsvNotes()
  readonly #facts = new TestsslFacts()

  read(row: Fields): Iterable<Sighting> {
    this.#facts.note(factOf(row))
    return this.#layout.read((column) => textIn(row[column === 'fqdn/ip' ? 'ip' : column]), this.#notes)
  }

  *finish(): Generator<Item> {
    yield* this.#facts.finish()
    yield* this.#notes.warnings([])
  }
}

async function* readNested(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const checks = new Checks()
  yield { type: 'tool', name: 'testssl' }
  for await (const part of documentParts(text, ['*', 'version', 'scanResult.*'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'version') yield { type: 'tool', name: 'testssl', version: textIn(part.value) }
    else
      for (const row of part.path === '*' ? rowsOfEntry(objectOf(part.value)) : rowsOfHost(objectOf(part.value)))
        yield* itemsOf(part.position, row, (check) => checks.read(check))
  }
  yield* checks.finish()
}

const factOf = (row: Fields) => {
  const of = (name: string) => (typeof row[name] === 'number' ? String(row[name]) : (textIn(row[name]) ?? ''))
  return { id: of('id'), place: of('ip'), port: of('port'), severity: of('severity'), finding: of('finding') }
}

/** A nested report in a list of them. */
const rowsOfEntry = (entry: Fields): Fields[] => listOf(entry['scanResult']).map(objectOf).flatMap(rowsOfHost)

/** A host's checks are in lists by topic, and name the place only once. A host without an answer is one check. */
const rowsOfHost = (host: Fields): Fields[] => {
  if (textIn(host['id']) !== undefined && textIn(host['finding']) !== undefined) return [host]
  const place = { ip: `${textIn(host['targetHost']) ?? ''}/${textIn(host['ip']) ?? ''}`, port: host['port'] }
  return Object.values(host).flatMap((checks) => listOf(checks).map((check) => ({ ...place, ...objectOf(check) })))
}
