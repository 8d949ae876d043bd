import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type ProbeRecord, probeOf } from '../fields/probes.ts'
import type { Item } from '../registry/format.ts'
import { readRecords } from './json-records.ts'
import { rejection, unusable } from './rejections.ts'

/** A record of a tool: any JSON object. */
export type Fields = Record<string, unknown>

/** Sightings of a record, or other items. */
export type Made = Iterable<Sighting | Item>

/**
 * Yields the items of a file with one record per sighting. An unusable record becomes a rejection and does not affect others; its
 * valid parts before the error are kept.
 *
 * @param known fields of the tool; if most fields are others, a warning lists them
 */
export async function* recordItems(
  text: AsyncIterable<string>,
  make: (fields: Fields) => Made,
  known?: ReadonlySet<string>,
): AsyncGenerator<Item> {
  const unread = new Map<string, number>()
  let read = 0
  for await (const event of readRecords(text)) {
    const position = `line ${event.line}`
    if (event.type === 'broken') yield rejection(position, event.excerpt, event.reason)
    else {
      for (const key of known ? Object.keys(event.value) : []) {
        if (known?.has(key)) read++
        else if (unread.has(key) || unread.size < MAX_UNREAD) unread.set(key, (unread.get(key) ?? 0) + 1)
      }
      yield* withProbe(itemsOf(position, event.value, make), event.value['timestamp'])
    }
  }
  if ([...unread.values()].reduce((sum, count) => sum + count, 0) > read) {
    yield {
      type: 'warning',
      text: `Most fields of the file were ignored: ${[...unread.keys()]
        .slice(0, 20)
        .map((key) => key.slice(0, 60))
        .join(', ')}.`,
    }
  }
}

/** Maximum number of distinct field names counted. */
const MAX_UNREAD = 1_000

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
export function* itemsOf<T>(position: string, thing: T, make: (thing: T) => Made): Generator<Item> {
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

/** Returns a trimmed, non-empty text. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** Returns the content delivery network that responded, as any version of naabu and httpx reports it. */
export const cdnIn = (row: Fields): string | undefined =>
  row['cdn'] === true ? (textIn(row['cdn-name']) ?? textIn(row['cdn_name']) ?? 'unnamed') : textIn(row['cdn'])
