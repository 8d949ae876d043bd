import { cleanLine } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type ProbeRecord, probeOf } from '../fields/probes.ts'
import type { Item } from '../registry/format.ts'
import { readRecords } from './json-records.ts'
import { rejection, unusable } from './rejections.ts'

/** A record of a tool: any JSON object. */
export type Fields = Record<string, unknown>

/** Sightings of a record, or other items. */
export type RecordItems = Iterable<Sighting | Item>

/**
 * Yields the items of a file with one record per sighting. An unusable record becomes a rejection and does not affect
 * others; its valid parts before the error are kept.
 *
 * @param known every field that the tool writes; a warning counts the rows with any other
 */
export async function* recordItems(
  text: AsyncIterable<string>,
  make: (fields: Fields) => RecordItems,
  known?: ReadonlySet<string>,
): AsyncGenerator<Item> {
  const unknown = new UnknownFields(known)
  for await (const event of readRecords(text)) {
    const position = `line ${event.line}`
    if (event.type === 'broken') yield rejection(position, event.excerpt, event.reason)
    else {
      unknown.count(event.value)
      yield* withProbe(itemsOf(position, event.value, make), event.value['timestamp'])
    }
  }
  yield* unknown.warnings()
}

/** Distinct names that are counted one by one, so that a hostile file does not fill the memory. */
const MAX_UNKNOWN = 1_000
const MAX_NAMED = 20

/** Counts the fields of rows that the tool is not known to write, and that are therefore not read. @see recordItems */
export class UnknownFields {
  private readonly rows = new Map<string, number>()
  private unnamed = 0
  private readonly known: ReadonlySet<string> | undefined

  constructor(known: ReadonlySet<string> | undefined) {
    this.known = known
  }

  count(row: Fields): void {
    for (const key of this.known ? Object.keys(row) : []) {
      if (this.known?.has(key)) continue
      if (this.rows.has(key) || this.rows.size < MAX_UNKNOWN) this.rows.set(key, (this.rows.get(key) ?? 0) + 1)
      else this.unnamed++
    }
  }

  *warnings(): Generator<Item> {
    const counted = [...this.rows].toSorted(([, a], [, b]) => b - a)
    if (counted.length === 0) return
    const named = counted
      .slice(0, MAX_NAMED)
      .map(([key, count]) => `${cleanLine(key, 60) ?? 'a field without a name'} (${count})`)
    const others = counted.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, this.unnamed)
    yield {
      type: 'warning',
      text: `Unknown fields were ignored, with the number of rows: ${named.join(', ')}${others > 0 ? `, and ${others} values of others` : ''}.`,
    }
  }
}

/** Adds a probe at the time of the row. */
export function* withProbe(items: Iterable<Item>, time: unknown): Generator<Item> {
  let probe: ProbeRecord | undefined
  for (const item of items) {
    if (item.type === 'sighting') probe ??= probeOf(item.sighting, time)
    yield item
  }
  if (probe) yield { type: 'probe', probe }
}

/** Yields the items of one record. */
export function* itemsOf<T>(position: string, thing: T, make: (thing: T) => RecordItems): Generator<Item> {
  try {
    for (const made of make(thing))
      yield 'kind' in made ? { type: 'sighting', position, sighting: made } : placed(made, position)
  } catch (error) {
    yield unusable(error, position, excerptOf(thing))
  }
}

/** An item without a position gets its row's. */
const placed = (item: Item, position: string): Item =>
  'position' in item && item.position === '' ? { ...item, position } : item

const excerptOf = (thing: unknown): string =>
  (typeof thing === 'string' ? thing : JSON.stringify(thing)).slice(0, 1_000)

export const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The entries of a list as texts; objects and lists in it as JSON. */
export const wordsIn = (value: unknown): string[] =>
  listOf(value)
    .filter((entry) => entry !== null)
    .map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))

/** Returns a trimmed, non-empty text. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** Returns the content delivery network that responded, as any version of naabu and httpx reports it. */
export const cdnIn = (row: Fields): string | undefined =>
  row['cdn'] === true ? (textIn(row['cdn-name']) ?? textIn(row['cdn_name']) ?? 'unnamed') : textIn(row['cdn'])
