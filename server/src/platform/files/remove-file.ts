import { rm } from 'node:fs/promises'
import type { Platform } from '../context.ts'
import { isOwnStorage } from './binding.ts'
import { type FilePlace, filePath } from './storage.ts'

/**
 * Removes a file whose row was deleted. In safe mode, or if the directory is not the database's, the file stays: the
 * original may be using it. The database remembers the deletion, so the hourly cleanup removes the file later.
 */
export const removeFile = async (
  platform: Pick<Platform, 'config' | 'db' | 'safeMode'>,
  place: FilePlace,
): Promise<void> => {
  if ((await platform.safeMode.isLive()) && (await isOwnStorage(platform))) await rm(filePath(place), { force: true })
}
