import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { ConfigurationError } from '../../errors.ts'
import { readDiskSpace } from '../disk-space.ts'
import type { Storage } from '../storage.ts'
import { watch } from '../trouble.ts'
import { writeDurably } from './notes.ts'
import { probeDirectory } from './probe-directory.ts'
import { discardFile, filePath, openFile, receiveFile } from './receive.ts'
import { emptyQuarantine, isOlder, putBack, quarantine, quarantinedFiles, storedFiles } from './stored-files.ts'

/**
 * File systems with inode numbers that are stable across mounts (statfs(2)): ext, XFS, Btrfs, ZFS, NFS, tmpfs, overlay.
 */
const STABLE_INODES = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x6969, 0x01021994, 0x794c7630])

/** Files below a directory of this machine. */
export const createDirectoryStorage = (root: string, setting: Storage['setting']): Storage => ({
  setting,
  name: root,
  kind: 'directory',
  receive: (place, body, limit) => receiveFile({ root, ...place }, body, limit),
  open: (place) => openFile({ root, ...place }),
  has: async (place) => existsSync(filePath({ root, ...place })),
  borrow: async (place) => {
    const file = filePath({ root, ...place })
    return existsSync(file) ? { path: file, release: async () => undefined } : undefined
  },
  scratch: async (place, body, limit) => {
    const received = await receiveFile({ root, ...place }, body, limit)
    return {
      ...received,
      path: filePath({ root, ...place }),
      release: () => discardFile({ root, ...place }),
    }
  },
  discard: (place) => discardFile({ root, ...place }),
  list: (atOnce) => storedFiles(root, atOnce),
  isOlder,
  removeUnfinished: async () => undefined,
  quarantine: (day, file) => quarantine(root, day, file),
  quarantined: (atOnce) => quarantinedFiles(root, atOnce),
  putBack: (file) => putBack(root, file),
  emptyQuarantine: (before) => emptyQuarantine(root, before),
  readNote: async (name) => readNote(setting, path.join(root, name)),
  writeNote: async (name, text) => {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    writeDurably(path.join(root, name), text)
  },
  removeNote: async (name) => rmSync(path.join(root, name), { force: true }),
  identify: async (note) => inodeOf(path.join(root, note)),
  probe: async (keep) =>
    probeDirectory(setting, root, keep)
      ? undefined
      : `the disk of ${setting} is full: uploads are refused until there is space`,
  trouble: watch(`the disk of ${setting}`, () => findTrouble(setting, root)),
  findAnything: async (except) =>
    existsSync(root)
      ? readdirSync(root).find((name) => !except.some((each) => name === each || name.startsWith(`${each}.`)))
      : undefined,
})

/** A file of the largest usual size does not fit any more. */
const FULL_BYTES = 1024 * 1024

/** Writes nothing: the disk may be slow. Uploads create a directory that is not there. */
const findTrouble = async (setting: string, root: string): Promise<string | undefined> => {
  try {
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? undefined : `${setting}: ${root} cannot be used (${code})`
  }
  const space = await readDiskSpace(root)
  return space && space.free < FULL_BYTES ? `The disk of ${setting} is full` : undefined
}

/** The number of the inode; empty where the file system does not keep it. */
export const inodeOf = (file: string): string =>
  existsSync(file) && STABLE_INODES.has(statfsSync(file).type) ? String(statSync(file).ino) : ''

const readNote = (setting: string, file: string): string | undefined => {
  if (!existsSync(file)) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ConfigurationError([
      `${setting}: ${file} cannot be read (${code}): it says which database the files belong to; let the user that starts the server read it`,
    ])
  }
}
