import type { IMPORT_FORMATS } from '@sortie/contract/inventory/imports.ts'
import type { Coverage } from '../../inventory/coverage/coverage.ts'
import { cleanLine } from '../../inventory/sightings/clean.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import type { ProbeRecord } from '../fields/probes.ts'
import type { StatedTimes } from '../fields/stated-times.ts'

/** Items of a file that are read and written together: they fit into one short transaction. */
export const MAX_BATCH_ITEMS = 1_000

export type FormatId = (typeof IMPORT_FORMATS)[number]

/** An item that a reader yields, in the order of the file. `position` is its place in the file: `line 12`. */
export type Item =
  | { type: 'sighting'; position: string; sighting: Sighting }
  /** A name that is not a result, but may become a target. */
  | { type: 'name'; position: string; name: string }
  /** A name or address that is only mentioned. It becomes a target only if a scope rule covers it. */
  | { type: 'mention'; host: string }
  | { type: 'coverage'; coverage: Coverage }
  | { type: 'rejection'; position: string; excerpt: string; reason: string }
  /** A probe with its time, for the operation log. */
  | { type: 'probe'; probe: ProbeRecord }
  /** The program that wrote the following items, if the format does not imply it, and its version. */
  | { type: 'tool'; name?: string | undefined; version?: string | undefined }
  | { type: 'warning'; text: string }
  /**
   * The time at which the file states it was made, in milliseconds since 1970; `unread` if the text cannot be parsed.
   * Comes first.
   */
  | { type: 'stated'; from: number; to: number; isZoneAssumed: boolean }
  | { type: 'stated'; unread: string }
  /** The file ends too early; the items until here count. */
  | { type: 'cut'; reason: string }

/** The shape of a file, detected from its first bytes. */
export type Head =
  | { shape: 'empty' }
  | { shape: 'xml'; root: string; attributes: Record<string, string>; text: string }
  /**
   * @property keys of the first record and its objects (as `info.name`), as far as they are in `text`
   * @property isCut true if the first record continues after `text`
   */
  | { shape: 'json'; keys: ReadonlySet<string>; isCut: boolean; text: string }
  /** @property line the first line that is not empty or of a log */
  | { shape: 'text'; line: string; text: string }

export interface ReadOptions {
  /** For a CSV with unknown headers: column to field. */
  mapping: Readonly<Record<string, string>>
  /** The address that was tested, for files whose lines name no host. */
  baseUrl?: string | undefined
  /** Returns the text from the start again. */
  again(): AsyncIterable<string>
}

export interface Format {
  id: FormatId
  /** Display name: the tools and file types. */
  name: string
  /** The criteria of `isIn`, in one sentence for users. */
  recognisedBy: string
  /** True if files state what the tool examined. */
  knowsCoverage: boolean
  /** Encoding of files that are not UTF-8 and declare none. */
  legacyEncoding?: 'windows-1252'
  /** Returns where its files state their time. */
  statedTimes(head: Head): StatedTimes
  isIn(head: Head): boolean
  read(text: AsyncIterable<string>, head: Head, options: ReadOptions): AsyncIterable<Item>
}

/** Thrown if the whole file is unusable. The reason may quote the file: it is cut to one storable line. */
export class UnreadableFile extends Error {
  constructor(reason: string) {
    super(cleanLine(reason) ?? 'it cannot be read')
  }
}
