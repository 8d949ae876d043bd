import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { cleanFiles } from '../../../src/features/files/files.jobs.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { parseConfig } from '../../../src/platform/config.ts'
import { type ConnectionSettings, openDatabase } from '../../../src/platform/database/connection/open.ts'
import { createStorage } from '../../../src/platform/files/open-storage.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { SESSION_SECRET, type Stage } from '../app/server-process.ts'
import { mountSmallDisk } from '../database/small-disk.ts'
import { filesBelow, sha256 } from '../document/files.ts'
import { type S3Fault, type S3Server, startS3Server } from './s3-server.ts'

/** Where a server keeps its files; the parameter of fault tests: `describe.each(STORAGES)`. */
export const STORAGES = ['a directory', 'a bucket'] as const
export type StorageName = (typeof STORAGES)[number]

/** A storage of a server under test, and what a test asks and does behind the server's back. */
export interface TestStorage {
  /** Settings of the server. */
  env: Record<string, string>
  /** SHA-256 of the whole files, by id. */
  hashes(): Map<string, string>
  /** Ids of files of which bytes are stored, and that are not whole. */
  begun(): string[]
  /** An upload of this size is stored in several steps, the first of them after `stepBytes`. */
  stepBytes: number
  /** Lets two days pass, and cleans. */
  cleanLater(settings: ConnectionSettings): Promise<void>
  /** As `move-storage --to` has it. */
  url: string
  /** Path of the bytes of a file. */
  pathOf(id: string): string
  /** As if no server had used it for minutes. */
  silence(): void
  /** The server of the bucket. */
  s3: S3Server | undefined
}

const TWO_DAYS_SECONDS = 2 * 24 * 60 * 60
const BEAT = '.sortie-storage-beat.json'
const OBJECT = '._S3rver_object'
let prefixes = 0

/** Opens storages for the tests of a file; at most one server of S3 is started, and is closed with the stage. */
export const createStorages = (stage: Stage) => {
  let started: Promise<S3Server> | undefined
  const startOnce = () => {
    started ??= startS3Server().then((s3) => {
      stage.add(() => s3.close())
      return s3
    })
    return started
  }
  return async (name: StorageName): Promise<TestStorage> =>
    name === 'a directory'
      ? directoryStorage(stage, path.join(stage.directory(), 'uploads'))
      : bucketStorage(stage, await startOnce())
}

const directoryStorage = (stage: Stage, directory: string): TestStorage => {
  const all = () => filesBelow(directory)
  const env = { STORAGE_PATH: directory }
  return {
    env,
    hashes: () =>
      new Map(
        all()
          .filter((file) => !file.endsWith('.partial'))
          .map((file) => [path.basename(file), sha256(readFileSync(path.join(directory, file)))]),
      ),
    url: pathToFileURL(directory).href,
    pathOf: (id) => path.join(directory, all().find((file) => file.endsWith(id)) as string),
    silence: () => rmSync(path.join(directory, BEAT), { force: true }),
    begun: () =>
      all()
        .filter((file) => file.endsWith('.partial') && statSync(path.join(directory, file)).size > 0)
        .map((file) => path.basename(file, '.partial')),
    stepBytes: 256 * 1024,
    cleanLater: async (settings) => {
      for (const file of all()) makeOld(path.join(directory, file))
      await clean(stage, env, settings)
    },
    s3: undefined,
  }
}

const bucketStorage = (stage: Stage, s3: S3Server): TestStorage => {
  const prefix = `storage-${++prefixes}`
  const root = path.join(s3.directory, prefix)
  const objects = () => filesBelow(root).filter((file) => /\/fil_[^/]+$/.test(file) && file.endsWith(OBJECT))
  const uploads = () => s3.uploads().filter(({ key }) => key.startsWith(`${prefix}/`))
  const env = s3.env(prefix)
  return {
    env,
    hashes: () =>
      new Map(objects().map((file) => [path.basename(file, OBJECT), sha256(readFileSync(path.join(root, file)))])),
    url: env['STORAGE_URL'] as string,
    pathOf: (id) => path.join(root, objects().find((file) => file.endsWith(id + OBJECT)) as string),
    silence: () => rmSync(path.join(root, BEAT + OBJECT), { force: true }),
    begun: () =>
      uploads()
        // s3rver writes this file once it has the whole part.
        .filter(({ directory }) => existsSync(path.join(directory, '1.md5')))
        .map(({ key }) => path.basename(key)),
    stepBytes: 6 * 1024 * 1024,
    cleanLater: async (settings) => {
      for (const file of objects()) makeOld(path.join(root, file))
      for (const { directory } of uploads()) makeOld(directory)
      await clean(stage, env, settings)
    },
    s3,
  }
}

const makeOld = (file: string) => {
  const longAgo = Date.now() / 1000 - TWO_DAYS_SECONDS
  utimesSync(file, longAgo, longAgo)
}

/** The hourly job. */
const clean = async (stage: Stage, env: Record<string, string>, settings: ConnectionSettings): Promise<void> => {
  const database = openDatabase(settings, () => undefined)
  const storage = await createStorage(parseConfig({ SESSION_SECRET, DATA_DIR: stage.directory(), ...env }))
  await cleanFiles({ storage, db: database.db, clock: systemClock, log: createLogger('silent') })
  await database.close()
}

/** A storage that can be filled. */
export interface SmallStorage extends TestStorage {
  /** From now on nothing fits, or only the beginning of an upload of `largeBytes`. */
  fill(when: 'at once' | 'midway', round: number): void
  empty(): void
  largeBytes: number
  /** What uploads are answered while it is full. */
  message(round: number): string
}

const MEGABYTE = 1024 * 1024
const SMALL_MEGABYTES = 4

/** How servers of S3 say that they are full or overloaded: MinIO, Ceph, S3. */
const FULL_ANSWERS: readonly (S3Fault & { isFull: boolean })[] = [
  { status: 507, code: 'XMinioStorageFull', isFull: true },
  { status: 503, code: 'SlowDown', isFull: false },
  { status: 403, code: 'QuotaExceeded', isFull: true },
  { status: 500, code: 'InternalError', isFull: false },
]

/** Mounting a small disk needs root. */
export const openSmallStorage = async (stage: Stage, name: StorageName): Promise<SmallStorage> => {
  if (name === 'a directory') {
    const disk = mountSmallDisk(stage, SMALL_MEGABYTES)
    return {
      ...directoryStorage(stage, path.join(disk.directory, 'uploads')),
      fill: (when) => when === 'at once' && disk.fill(),
      empty: () => disk.empty(),
      largeBytes: SMALL_MEGABYTES * MEGABYTE,
      message: () => 'The disk for files is full. Nothing was stored; try again later.',
    }
  }
  const s3 = await startS3Server()
  stage.add(() => s3.close())
  const answerOf = (round: number) => FULL_ANSWERS[round % FULL_ANSWERS.length] as (typeof FULL_ANSWERS)[number]
  return {
    ...bucketStorage(stage, s3),
    fill: (when, round) => {
      let stored = 0
      s3.fault = (operation, key) => {
        if (!/fil_|sortie-probe/.test(key) || !['put', 'begin', 'part'].includes(operation)) return undefined
        return when === 'midway' && (operation === 'begin' || (operation === 'part' && stored++ === 0))
          ? undefined
          : answerOf(round)
      }
    },
    empty: () => {
      s3.fault = () => undefined
    },
    largeBytes: 12 * MEGABYTE,
    message: (round) =>
      answerOf(round).isFull
        ? 'The storage of files is full. Nothing was stored; try again later.'
        : 'The storage of files does not answer. Nothing was stored; try again later.',
  }
}
