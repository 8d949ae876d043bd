import { statfs } from 'node:fs/promises'

/** Space of a file system, in bytes. */
export interface DiskSpace {
  /** Available to this process. */
  free: number
  size: number
}

/** The space where a directory is; undefined if it does not exist, or its file system does not say. */
export const readDiskSpace = async (directory: string): Promise<DiskSpace | undefined> => {
  try {
    const { bsize, bavail, blocks } = await statfs(directory)
    return { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return undefined
  }
}
