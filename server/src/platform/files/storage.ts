import type { Readable } from 'node:stream'
import type { ApiError } from '../errors.ts'

/** Where one file is: the server makes every part, never a client. */
export interface FilePlace {
  organizationId: string
  fileId: string
}

export interface ReceivedFile {
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** The first bytes, enough to recognise images. */
  head: Buffer
}

export interface SizeLimit {
  maxBytes: number
  /** The answer to a file that is larger. */
  refusal(): ApiError
  /** Accepts a file of zero bytes. */
  mayBeEmpty?: true
}

/** A stored file that is open for one reader. */
export interface OpenedFile {
  /** Closes the file at its end, and when its reader stops early. */
  createReadStream(): Readable
  readFile(): Promise<Buffer>
  /** For a file that is not read. */
  close(): Promise<void>
}

/** A file on a disk of this machine, for code that needs a path. */
export interface LocalFile extends ReceivedFile {
  path: string
  /** Removes it if it is only a copy. */
  release(): Promise<void>
}

/** A file that the server stored. */
export interface StoredFile extends FilePlace {
  /** For people, and for the storage itself. */
  path: string
  /** Not received completely: no row names it, whatever the id. */
  isPartial: boolean
}

/** Suffix of a file that is still being received. */
export const PARTIAL = '.partial'
/** The first bytes that `ReceivedFile` keeps. */
export const HEAD_BYTES = 64

/**
 * Where uploaded files are kept: a directory, or a bucket. Failures of the storage itself are ApiErrors with 503, or
 * with 500 for what only the operator can repair.
 */
export interface Storage {
  /** The setting that names it. */
  setting: 'STORAGE_PATH' | 'STORAGE_URL'
  /** The path or the URL, without secrets. */
  name: string
  kind: 'directory' | 'bucket'
  /**
   * Stores a file while it arrives. When this returns, the file survives a power cut; when it throws, nothing is left
   * under its name. After a crash in between, the cleaning finds the rest.
   *
   * @throws ApiError BAD_REQUEST for an empty file, 503 for a storage that is full or away, and the limit's refusal
   */
  receive(place: FilePlace, body: Readable, limit: SizeLimit): Promise<ReceivedFile>
  /**
   * @param sha256 of the row: a bucket's file with another one breaks off before its end
   * @returns undefined if there is no such file
   */
  open(place: FilePlace, sha256?: string): Promise<OpenedFile | undefined>
  has(place: FilePlace): Promise<boolean>
  /**
   * Gives a path to a stored file; a copy of it, if it is in a bucket.
   *
   * @returns undefined if there is no such file
   */
  borrow(place: FilePlace, sha256?: string): Promise<{ path: string; release(): Promise<void> } | undefined>
  /** Receives a file that never gets a row, and is read by its path. */
  scratch(place: FilePlace, body: Readable, limit: SizeLimit): Promise<LocalFile>
  /** Removes a file that this process has just received, and no row names. Does nothing if there is no such file. */
  discard(place: FilePlace): Promise<void>

  /**
   * Yields every file of the server, a few at a time. Omits other files: an operator may keep them next to these.
   */
  list(atOnce: number): AsyncGenerator<StoredFile[]>
  /** @param beforeMs milliseconds since the epoch. @returns false for a file that no longer exists */
  isOlder(file: StoredFile, beforeMs: number): Promise<boolean>
  /** Removes what interrupted uploads have left and `list` does not show. @param beforeMs milliseconds since the epoch */
  removeUnfinished(beforeMs: number): Promise<void>
  /** Moves a file to where `putBack` finds it. Ignores one that no longer exists. @param day `YYYY-MM-DD` */
  quarantine(day: string, file: StoredFile): Promise<void>
  /** Yields the files in quarantine. */
  quarantined(atOnce: number): AsyncGenerator<StoredFile[]>
  /** If a file of this id exists again, that one stays. */
  putBack(file: StoredFile): Promise<void>
  /** Permanently deletes files that were quarantined before this day (`YYYY-MM-DD`). */
  emptyQuarantine(before: string): Promise<void>

  /** Small files of the server itself, next to the uploads. @throws ConfigurationError for one that cannot be read */
  readNote(name: string): Promise<string | undefined>
  /** Stored when this returns, completely or not at all. */
  writeNote(name: string, text: string): Promise<void>
  removeNote(name: string): Promise<void>
  /** Distinguishes the storage from its copies, without spaces; empty where that is unknown. */
  identify(note: string): Promise<string>
  /**
   * Writes, reads and removes a file, as uploads do (O9).
   *
   * @param keep keeps a directory that this made
   * @returns why it cannot be used now although its settings are right, such as a full disk; undefined if it can
   * @throws ConfigurationError for a storage that this process cannot use, with the cause
   */
  probe(keep: boolean): Promise<string | undefined>
  /**
   * Reports why files cannot be written and read right now, as a sentence without its full stop; undefined if they can.
   * Remembers the answer for some seconds. Never throws, and returns within 5 seconds.
   */
  trouble(): Promise<string | undefined>
  /** @returns the name of anything that is there, except for these notes; undefined if it is empty */
  findAnything(except: readonly string[]): Promise<string | undefined>
}
