import { canonicalAddress, canonicalHost, canonicalName } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { dnsRecordSighting, InvalidSighting, requireHost, type Sighting } from '../../inventory/sightings/sightings.ts'
import { ROW_TIMES } from '../fields/stated-times.ts'
import { textLines } from '../readers/lines.ts'
import { type Fields, itemsOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

const TYPES = ['a', 'aaaa', 'cname', 'mx', 'ns', 'ptr', 'txt', 'srv', 'caa'] as const
/**
 * `app.example.com [A] [192.0.2.90]`, in older versions without the type; `app.example.com. A 192.0.2.90` of massdns.
 */
const LINE = /^(\S{1,253}) (?:\[([A-Z]{1,5})\] )?\[([^\]]{1,1000})\]$/
const OF_MASSDNS = /^(\S{1,253})\.? (A|AAAA|CNAME|MX|NS|PTR|TXT) (\S.{0,1000})$/

/** JSON rows and text of dnsx, and simple output of massdns. */
export const dnsx: Format = {
  id: 'dnsx',
  name: 'dnsx JSON lines and text, massdns -o S',
  recognisedBy:
    'rows with host, and resolver or a list of records; lines such as "app.example.com [A] [192.0.2.90]" or "app.example.com. A 192.0.2.90"',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    (head.shape === 'json' &&
      head.keys.has('host') &&
      !OTHERS.some((key) => head.keys.has(key)) &&
      ['resolver', 'all', ...TYPES].some((key) => head.keys.has(key))) ||
    (head.shape === 'text' &&
      ((LINE.test(head.line) && canonicalHost(head.line.split(' ')[0] as string) !== undefined) ||
        OF_MASSDNS.test(head.line))),
  read: (text, head) => (head.shape === 'text' ? readLines(text) : readRows(text)),
}

/** Fields of httpx, naabu, tlsx and subfinder. */
const OTHERS = ['url', 'port', 'input', 'source', 'template-id']

/** Every field that any version of dnsx writes with `-json`, without zone transfers. Of these, addresses of name servers say nothing of the host. */
const FIELDS = new Set([
  ...TYPES,
  ...`host ttl resolver soa any raw all status_code timestamp trace extracts asn cdn cdn-name
  has_internal_ips internal_ips`.split(/\s+/),
])

async function* readRows(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let unresolved = 0
  const rows = recordItems(
    text,
    function* (row) {
      if (![...TYPES, 'soa'].some((type) => row[type] !== undefined)) unresolved++
      yield* rowItems(row)
    },
    FIELDS,
  )
  // Its queries went to name servers, not to the host.
  for await (const item of rows) if (item.type !== 'probe') yield item
  if (unresolved > 0) yield { type: 'warning', text: `Names without a record, which are not imported: ${unresolved}.` }
}

function* rowItems(row: Fields): Generator<Sighting | Item> {
  const name = requireHost(row['host'])
  const ttl = cleanNumber(row['ttl'])
  const records = TYPES.flatMap((type) =>
    [row[type]]
      .flat()
      .flatMap((value) => (textIn(value) === undefined ? [] : [{ type, value: textIn(value) as string }])),
  )
  if (records.length > 0 && canonicalName(name) !== undefined) yield { type: 'name', position: '', name }
  for (const { type, value } of records) yield* itemsOf('', row, () => [dnsRecordSighting({ name, type, value, ttl })])
  for (const soa of [row['soa']].flat().map(objectOf)) {
    const value = [textIn(soa['ns']), textIn(soa['mbox'])].filter(Boolean).join(' ')
    // The serial number changes with every change of the zone.
    if (value !== '')
      yield* itemsOf('', row, () => [dnsRecordSighting({ name: textIn(soa['name']) ?? name, type: 'SOA', value })])
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) yield* itemsOf(`line ${number}`, line, lineItems)
}

function* lineItems(line: string): Generator<Sighting | Item> {
  const massdns = OF_MASSDNS.exec(line)
  const [, written, stated, value] = massdns ?? LINE.exec(line) ?? []
  if (written === undefined || value === undefined) throw new InvalidSighting('is not a DNS record')
  const name = requireHost(written.replace(/\.$/, ''), 'name')
  const type = stated ?? (canonicalAddress(value) === undefined ? 'CNAME' : 'A')
  if (canonicalName(name) !== undefined) yield { type: 'name', position: '', name }
  // A mail server has its preference before its name.
  yield dnsRecordSighting({ name, type, value: type === 'MX' ? value.replace(/^\d{1,5} /, '') : value })
}
