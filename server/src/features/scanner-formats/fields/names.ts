import { canonicalAddress, canonicalName } from '../../inventory/sightings/canonical.ts'
import { dnsRecordSighting, InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { textLines } from '../readers/lines.ts'
import { itemsOf } from '../readers/records.ts'
import type { Item } from '../registry/format.ts'

/** True for a name with several labels, or a wildcard of one. */
export const isNameLine = (line: string): boolean =>
  line.includes('.') && canonicalName(line.replace(/^\*\./, '')) !== undefined

/** Reads a list of names, one per line. */
export async function* readNames(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) {
    if (!line.startsWith('#')) yield* itemsOf(`line ${number}`, line, nameItems)
  }
}

function* nameItems(line: string): Generator<Item> {
  yield { type: 'name', position: '', name: requireName(line) }
}

/** `app.example.com,192.0.2.90,crtsh` of subfinder (`-oI`), `app.example.com 192.0.2.90,2001:db8::90` of amass 5. */
const WITH_ADDRESSES = /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,252})[ ,]([0-9A-Fa-f.:,]{2,2000})(?:,[\w -]{1,60})?$/

/** True for a name with its addresses. */
export const isAddressedLine = (line: string): boolean => addressedIn(line) !== undefined

const addressedIn = (line: string): { name: string; addresses: string[] } | undefined => {
  const [, name, rest = ''] = WITH_ADDRESSES.exec(line) ?? []
  const addresses = rest.split(',').filter(Boolean)
  if (name === undefined || !isNameLine(name) || addresses.length === 0) return undefined
  return addresses.every((address) => canonicalAddress(address) !== undefined) ? { name, addresses } : undefined
}

/** Reads a list of names, one in each line, with or without addresses. */
export async function* readAddressedNames(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text))
    if (!line.startsWith('#')) yield* itemsOf(`line ${number}`, line, addressedItems)
}

function* addressedItems(line: string): Generator<Item | Sighting> {
  const found = addressedIn(line)
  const name = requireName(found?.name ?? line)
  yield { type: 'name', position: '', name }
  for (const value of found?.addresses ?? []) yield dnsRecordSighting({ name, type: 'A', value })
}

/** @throws InvalidSighting for wildcards and invalid names */
export const requireName = (written: string): string => {
  if (written.startsWith('*.')) throw new InvalidSighting('a wildcard is not a host: it may be a scope rule')
  const name = canonicalName(written)
  if (name === undefined) throw new InvalidSighting('is not a host name')
  return name
}
