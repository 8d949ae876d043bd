import { isoTime } from '../../platform/clock.ts'
import { cleanLine } from '../inventory/sightings/clean.ts'
import type { Stated } from '../scanner-formats/fields/stated-times.ts'
import type { ImportRow } from './imports.queries.ts'

/** Tolerance for a browser's clock when it sends "now". */
const CLOCK_SKEW_MS = 60_000

/**
 * Decides when an import's contents were seen: the importer's time, else the start of the scan as the file states it,
 * else the time at which the file was written, else now. The start rather than the end, so that newer data is kept.
 * Never later than the upload.
 */
export class SeenTime {
  readonly warnings = new Set<string>()
  readonly #given: string | null
  readonly #written: string | null
  readonly #uploadedAt: string
  #stated: string | null = null
  #settled: string | null

  constructor({ seen_at, created_at, options }: Pick<ImportRow, 'seen_at' | 'created_at' | 'options'>) {
    this.#given = options.seenAt ?? null
    this.#written = options.writtenAt ?? null
    this.#uploadedAt = created_at
    this.#settled = seen_at
    if (this.#given !== null && Date.parse(this.#given) > Date.parse(created_at) + CLOCK_SKEW_MS)
      this.warnings.add(inFuture('The given time', this.#given))
  }

  get seenAt(): string {
    if (this.#settled === null) throw new Error('when the file was seen is not decided yet')
    return this.#settled
  }

  /** Notes the time that the file states. */
  note(stated: Stated): void {
    if (this.#given !== null) return
    if ('unread' in stated) {
      this.warnings.add(
        `The file states its time as ${JSON.stringify(cleanLine(stated.unread, 60))}, which cannot be read: another time is used.`,
      )
      return
    }
    this.#stated = isoTime(stated.from)
    if (this.#stated > this.#uploadedAt) this.warnings.add(inFuture('The time that the file states', this.#stated))
    else if (stated.isZoneAssumed)
      this.warnings.add(`The file states its time without a known time zone: UTC is assumed, ${this.#stated}.`)
  }

  /** Decides once, before anything of the file is written. */
  settle(now: string): void {
    const known = this.#given ?? this.#stated ?? this.#written
    this.#settled ??= known === null ? now : known < this.#uploadedAt ? known : this.#uploadedAt
  }
}

const inFuture = (what: string, time: string): string =>
  `${what}, ${time}, is after the upload: the time of the upload is used.`
