import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { CliError, EXIT } from './exit.ts'

/** For its owner only. */
export const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700
const OTHERS = 0o077

export const makePrivateDirectory = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY })
}

/** The file has its old content or the new one, whenever the process or the machine ends. */
export const writePrivateFile = (file: string, text: string): void => {
  makePrivateDirectory(path.dirname(file))
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const descriptor = openSync(unfinished, 'wx', PRIVATE_FILE)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
  syncDirectory(path.dirname(file))
}

/** Makes names of files in a directory survive a crash of the machine. Windows opens no directories, and needs none. */
export const syncDirectory = (directory: string): void => {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** @returns undefined if the file does not exist. @throws CliError for a file that others may read */
export const readPrivateFile = (file: string): string | undefined => {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
      throw new CliError(EXIT.failure, `Others may read ${file}: run \`chmod 600 ${file}\`, and consider a new key.`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
