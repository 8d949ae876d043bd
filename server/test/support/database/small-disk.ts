import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from '../app/server-process.ts'

/** A file system of a few megabytes, in memory, that can be filled to its last byte. */
export interface SmallDisk {
  directory: string
  fill(): void
  empty(): void
}

const CHUNK = Buffer.alloc(64 * 1024, 1)

/** Mounting needs root. @throws when it fails */
export const mountSmallDisk = (stage: Stage, megabytes: number): SmallDisk => {
  const directory = stage.directory()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'sortie-test', directory], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) throw new Error(`a small file system cannot be mounted: ${mounted.stderr}`)
  stage.add(() => spawnSync('umount', ['--lazy', directory]))
  const filler = path.join(directory, 'filler')
  return {
    directory,
    fill: () => {
      const file = openSync(filler, 'a')
      try {
        for (const bytes of [CHUNK, CHUNK.subarray(0, 4096)])
          while (statfsSync(directory).bavail > 0) writeSync(file, bytes)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
  }
}
