import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Environment } from '../program/environment.ts'
import { isMissing, makePrivateDirectory, PRIVATE_FILE, syncDirectory } from '../program/private-files.ts'
import type { Reached } from '../run/reached.ts'
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts'

/** What is known before a command starts. */
export interface RunRecord {
  version: 1
  /** Names its entries of the operation log, so that each is added once. */
  id: string
  instance: string
  engagementId: string
  /** With secrets masked. */
  command: string
  targets: Reached[]
  startedAt: string
  sourceAddress?: string
  overrideReason?: string
  note?: string
  /**
   * The file that is imported, in the directory of the entry, and its name there. One that the command names itself is
   * copied when it ends: later the same file may be of another command, of another client.
   */
  output?: { file: string; name: string; baseUrl?: string; copyOf?: string }
  /** The `sortie run` that waits for the command. */
  owner: ProcessIdentity
}

/** How a command ended. */
export interface RunEnd {
  endedAt: string
  exitCode: number
  /** It still ran when the testing hours ended. */
  outlastedHours?: true
}

/** A directory of the outbox. */
export interface Entry {
  directory: string
  record: RunRecord
}

/**
 * Bytes of the files that are written when the disk may be full: they exist in this size from the beginning, and are
 * overwritten in place.
 */
const RESERVED_BYTES = 256
const RECORD = 'run.json'
const CHILD = 'child'
const END = 'end'
const LOCK = 'lock'
/** A directory that is not complete: its command never started. */
const UNFINISHED = 'new-'

const outboxOf = ({ stateDirectory }: Environment): string => path.join(stateDirectory, 'outbox')

/**
 * Writes a command to the disk, before it starts.
 *
 * @param describe is given the directory of its files
 * @throws the system's error, such as that of a full disk: the command must not start then
 */
export const addEntry = (
  environment: Environment,
  describe: (id: string, directory: string) => Omit<RunRecord, 'version' | 'id' | 'owner'>,
): Entry => {
  const outbox = outboxOf(environment)
  makePrivateDirectory(outbox)
  const id = randomUUID()
  const directory = path.join(outbox, id)
  const unfinished = path.join(outbox, `${UNFINISHED}${process.pid}-${id}`)
  const record: RunRecord = { version: 1, id, ...describe(id, directory), owner: identityOf(process.pid) }
  try {
    makePrivateDirectory(unfinished)
    writeSynced(path.join(unfinished, RECORD), JSON.stringify(record))
    for (const name of [CHILD, END]) writeSynced(path.join(unfinished, name), ' '.repeat(RESERVED_BYTES))
    syncDirectory(unfinished)
    renameSync(unfinished, directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  syncDirectory(outbox)
  return { directory, record }
}

const writeSynced = (file: string, text: string): void => {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE)
  try {
    // A full disk may take a part.
    for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const noteChild = (entry: Entry, pid: number): void => overwrite(entry, CHILD, identityOf(pid))

/** Takes no further space on the disk. */
export const noteEnd = (entry: Entry, end: RunEnd): void => overwrite(entry, END, end)

const overwrite = ({ directory }: Entry, name: string, value: object): void => {
  const descriptor = openSync(path.join(directory, name), 'r+')
  try {
    writeSync(descriptor, JSON.stringify(value).padEnd(RESERVED_BYTES), 0)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A file that is older than its command by more than this is of an earlier one. */
const FILE_TIME_TOLERANCE_MS = 2_000

/**
 * Copies the output that the command wrote to a file of its own.
 *
 * @throws the system's error, such as that of a full disk
 */
export const keepOutput = ({ record: { output, startedAt } }: Entry): void => {
  if (output?.copyOf === undefined || !existsSync(output.copyOf)) return
  if (statSync(output.copyOf).mtimeMs < Date.parse(startedAt) - FILE_TIME_TOLERANCE_MS) return
  copyFileSync(output.copyOf, output.file, constants.COPYFILE_FICLONE)
}

/** Files of an entry that have their place on the disk before the command starts. */
interface Reserved {
  [END]: RunEnd
  [CHILD]: ProcessIdentity
}

/** @returns undefined if it was not written, or not as a whole */
const readReserved = <N extends keyof Reserved>({ directory }: Entry, name: N): Reserved[N] | undefined => {
  try {
    const text = readFileSync(path.join(directory, name), 'utf8').trim()
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export const readEnd = (entry: Entry): RunEnd | undefined => readReserved(entry, END)

/** Whether the command, or the `sortie run` that waits for it, still runs. */
export const isUnderWay = (entry: Entry): boolean => {
  if (isRunning(entry.record.owner)) return true
  const child = readReserved(entry, CHILD)
  return readEnd(entry) === undefined && child !== undefined && isRunning(child)
}

/** Every command that is still to be sent, oldest first, and the directories that cannot be read. */
export const listEntries = (environment: Environment): { entries: Entry[]; damaged: string[] } => {
  const outbox = outboxOf(environment)
  const entries: Entry[] = []
  const damaged: string[] = []
  for (const name of existsSync(outbox) ? readdirSync(outbox) : []) {
    const directory = path.join(outbox, name)
    if (name.startsWith(UNFINISHED)) {
      const pid = Number(name.split('-')[1])
      if (!isRunning({ pid, startedAt: null })) rmSync(directory, { recursive: true, force: true })
      continue
    }
    try {
      entries.push({ directory, record: JSON.parse(readFileSync(path.join(directory, RECORD), 'utf8')) })
    } catch (error) {
      // Without its record it is left of an entry that was sent.
      if (isMissing(error)) rmSync(directory, { recursive: true, force: true })
      else damaged.push(directory)
    }
  }
  return { entries: entries.toSorted((a, b) => (a.record.startedAt < b.record.startedAt ? -1 : 1)), damaged }
}

export const removeEntry = ({ directory }: Entry): void => {
  // The record goes first: a directory without one is removed by the next command that looks.
  rmSync(path.join(directory, RECORD), { force: true })
  rmSync(directory, { recursive: true, force: true })
}

/** @returns false if another process sends this entry */
export const lockEntry = ({ directory }: Entry): boolean => {
  const file = path.join(directory, LOCK)
  const holder = readHolder(file)
  if (holder !== undefined && isRunning(holder)) return false
  rmSync(file, { force: true })
  try {
    writeFileSync(file, JSON.stringify(identityOf(process.pid)), { flag: 'wx', mode: PRIVATE_FILE })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    // Without space for a lock it is sent all the same: the server adds each entry once.
    return true
  }
}

const readHolder = (file: string): ProcessIdentity | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

export const unlockEntry = ({ directory }: Entry): void => rmSync(path.join(directory, LOCK), { force: true })
