import type { Head, Item } from '../registry/format.ts'
import { readMoment } from './moments.ts'

/** The places in which a file states when it was made. */
export interface StatedTimes {
  /** Attributes of the XML root; the first that exists wins over all patterns. */
  attributes?: readonly string[]
  /** Global expressions with a time in their first group; the first that matches wins, with all its matches. */
  patterns?: readonly RegExp[]
}

/** Times of tools that write one per row. Quotes inside a text of a row are escaped, so such texts do not match. */
export const ROW_TIMES = /"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g

/** Upper limit of a match, in characters; this much of a chunk is scanned again with the next one. */
const LONGEST_MATCH = 1_000

/** The time at which a file states that it was made. */
export type Stated = Extract<Item, { type: 'stated' }>

/** No scanner existed before. */
const EARLIEST_MS = Date.UTC(1997, 8, 1)

/** Returns the start and end of a scan as its file states them: the earliest and the latest time. */
export const readStatedTimes = async (
  text: AsyncIterable<string>,
  head: Head,
  { attributes = [], patterns = [] }: StatedTimes,
): Promise<Stated | undefined> => {
  const attribute =
    head.shape === 'xml'
      ? attributes.map((name) => head.attributes[name]).find((value) => value !== undefined)
      : undefined
  if (attribute !== undefined) {
    const times = new Times()
    times.note(attribute)
    return times.stated
  }
  if (patterns.length === 0) return undefined
  const found = patterns.map((pattern) => ({ pattern, times: new Times() }))
  let rest = ''
  for await (const chunk of text) {
    const piece = rest + chunk
    // A match that starts in the last thousand characters may end in the next chunk, so it is searched then.
    const end = piece.length - LONGEST_MATCH
    for (const { pattern, times } of found) times.noteAll(piece, pattern, end)
    rest = piece.slice(Math.max(0, end))
  }
  for (const { pattern, times } of found) times.noteAll(rest, pattern, rest.length)
  return found.find(({ times }) => times.hasAny)?.times.stated
}

/** Times found by one pattern. */
class Times {
  #from = Number.POSITIVE_INFINITY
  #to = 0
  #isZoneAssumed = false
  #unread: string | undefined

  noteAll(text: string, pattern: RegExp, end: number): void {
    for (const match of text.matchAll(pattern)) {
      if (match.index >= end) return
      this.note(match[1] as string)
    }
  }

  note(written: string): void {
    const moment = readMoment(written)
    if (!moment) this.#unread ??= written
    else if (moment.at >= EARLIEST_MS) {
      this.#from = Math.min(this.#from, moment.at)
      this.#to = Math.max(this.#to, moment.at)
      this.#isZoneAssumed ||= moment.isZoneAssumed
    }
  }

  get hasAny(): boolean {
    return this.#to > 0 || this.#unread !== undefined
  }

  get stated(): Stated | undefined {
    if (this.#to === 0) return this.#unread === undefined ? undefined : { type: 'stated', unread: this.#unread }
    return { type: 'stated', from: this.#from, to: this.#to, isZoneAssumed: this.#isZoneAssumed }
  }
}
