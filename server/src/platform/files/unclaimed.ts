import { opendir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isId } from '../ids.ts'
import { PARTIAL } from './storage.ts'

/** A file that may have lost its row, or never got one. */
export interface OldFile {
  path: string
  fileId: string
  /** Was never received whole: no row names it, whatever the id. */
  isPartial: boolean
}

/**
 * Files that were last written before a time, a few at a time. What the server did not make is left out: an operator may
 * keep other things below STORAGE_PATH.
 *
 * @param beforeMs milliseconds since the epoch
 */
export async function* oldFiles(root: string, beforeMs: number, atOnce: number): AsyncGenerator<OldFile[]> {
  let found: OldFile[] = []
  for await (const file of storedFiles(root)) {
    if (!(await isOlder(file.path, beforeMs))) continue
    found.push(file)
    if (found.length < atOnce) continue
    yield found
    found = []
  }
  if (found.length > 0) yield found
}

async function* storedFiles(root: string): AsyncGenerator<OldFile> {
  for await (const organization of await opendir(root)) {
    if (!organization.isDirectory() || !isId('org', organization.name)) continue
    for await (const part of await opendir(path.join(root, organization.name))) {
      if (!part.isDirectory() || !/^[0-9a-f]{2}$/.test(part.name)) continue
      const directory = path.join(root, organization.name, part.name)
      for await (const file of await opendir(directory)) {
        const isPartial = file.name.endsWith(PARTIAL)
        const fileId = isPartial ? file.name.slice(0, -PARTIAL.length) : file.name
        if (file.isFile() && isId('fil', fileId)) yield { path: path.join(directory, file.name), fileId, isPartial }
      }
    }
  }
}

/** One that has gone meanwhile is not. */
const isOlder = async (file: string, beforeMs: number): Promise<boolean> => {
  try {
    return (await stat(file)).mtimeMs < beforeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

export const removeAll = async (files: readonly OldFile[]): Promise<void> => {
  for (const file of files) await rm(file.path, { force: true })
}
