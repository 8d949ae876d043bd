import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { layoutNamed } from '../csv/csv-layouts.ts'
import { CsvNotes } from '../csv/csv-notes.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { TestsslFacts } from './testssl-facts.ts'

/** JSON of testssl.sh, flat (`--jsonfile`) and nested (`--jsonfile-pretty`). Its findings are those of its CSV. */
export const testssl: Format = {
  id: 'testssl',
  name: 'testssl.sh JSON, flat and pretty',
  recognisedBy: 'rows with id, ip, port, severity and finding; JSON with Invocation and scanResult',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"startTime"\s{0,5}:\s{0,5}"(\d{9,10})"/g] }),
  isIn: (head) =>
    head.shape === 'json' &&
    (['id', 'ip', 'port', 'severity', 'finding'].every((key) => head.keys.has(key)) ||
      (head.keys.has('Invocation') && head.keys.has('scanResult'))),
  read: (text) => readTestssl(text),
}

async function* readTestssl(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const layout = layoutNamed('testssl')
  const notes = new CsvNotes()
  const facts = new TestsslFacts()
  const rowSightings = (row: Fields): Iterable<Sighting> =>
    layout.read((column) => textIn(row[column === 'fqdn/ip' ? 'ip' : column]), notes)
  yield { type: 'tool', name: layout.tool }
  for await (const part of documentParts(text, ['*', 'version', 'scanResult.*'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'version') yield { type: 'tool', name: layout.tool, version: textIn(part.value) }
    else
      for (const row of part.path === '*' ? rowsOfEntry(objectOf(part.value)) : rowsOfHost(objectOf(part.value))) {
        facts.note(factOf(row))
        yield* itemsOf(part.position, row, rowSightings)
      }
  }
  yield* facts.finish()
  yield* notes.warnings([])
}

const factOf = (row: Fields) => {
  const of = (name: string) => (typeof row[name] === 'number' ? String(row[name]) : (textIn(row[name]) ?? ''))
  return { id: of('id'), place: of('ip'), port: of('port'), severity: of('severity'), finding: of('finding') }
}

/** An entry of a list: a check, or a whole nested report. */
const rowsOfEntry = (entry: Fields): Fields[] =>
  Array.isArray(entry['scanResult']) ? entry['scanResult'].map(objectOf).flatMap(rowsOfHost) : [entry]

/** A host's checks are in lists by topic, and name the place only once. */
const rowsOfHost = (host: Fields): Fields[] => {
  const place = { ip: `${textIn(host['targetHost']) ?? ''}/${textIn(host['ip']) ?? ''}`, port: host['port'] }
  return Object.values(host).flatMap((checks) => listOf(checks).map((check) => ({ ...place, ...objectOf(check) })))
}
