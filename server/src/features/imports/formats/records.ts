import type { Sighting } from '../../results/sightings.ts'
import { type Contact, contactOf } from './contacts.ts'
import type { Item } from './format.ts'
import { readRecords } from './json-records.ts'
import { rejection, unusable } from './rejections.ts'

/** What a record of a tool holds: whatever JSON can. */
export type Fields = Record<string, unknown>

/** What a record gives: sightings, or items where it says more. */
export type Made = Iterable<Sighting | Item>

/**
 * Items of a file with a record for each thing that was seen. A record that cannot be used is a rejection, and costs no
 * other; what of it was usable before the mistake stays.
 *
 * @param known fields of the tool: a file most of whose fields are others says so
 */
export async function* recordItems(text: AsyncIterable<string>, make: (fields: Fields) => Made, known?: ReadonlySet<string>): AsyncGenerator<Item> {
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
      yield* withContact(itemsOf(position, event.value, make), event.value['timestamp'])
    }
  }
  if ([...unread.values()].reduce((sum, count) => sum + count, 0) > read) {
    yield {
      type: 'warning',
      text: `Most fields of the file are not read: ${[...unread.keys()]
        .slice(0, 20)
        .map((key) => key.slice(0, 60))
        .join(', ')}.`,
    }
  }
}

/** Names of fields that are counted. */
const MAX_UNREAD = 1_000

/** With what a row was about having been asked at its time. */
export function* withContact(items: Iterable<Item>, time: unknown): Generator<Item> {
  let contact: Contact | undefined
  for (const item of items) {
    if (item.type === 'sighting') contact ??= contactOf(item.sighting, time)
    yield item
  }
  if (contact) yield { type: 'contact', contact }
}

/** The same of one thing. */
export function* itemsOf<T>(position: string, thing: T, make: (thing: T) => Made): Generator<Item> {
  try {
    for (const made of make(thing)) yield 'kind' in made ? { type: 'sighting', position, sighting: made } : placed(made, position)
  } catch (error) {
    yield unusable(error, position, excerptOf(thing))
  }
}

/** What is made without a place stands where its row does. */
const placed = (item: Item, position: string): Item => ('position' in item && item.position === '' ? { ...item, position } : item)

const excerptOf = (thing: unknown): string => (typeof thing === 'string' ? thing : JSON.stringify(thing)).slice(0, 1_000)

export const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A text that is not empty. */
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

/** Whose content delivery network answered, as naabu and httpx say it in every version. */
export const cdnIn = (row: Fields): string | undefined =>
  row['cdn'] === true ? (textIn(row['cdn-name']) ?? textIn(row['cdn_name']) ?? 'unnamed') : textIn(row['cdn'])
