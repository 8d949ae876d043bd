import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { ApiError, badRequest, internalError, unavailable } from '../../errors.ts'
import { type FilePlace, HEAD_BYTES, PARTIAL, type ReceivedFile, type SizeLimit } from '../storage.ts'

/** Path of one file below a directory. */
export interface FileInDirectory extends FilePlace {
  /** The directory of all files. */
  root: string
}

/** Written data is synced in steps, so that the last sync is short: the client waits for it without any response. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT'])

/** Spreads the files of an organization over 256 directories. */
const directoryOf = (fileId: string): string => createHash('sha256').update(fileId).digest('hex').slice(0, 2)

/** Path below the directory, or name within a bucket. */
export const relativePath = ({ organizationId, fileId }: FilePlace): string =>
  path.join(organizationId, directoryOf(fileId), fileId)

export const filePath = ({ root, ...place }: FileInDirectory): string => path.join(root, relativePath(place))

/**
 * Stores a file while it arrives: writes it next to its final path, syncs, then renames. When this returns, the file
 * survives a power cut; when it throws, nothing is left. After a crash in between, `findUnclaimed` finds the rest.
 *
 * @throws ApiError BAD_REQUEST for an empty file, 503 for a full disk, and the limit's refusal
 */
export const receiveFile = async (place: FileInDirectory, body: Readable, limit: SizeLimit): Promise<ReceivedFile> => {
  const target = filePath(place)
  const partial = `${target}${PARTIAL}`
  const directory = path.dirname(target)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const received = await writeFile(partial, body, limit)
    await rename(partial, target)
    // Also the directories above: this file may be their first.
    for (const changed of [directory, path.dirname(directory), place.root]) await syncDirectory(changed)
    return received
  } catch (error) {
    // Discards the rest, so that the client reads the answer.
    body.resume()
    for (const file of [partial, target]) await rm(file, { force: true })
    throw storageFailure(error, body)
  }
}

/** Not `pipeline`: on a disk error it would also destroy the request, and the client would get no answer. */
const writeFile = async (
  file: string,
  body: Readable,
  { maxBytes, refusal, mayBeEmpty }: SizeLimit,
): Promise<ReceivedFile> => {
  const handle = await open(file, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let head: Buffer = Buffer.alloc(0)
    let size = 0
    let unsynced = 0
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw refusal()
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      hash.update(chunk)
      await handle.writeFile(chunk)
      unsynced += chunk.length
      if (unsynced < SYNC_EVERY_BYTES) continue
      await handle.datasync()
      unsynced = 0
    }
    if (size === 0 && !mayBeEmpty) throw badRequest('The body is empty: send the bytes of the file.')
    await handle.sync()
    return { size, sha256: hash.digest('hex'), head }
  } finally {
    await handle.close()
  }
}

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Errors of the request pass unchanged; errors of the disk must not look like database failures. */
const storageFailure = (error: unknown, body: Readable): unknown => {
  if (error instanceof ApiError || body.errored) return error
  const { code } = error as NodeJS.ErrnoException
  return NO_ROOM.has(code ?? '')
    ? unavailable('The disk for files is full. Nothing was stored; try again later.', error, 60)
    : internalError(error)
}

/** @returns undefined if there is no such file */
export const openFile = async (place: FileInDirectory): Promise<FileHandle | undefined> => {
  try {
    return await open(filePath(place))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw internalError(error)
  }
}

/**
 * Removes a file that this process has just received, and no row names; also the beginning of it that a killed process
 * left. Does nothing if there is no such file.
 */
export const discardFile = async (place: FileInDirectory): Promise<void> => {
  const file = filePath(place)
  for (const each of [file, `${file}${PARTIAL}`]) await rm(each, { force: true })
}
