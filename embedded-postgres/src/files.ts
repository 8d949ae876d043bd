import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'

const PIECE_BYTES = 1024 * 1024
const SYNCED_AT_ONCE = 16

/** Creates a file that only its owner may read, and hashes what is written to it. @throws EEXIST */
export const createFile = (file: string) => {
  const descriptor = openSync(file, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  return {
    write: (piece: Buffer): void => {
      for (let offset = 0; offset < piece.length;) offset += writeSync(descriptor, piece, offset)
      hash.update(piece)
      bytes += piece.length
    },
    /** @returns size and hash of the file */
    close: () => {
      closeSync(descriptor)
      return { bytes, sha256: hash.digest('hex') }
    },
  }
}

/** Copies the current content of one file, even while it grows. @throws ENOENT if it no longer exists */
export const copyFile = (from: string, to: string) => {
  const source = openSync(from, 'r')
  try {
    const target = createFile(to)
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    for (let read = readSync(source, piece); read > 0; read = readSync(source, piece))
      target.write(piece.subarray(0, read))
    return target.close()
  } finally {
    closeSync(source)
  }
}

/** Lists everything below a directory, by relative path: directories before their contents. */
export const listTree = (directory: string): { directories: string[]; files: string[]; others: string[] } => {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => ({
    entry,
    name: path.relative(directory, path.join(entry.parentPath, entry.name)),
  }))
  const named = (is: (kind: (typeof entries)[number]['entry']) => boolean) =>
    entries
      .filter(({ entry }) => is(entry))
      .map(({ name }) => name)
      .toSorted()
  return {
    directories: named((entry) => entry.isDirectory()),
    files: named((entry) => entry.isFile()),
    others: named((entry) => !entry.isFile() && !entry.isDirectory()),
  }
}

/** Returns when all of these files and directories are on the disk; files first, so that no entry is dangling. */
export const syncAll = async (files: readonly string[], directories: readonly string[]): Promise<void> => {
  for (const group of [files, directories]) {
    const waiting = group.values()
    const syncing = Array.from({ length: SYNCED_AT_ONCE }, async () => {
      for (const name of waiting) {
        const handle = await open(name, 'r')
        try {
          await handle.sync()
        } finally {
          await handle.close()
        }
      }
    })
    await Promise.all(syncing)
  }
}

/** Size and hash of a file. @throws ENOENT if it no longer exists */
export const hashFile = (file: string): { bytes: number; sha256: string } => {
  const descriptor = openSync(file, 'r')
  try {
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    let bytes = 0
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
      hash.update(piece.subarray(0, read))
      bytes += read
    }
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    closeSync(descriptor)
  }
}
