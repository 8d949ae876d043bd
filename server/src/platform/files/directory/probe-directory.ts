import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ConfigurationError } from '../../errors.ts'

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not do that',
  EPERM: 'this user may not do that',
  EROFS: 'this file system is mounted read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
}
const FULL = new Set(['ENOSPC', 'EDQUOT'])

/**
 * Writes, renames, reads and removes a file in a directory, as uploads do (O9).
 *
 * @param setting names the directory in the error
 * @param keep keeps the directory and its parents if the probe created them
 * @returns false if the disk is full, which is not an error of the settings and may change
 * @throws ConfigurationError for a directory that this process cannot use, with the cause
 */
export const probeDirectory = (setting: string, directory: string, keep: boolean): boolean => {
  let doing = 'made'
  let made: string | undefined
  try {
    made = mkdirSync(directory, { recursive: true, mode: 0o700 })
    doing = 'written to'
    writeAndRead(directory, (next) => {
      doing = next
    })
    return true
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (FULL.has(code)) return false
    throw new ConfigurationError([
      `${setting}: the directory ${directory} cannot be ${doing}: ${CAUSES[code] ?? message} (${code})`,
    ])
  } finally {
    if (made !== undefined && !keep) removeEmpty(directory, made)
  }
}

const writeAndRead = (directory: string, begin: (doing: string) => void): void => {
  const content = randomBytes(16).toString('hex')
  const name = path.join(directory, `.sortie-probe-${process.pid}-${content}`)
  const renamed = `${name}.renamed`
  try {
    const descriptor = openSync(name, 'wx', 0o600)
    try {
      writeFileSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(name, renamed)
    begin('read from')
    const read = readFileSync(renamed, 'utf8')
    if (read !== content) throw Object.assign(new Error('a file does not hold what was written to it'), { code: 'EIO' })
    begin('cleaned up')
    rmSync(renamed)
  } catch (error) {
    for (const left of [name, renamed]) rmSync(left, { force: true })
    throw error
  }
}

/** Removes the directories from this one up to the first that was created, as far as they are empty. */
const removeEmpty = (directory: string, first: string): void => {
  for (let each = directory; each.length >= first.length; each = path.dirname(each)) {
    try {
      rmdirSync(each)
    } catch {
      return
    }
  }
}
