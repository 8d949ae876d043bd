import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ConfigurationError } from '../errors.ts'

/** Names in STORAGE_PATH the database that the files belong to. Written once: its inode reveals a copy. */
const MARK = '.sortie-storage.json'
const BEAT = '.sortie-storage-beat.json'
const NOTE = 'States which Sortie database these files belong to. Keep it with them; see "Files" in docs/operating.md.'

/** The last heartbeat that a database left next to its files. */
export interface Beat {
  beat: number
  token: string
  /** ISO 8601. */
  at: string
}

/**
 * @returns the id; undefined if there is none. @throws ConfigurationError for a damaged file, or one that cannot be
 *   read
 */
export const readMark = (root: string): string | undefined => {
  const file = path.join(root, MARK)
  const found = readJson(file) as { storage?: unknown } | undefined
  if (found === undefined) return undefined
  if (typeof found.storage !== 'string' || found.storage === '') {
    throw new ConfigurationError([
      `STORAGE_PATH: ${file} is damaged: put it back from a backup, or remove it and run "npm run operator -- bind-storage"`,
    ])
  }
  return found.storage
}

export const writeMark = (root: string, storage: string): void => {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  writeJson(path.join(root, MARK), { storage, note: NOTE })
}

/** @returns undefined if there is none, or a damaged one. @throws ConfigurationError for one that cannot be read */
export const readBeat = (root: string): Beat | undefined => {
  const found = readJson(path.join(root, BEAT)) as Partial<Beat> | undefined
  return typeof found?.beat === 'number' && typeof found.token === 'string' && typeof found.at === 'string'
    ? (found as Beat)
    : undefined
}

export const writeBeat = (root: string, beat: Beat): void => writeJson(path.join(root, BEAT), beat)

export const removeBeat = (root: string): void => rmSync(path.join(root, BEAT), { force: true })

const readJson = (file: string): unknown => {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ConfigurationError([
      `STORAGE_PATH: ${file} cannot be read (${code}): it says which database the files belong to; let the user that starts the server read it`,
    ])
  }
}

/** On the disk when this returns, completely or not at all. */
const writeJson = (file: string, content: object): void => {
  const growing = `${file}.${process.pid}`
  const descriptor = openSync(growing, 'w', 0o600)
  try {
    writeFileSync(descriptor, `${JSON.stringify(content)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(growing, file)
}

/**
 * File systems with inode numbers that are stable across mounts (statfs(2)): ext, XFS, Btrfs, ZFS, NFS, tmpfs, overlay.
 */
const STABLE_INODES = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x6969, 0x01021994, 0x794c7630])

/**
 * Distinguishes the directory of files, and an embedded database, from their copies: a copied file has another inode.
 *
 * @param cluster directory of the embedded database; undefined for one of `DATABASE_URL`
 * @returns `storage=12 cluster=34`, without values that the file system does not report
 */
export const placeOf = (root: string, cluster: string | undefined): string => {
  const files = {
    storage: path.join(root, MARK),
    ...(cluster !== undefined && { cluster: path.join(cluster, 'PG_VERSION') }),
  }
  return Object.entries(files)
    .flatMap(([name, file]) => (hasStableInode(file) ? [`${name}=${statSync(file).ino}`] : []))
    .join(' ')
}

const hasStableInode = (file: string): boolean => existsSync(file) && STABLE_INODES.has(statfsSync(file).type)

/** Reports whether one of them is another file now. Ignores values that are unknown on either side. */
export const hasMoved = (before: string, now: string): boolean => {
  const known = new Map(before.split(' ').map((part) => part.split('=') as [string, string]))
  return now.split(' ').some((part) => {
    const [name, inode] = part.split('=') as [string, string]
    return known.has(name) && known.get(name) !== inode
  })
}
