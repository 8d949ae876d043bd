import { createHash } from 'node:crypto'
import { builtInEntries } from './index.ts'
import type { BuiltInEntry } from './entry.ts'

/** A built-in entry with its id, which follows from its key and is the same on every instance. */
export interface KnownEntry extends BuiltInEntry {
  id: string
}

const idOf = (key: string): string =>
  `lib_${createHash('sha256').update(`built-in library entry ${key}`).digest('hex').slice(0, 26)}`

export const BUILT_IN_ENTRIES: readonly KnownEntry[] = builtInEntries.map((entry) => ({
  ...entry,
  id: idOf(entry.key),
}))
