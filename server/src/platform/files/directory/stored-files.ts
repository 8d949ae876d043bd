import { existsSync } from 'node:fs'
import { mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isId } from '../../ids.ts'
import { PARTIAL, type StoredFile } from '../storage.ts'

/** Removed files stay here for a while, in a directory per day of removal. */
const QUARANTINE = '.quarantine'

/**
 * Yields every file of the server, a few at a time. Omits other files: an operator may keep them below STORAGE_PATH.
 */
export const storedFiles = (root: string, atOnce: number): AsyncGenerator<StoredFile[]> =>
  inGroups(filesBelow(root), atOnce)

/** Yields files that were quarantined before this day (`YYYY-MM-DD`), or at any time. */
export async function* quarantinedFiles(root: string, atOnce: number, before?: string): AsyncGenerator<StoredFile[]> {
  for (const day of await quarantineDays(root)) {
    if (before === undefined || day < before) yield* inGroups(filesBelow(path.join(root, QUARANTINE, day)), atOnce)
  }
}

async function* inGroups(files: AsyncGenerator<StoredFile>, atOnce: number): AsyncGenerator<StoredFile[]> {
  let group: StoredFile[] = []
  for await (const file of files) {
    group.push(file)
    if (group.length < atOnce) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function* filesBelow(root: string): AsyncGenerator<StoredFile> {
  if (!existsSync(root)) return
  for await (const organization of await opendir(root)) {
    if (!organization.isDirectory() || !isId('org', organization.name)) continue
    for await (const part of await opendir(path.join(root, organization.name))) {
      if (!part.isDirectory() || !/^[0-9a-f]{2}$/.test(part.name)) continue
      const directory = path.join(root, organization.name, part.name)
      for await (const file of await opendir(directory)) {
        const isPartial = file.name.endsWith(PARTIAL)
        const fileId = isPartial ? file.name.slice(0, -PARTIAL.length) : file.name
        if (file.isFile() && isId('fil', fileId))
          yield { path: path.join(directory, file.name), organizationId: organization.name, fileId, isPartial }
      }
    }
  }
}

/** @param beforeMs milliseconds since the epoch. @returns false for a file that no longer exists */
export const isOlder = async ({ path: file }: StoredFile, beforeMs: number): Promise<boolean> => {
  try {
    return (await stat(file)).mtimeMs < beforeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Moves a file to where `putBack` finds it. Ignores one that no longer exists. */
export const quarantine = (root: string, day: string, file: StoredFile): Promise<void> =>
  move(file.path, path.join(root, QUARANTINE, day, path.relative(root, file.path)))

/** If a file of this id exists again, that one stays. */
export const putBack = async (root: string, file: StoredFile): Promise<void> => {
  const [, , ...rest] = path.relative(root, file.path).split(path.sep)
  const target = path.join(root, ...rest)
  if (!existsSync(target)) await move(file.path, target)
}

const move = async (from: string, to: string): Promise<void> => {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Permanently deletes files that were quarantined before this day (`YYYY-MM-DD`). */
export const emptyQuarantine = async (root: string, before: string): Promise<void> => {
  for (const day of await quarantineDays(root))
    if (day < before) await rm(path.join(root, QUARANTINE, day), { recursive: true, force: true })
}

const quarantineDays = async (root: string): Promise<string[]> => {
  try {
    return (await readdir(path.join(root, QUARANTINE))).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
