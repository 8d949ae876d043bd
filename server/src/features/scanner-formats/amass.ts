import { canonicalName } from '../inventory/sightings/canonical.ts'
import { dnsRecordSighting, type Sighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { isAddressedLine, isNameLine, readAddressedNames, readNames, requireName } from './fields/names.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { textLines } from './readers/lines.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn } from './readers/records.ts'
import type { Format, Item } from './registry/format.ts'

/** A line of version 4's output: `www.example.com (FQDN) --> a_record --> 192.0.2.1 (IPAddress)`. */
const RELATION = /^(\S{1,300}) \((\w{1,40})\) --> (\w{1,40}) --> (\S{1,300}) \((\w{1,40})\)$/

/** Output of amass. Names become targets, their addresses DNS records. */
export const amass: Format = {
  id: 'amass',
  name: 'amass JSON lines (enum -json), plain names and relations',
  recognisedBy:
    'rows with name, domain and addresses; lines that are names, also with addresses ("a.example 192.0.2.1,192.0.2.2"), or such as "a.example (FQDN) --> a_record --> 192.0.2.1 (IPAddress)"',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    (head.shape === 'json' && head.keys.has('name') && head.keys.has('domain') && head.keys.has('addresses')) ||
    (head.shape === 'text' && (isNameLine(head.line) || RELATION.test(head.line) || isAddressedLine(head.line))),
  read: (text, head) => {
    if (head.shape !== 'text') return recordItems(text, rowItems, FIELDS)
    if (RELATION.test(head.line)) return readRelations(text)
    return isAddressedLine(head.line) ? readAddressedNames(text) : readNames(text)
  },
}

const FIELDS = new Set(['name', 'domain', 'addresses', 'tag', 'source', 'sources', 'timestamp', 'Timestamp'])

function* rowItems(row: Fields): Generator<Item | Sighting> {
  const name = canonicalName(textIn(row['name']) ?? '')
  if (name === undefined) throw new InvalidSighting('name is not a host name')
  yield { type: 'name', position: '', name }
  for (const address of listOf(row['addresses']).map(objectOf)) {
    const value = textIn(address['ip'])
    if (value !== undefined) yield dnsRecordSighting({ name, type: 'A', value })
  }
}

async function* readRelations(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) yield* itemsOf(`line ${number}`, line, relationItems)
}

const RECORDS: Record<string, string | undefined> = {
  a_record: 'A',
  aaaa_record: 'AAAA',
  cname_record: 'CNAME',
  ns_record: 'NS',
  mx_record: 'MX',
}

/** Reads relations of names. Networks, and names that only represent addresses (`.arpa`), do not become targets. */
function* relationItems(line: string): Generator<Item | Sighting> {
  const [, from = '', fromKind, relation = '', to = '', toKind] = RELATION.exec(line) ?? []
  if (fromKind === undefined) throw new InvalidSighting('is not a relation')
  if (fromKind !== 'FQDN' || from.endsWith('.arpa')) return
  const name = requireName(from)
  yield { type: 'name', position: '', name }
  if (relation === 'node' && toKind === 'FQDN') yield { type: 'name', position: '', name: requireName(to) }
  const type = RECORDS[relation]
  if (type !== undefined) yield dnsRecordSighting({ name, type, value: to })
}
