import { dnsRecordSighting, type Sighting } from '../inventory/sightings/sightings.ts'
import { isAddressedLine, isNameLine, readAddressedNames, readNames, requireName } from './fields/names.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { type Fields, recordItems, textIn } from './readers/records.ts'
import type { Format, Item } from './registry/format.ts'

/**
 * JSON rows of subfinder and plain lists of names. Names become targets; a row with an address also becomes a DNS
 * record.
 */
export const subfinder: Format = {
  id: 'subfinder',
  name: 'subfinder JSON lines and plain names',
  recognisedBy:
    'rows with host, input and source or sources; lines that are names, or such as "app.example.com,192.0.2.90,crtsh"',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    (head.shape === 'json' &&
      head.keys.has('host') &&
      head.keys.has('input') &&
      (head.keys.has('source') || head.keys.has('sources')) &&
      !head.keys.has('url')) ||
    (head.shape === 'text' &&
      (isNameLine(head.line) || (head.line.includes(',') && !head.line.includes(' ') && isAddressedLine(head.line)))),
  read: (text, head) => {
    if (head.shape !== 'text') return recordItems(text, rowItems, FIELDS)
    return isAddressedLine(head.line) ? readAddressedNames(text) : readNames(text)
  },
}

/** Every field that any version of subfinder writes with `-oJ`. */
const FIELDS = new Set(['host', 'input', 'source', 'sources', 'ip', 'wildcard_certificate', 'timestamp'])

function* rowItems(row: Fields): Generator<Item | Sighting> {
  const name = requireName(textIn(row['host']) ?? '')
  yield { type: 'name', position: '', name }
  const address = textIn(row['ip'])
  if (address !== undefined) yield dnsRecordSighting({ name, type: 'A', value: address })
}
