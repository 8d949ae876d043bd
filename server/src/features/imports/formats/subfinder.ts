import { canonicalName } from '../../results/canonical.ts'
import { dnsRecordSighting, type Sighting, Unusable } from '../../results/sightings.ts'
import type { Format, Item } from './format.ts'
import { textLines } from './lines.ts'
import { type Fields, itemsOf, recordItems, textIn } from './records.ts'

/** Names of several labels, or wildcards of them. */
const isNameLine = (line: string): boolean => line.includes('.') && canonicalName(line.replace(/^\*\./, '')) !== undefined

/** JSON rows of subfinder and plain lists of names. Names become targets; a row with an address is a DNS record as well. */
export const subfinder: Format = {
  id: 'subfinder',
  name: 'subfinder JSON lines and plain names',
  recognisedBy: 'rows with host, input and source or sources; lines that are names',
  knowsCoverage: false,
  isIn: (head) =>
    (head.shape === 'json' &&
      head.keys.has('host') &&
      head.keys.has('input') &&
      (head.keys.has('source') || head.keys.has('sources')) &&
      !head.keys.has('url')) ||
    (head.shape === 'text' && isNameLine(head.line)),
  read: (text, head) => (head.shape === 'text' ? readNames(text) : recordItems(text, rowItems)),
}

function* rowItems(row: Fields): Generator<Item | Sighting> {
  const name = requireName(textIn(row['host']) ?? '')
  yield { type: 'name', position: '', name }
  const address = textIn(row['ip'])
  if (address !== undefined) yield dnsRecordSighting({ name, type: 'A', value: address })
}

async function* readNames(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) {
    if (!line.startsWith('#')) yield* itemsOf(`line ${number}`, line, nameItems)
  }
}

function* nameItems(line: string): Generator<Item> {
  yield { type: 'name', position: '', name: requireName(line) }
}

const requireName = (written: string): string => {
  if (written.startsWith('*.')) throw new Unusable('a wildcard is no host: it may be a scope rule')
  const name = canonicalName(written)
  if (name === undefined) throw new Unusable('is no name of a host')
  return name
}
