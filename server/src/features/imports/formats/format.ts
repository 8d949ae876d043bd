import type { IMPORT_FORMATS } from '@sortie/contract/imports.ts'
import { cleanLine } from '../../results/clean.ts'
import type { Coverage } from '../../results/coverages.ts'
import type { Sighting } from '../../results/sightings.ts'
import type { Contact } from './contacts.ts'
import type { StatedTimes } from './stated-times.ts'

export type FormatId = (typeof IMPORT_FORMATS)[number]

/** What a reader finds in a file, in the order of the file. `position` says where: `line 12`. */
export type Item =
  | { type: 'sighting'; position: string; sighting: Sighting }
  /** A name that is no result, but may be a target. */
  | { type: 'name'; position: string; name: string }
  /** A name or address that is only mentioned: a target where a rule of the scope covers it. */
  | { type: 'mention'; host: string }
  | { type: 'coverage'; coverage: Coverage }
  | { type: 'rejection'; position: string; excerpt: string; reason: string }
  /** What was asked, and when, where the file says it: for the operation log. */
  | { type: 'contact'; contact: Contact }
  /** Which program wrote what follows, where the format is not its own, and in which version. */
  | { type: 'tool'; name?: string | undefined; version?: string | undefined }
  | { type: 'warning'; text: string }
  /** When the file says that it was made, in milliseconds since 1970; or as it is written, where that cannot be read. First of all. */
  | { type: 'stated'; from: number; to: number; isZoneAssumed: boolean }
  | { type: 'stated'; unread: string }
  /** The file ends before it should: what came until here counts. */
  | { type: 'cut'; reason: string }

/** What is known of a file from its first bytes. */
export type Head =
  | { shape: 'empty' }
  | { shape: 'xml'; root: string; attributes: Record<string, string>; text: string }
  /**
   * @property keys of the first record, and of the objects in it as `info.name`, as far as they are in `text`
   * @property isCut whether the first record goes on after it
   */
  | { shape: 'json'; keys: ReadonlySet<string>; isCut: boolean; text: string }
  | { shape: 'text'; line: string }

export interface ReadOptions {
  /** Of a CSV with unknown headers: column to field. */
  mapping: Readonly<Record<string, string>>
  /** The text from its beginning, once more. */
  again(): AsyncIterable<string>
}

export interface Format {
  id: FormatId
  /** Whose files these are. */
  name: string
  /** What is looked for, in one sentence for people. */
  recognisedBy: string
  /** Whether a file says what it looked at. */
  knowsCoverage: boolean
  /** In which files are written that are no UTF-8 and do not say so. */
  legacyEncoding?: 'windows-1252'
  /** Where its files state when they were made. */
  statedTimes(head: Head): StatedTimes
  isIn(head: Head): boolean
  read(text: AsyncIterable<string>, head: Head, options: ReadOptions): AsyncIterable<Item>
}

/** The whole file is of no use. The reason may quote it: it is one line, and fit to be stored. */
export class UnreadableFile extends Error {
  constructor(reason: string) {
    super(cleanLine(reason) ?? 'it cannot be read')
  }
}
