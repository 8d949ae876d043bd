import path from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { inodeOf } from './directory/directory-storage.ts'
import type { Storage } from './storage.ts'

/** Names, next to the files, the database that they belong to. Written once: in a directory, its inode reveals a copy. */
const MARK = '.sortie-storage.json'
const BEAT = '.sortie-storage-beat.json'
const NOTE =
  'States which Sortie database these files belong to. Keep it with them; see "Files" in docs/operating/database/files.md.'
/** Files of the server itself, next to the uploads. */
export const OWN_NOTES: readonly string[] = [MARK, BEAT]

/** The last heartbeat that a database left next to its files. */
export interface Beat {
  beat: number
  token: string
  /** ISO 8601. */
  at: string
}

/**
 * @returns the id; undefined if there is none. @throws ConfigurationError for a damaged file, one that cannot be read,
 *   and for files that `move-storage` has moved away
 */
export const readMark = async (storage: Storage): Promise<string | undefined> => {
  const found = parse(await storage.readNote(MARK)) as { storage?: unknown; movedTo?: unknown } | undefined
  if (found === undefined) return undefined
  if (typeof found.movedTo === 'string') {
    throw new ConfigurationError([
      `${storage.setting}: the files of ${storage.name} were moved to ${found.movedTo}: name that one in the settings`,
    ])
  }
  if (typeof found.storage !== 'string' || found.storage === '') {
    throw new ConfigurationError([
      `${storage.setting}: ${fileIn(storage, MARK)} is damaged: put it back from a backup, or remove it and run "npm run operator -- bind-storage"`,
    ])
  }
  return found.storage
}

export const writeMark = (storage: Storage, id: string): Promise<void> =>
  storage.writeNote(MARK, json({ storage: id, note: NOTE }))

/** From now on, `readMark` refuses these files: newer ones are elsewhere. */
export const writeMoved = (storage: Storage, id: string, movedTo: string): Promise<void> =>
  storage.writeNote(MARK, json({ storage: id, movedTo, note: NOTE }))

/** @returns undefined if there is none, or a damaged one. @throws ConfigurationError for one that cannot be read */
export const readBeat = async (storage: Storage): Promise<Beat | undefined> => {
  const found = parse(await storage.readNote(BEAT)) as Partial<Beat> | undefined
  return typeof found?.beat === 'number' && typeof found.token === 'string' && typeof found.at === 'string'
    ? (found as Beat)
    : undefined
}

export const writeBeat = (storage: Storage, beat: Beat): Promise<void> => storage.writeNote(BEAT, json(beat))

export const removeBeat = (storage: Storage): Promise<void> => storage.removeNote(BEAT)

const json = (content: object): string => `${JSON.stringify(content)}\n`

const parse = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const fileIn = ({ kind, name }: Storage, note: string): string =>
  kind === 'directory' ? path.join(name, note) : `${note} of ${name}`

/**
 * Distinguishes the storage of files, and an embedded database, from their copies: a copied file has another inode.
 *
 * @param cluster directory of the embedded database; undefined for one of `DATABASE_URL`
 * @returns `storage=12 cluster=34`, without values that the file system does not report; `bucket=...` for a bucket
 */
export const placeOf = async (storage: Storage, cluster: string | undefined): Promise<string> => {
  const values = {
    [storage.kind === 'directory' ? 'storage' : 'bucket']: await storage.identify(MARK),
    cluster: cluster === undefined ? '' : inodeOf(path.join(cluster, 'PG_VERSION')),
  }
  return Object.entries(values)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]))
    .join(' ')
}

/** Reports whether one of them is another file now. Ignores values that are unknown on either side. */
export const hasMoved = (before: string, now: string): boolean => {
  const known = new Map(before.split(' ').map((part) => part.split('=') as [string, string]))
  return now.split(' ').some((part) => {
    const [name, inode] = part.split('=') as [string, string]
    return known.has(name) && known.get(name) !== inode
  })
}
