import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { createDirectoryStorage } from './directory/directory-storage.ts'
import type { Storage } from './storage.ts'

export type StorageConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'STORAGE_PATH'
  | 'STORAGE_URL'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_SESSION_TOKEN'
  | 'STORAGE_ENCRYPTION'
  | 'STORAGE_KMS_KEY_ID'
>

/** Opens the storage of the settings. Connects to nothing. The code for buckets is loaded only for a bucket. */
export const createStorage = (config: StorageConfig): Promise<Storage> =>
  storageAt(config.STORAGE_URL ?? config.STORAGE_PATH, config)

/** Opens the storage at a path, or at a URL that `parseStorageUrl` accepts. */
export const storageAt = async (place: string, config: StorageConfig): Promise<Storage> => {
  if (place.startsWith('file:')) return createDirectoryStorage(fileURLToPath(place), 'STORAGE_URL')
  if (!place.startsWith('s3:')) return createDirectoryStorage(place, 'STORAGE_PATH')
  const { createBucketStorage } = await import('./s3/bucket-storage.ts')
  return createBucketStorage(place, config)
}
