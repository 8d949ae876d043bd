import type { Platform } from '../context.ts'
import { isOwnStorage } from './binding.ts'
import type { FilePlace } from './storage.ts'

/**
 * Removes a file whose row was deleted. In safe mode, or if the storage is not the database's, the file stays: the
 * original may be using it. The database remembers the deletion, so the hourly cleanup removes the file later.
 */
export const removeFile = async (
  platform: Pick<Platform, 'storage' | 'db' | 'safeMode'>,
  place: FilePlace,
): Promise<void> => {
  if ((await platform.safeMode.isLive()) && (await isOwnStorage(platform))) await platform.storage.discard(place)
}
