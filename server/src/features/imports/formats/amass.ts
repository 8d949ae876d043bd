import { canonicalName } from '../../results/canonical.ts'
import { dnsRecordSighting, type Sighting, Unusable } from '../../results/sightings.ts'
import type { Format, Item } from './format.ts'
import { type Fields, listOf, objectOf, recordItems, textIn } from './records.ts'

/** JSON of amass (`enum -json`). Names become targets, their addresses DNS records. */
export const amass: Format = {
  id: 'amass',
  name: 'amass JSON lines (enum -json)',
  recognisedBy: 'rows with name, domain and addresses',
  knowsCoverage: false,
  isIn: (head) => head.shape === 'json' && head.keys.has('name') && head.keys.has('domain') && head.keys.has('addresses'),
  read: (text) => recordItems(text, rowItems),
}

function* rowItems(row: Fields): Generator<Item | Sighting> {
  const name = canonicalName(textIn(row['name']) ?? '')
  if (name === undefined) throw new Unusable('name is no name of a host')
  yield { type: 'name', position: '', name }
  for (const address of listOf(row['addresses']).map(objectOf)) {
    const value = textIn(address['ip'])
    if (value !== undefined) yield dnsRecordSighting({ name, type: 'A', value })
  }
}
