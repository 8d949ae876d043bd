import { rm } from 'node:fs/promises'
import type { Platform } from '../http/context.ts'
import { isOwnStorage } from './binding.ts'
import { type FilePlace, filePath } from './storage.ts'

/**
 * Removes a file whose row was deleted. In safe mode, and from a directory that is not the database's, it stays: the original
 * may be using it. The hourly cleaning takes it once that is over, since the database remembers the deletion.
 */
export const removeFile = async (platform: Pick<Platform, 'config' | 'db' | 'safeMode'>, place: FilePlace): Promise<void> => {
  if ((await platform.safeMode.isLive()) && (await isOwnStorage(platform))) await rm(filePath(place), { force: true })
}
