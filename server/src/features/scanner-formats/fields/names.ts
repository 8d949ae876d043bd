import { canonicalName } from '../../inventory/sightings/canonical.ts'
import { InvalidSighting } from '../../inventory/sightings/sightings.ts'
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

/** @throws InvalidSighting for wildcards and invalid names */
export const requireName = (written: string): string => {
  if (written.startsWith('*.')) throw new InvalidSighting('a wildcard is not a host: it may be a scope rule')
  const name = canonicalName(written)
  if (name === undefined) throw new InvalidSighting('is not a host name')
  return name
}
