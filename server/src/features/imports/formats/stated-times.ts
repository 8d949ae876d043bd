import type { Head, Item } from './format.ts'
import { readMoment } from './moments.ts'

/** Where a file states when it was made. */
export interface StatedTimes {
  /** Attributes of the root of XML: the first that is there counts, before all patterns. */
  attributes?: readonly string[]
  /** Global expressions with a time in their first group: the first that matches counts, with all of its matches. */
  patterns?: readonly RegExp[]
}

/** Of a tool whose rows have a time each. A time within a text of a row has a backslash before its quotes. */
export const ROW_TIMES = /"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g

/** No match of a pattern is longer; so much of a chunk is looked at once more with the next. */
const LONGEST_MATCH = 1_000

/** When a file says that it was made. */
export type Stated = Extract<Item, { type: 'stated' }>

/** Before that there was nothing to scan with. */
const EARLIEST_MS = Date.UTC(1997, 8, 1)

/** When a scan began and ended, as its file states it: from the first of all times to the last. */
export const readStatedTimes = async (
  text: AsyncIterable<string>,
  head: Head,
  { attributes = [], patterns = [] }: StatedTimes,
): Promise<Stated | undefined> => {
  const attribute = head.shape === 'xml' ? attributes.map((name) => head.attributes[name]).find((value) => value !== undefined) : undefined
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
    // What begins in the last thousand characters may end in the next chunk: it is looked for then.
    const end = piece.length - LONGEST_MATCH
    for (const { pattern, times } of found) times.noteAll(piece, pattern, end)
    rest = piece.slice(Math.max(0, end))
  }
  for (const { pattern, times } of found) times.noteAll(rest, pattern, rest.length)
  return found.find(({ times }) => times.hasAny)?.times.stated
}

/** Times that one pattern has found. */
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
