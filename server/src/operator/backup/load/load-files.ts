import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { copyFile, hashFile, syncAll } from '@sortie/embedded-postgres/files.ts'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import { internalError } from '../../../platform/errors.ts'
import { hashStored } from '../../../platform/files/hash-stored.ts'
import { type FilePlace, PARTIAL, type Storage } from '../../../platform/files/storage.ts'
import { isId } from '../../../platform/ids.ts'
import { damaged } from '../dump/content.ts'
import { readFileList } from '../dump/file-list.ts'
import { FILES, type ListedFile, type PortableManifest } from '../manifest.ts'
import { STORAGE_MARK } from '../storage-mark.ts'

const SYNCED_AT_ONCE = 200

/**
 * Copies the files of a backup into the storage. A file that is there already, from a restore that was interrupted, is
 * compared instead.
 *
 * @throws EmbeddedPostgresError when the backup is damaged
 */
export const loadFiles = async (
  backup: string,
  manifest: PortableManifest,
  storage: Storage,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  if (storage.kind === 'bucket') return loadIntoBucket(backup, manifest, storage, report, signal)
  return loadIntoDirectory(backup, manifest, storage.name, report, signal)
}

const loadIntoDirectory = async (
  backup: string,
  manifest: PortableManifest,
  storage: string,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  mkdirSync(storage, { recursive: true, mode: 0o700 })
  const directories = new Set([storage])
  let written: string[] = []
  let bytes = 0
  let files = 0
  const sync = async () => {
    await syncAll(written, [])
    for (const file of written) renameSync(file, file.slice(0, -PARTIAL.length))
    written = []
  }
  for await (const file of readFileList(backup, manifest, signal)) {
    if (file.problem === 'missing' || file.path === STORAGE_MARK) continue
    const target = path.join(storage, file.path)
    for (const directory of [path.dirname(path.dirname(target)), path.dirname(target)]) {
      if (directories.has(directory) || directory.length < storage.length) continue
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      directories.add(directory)
    }
    if (!isThere(target, file)) {
      rmSync(`${target}${PARTIAL}`, { force: true })
      copyChecked(backup, file, `${target}${PARTIAL}`)
      written.push(`${target}${PARTIAL}`)
    }
    if (written.length >= SYNCED_AT_ONCE) await sync()
    report({ bytes: (bytes += file.bytes), files: ++files })
    await nextTurn()
    signal.throwIfAborted()
  }
  await sync()
  await syncAll([], [...directories].toReversed())
}

const loadIntoBucket = async (
  backup: string,
  manifest: PortableManifest,
  storage: Storage,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  let bytes = 0
  let files = 0
  for await (const file of readFileList(backup, manifest, signal)) {
    const [organizationId = '', , fileId = ''] = file.path.split('/')
    // What is next to the uploads belongs to the directory that was backed up.
    if (file.problem === 'missing' || !isId('org', organizationId) || !isId('fil', fileId)) continue
    const place = { organizationId, fileId }
    if (!(await isInBucket(storage, place, file))) {
      const from = path.join(FILES, file.path)
      if (!existsSync(path.join(backup, from))) throw damaged(backup, from, 'is missing')
      const limit = {
        maxBytes: file.bytes,
        refusal: () => internalError(damaged(backup, from)),
        mayBeEmpty: true,
      } as const
      const source = createReadStream(path.join(backup, from)).on('error', () => undefined)
      const received = await storage.receive(place, source, limit)
      if (received.size !== file.bytes || received.sha256 !== file.sha256) throw damaged(backup, from)
    }
    report({ bytes: (bytes += file.bytes), files: ++files })
    signal.throwIfAborted()
  }
}

const isInBucket = async (storage: Storage, place: FilePlace, { bytes, sha256 }: ListedFile): Promise<boolean> => {
  const found = await hashStored(storage, place)
  return found?.bytes === bytes && found.sha256 === sha256
}

const isThere = (target: string, { bytes, sha256 }: ListedFile): boolean => {
  if (!existsSync(target)) return false
  const found = hashFile(target)
  return found.bytes === bytes && found.sha256 === sha256
}

const copyChecked = (backup: string, { path: name, bytes, sha256 }: ListedFile, to: string): void => {
  const from = path.join(FILES, name)
  try {
    const read = copyFile(path.join(backup, from), to)
    if (read.bytes !== bytes || read.sha256 !== sha256) throw damaged(backup, from)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? damaged(backup, from, 'is missing') : error
  }
}
