import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parseBucketUrl } from '../../config/storage-url.ts'
import { ConfigurationError, internalError } from '../../errors.ts'
import { createDirectoryStorage } from '../directory/directory-storage.ts'
import { probeDirectory } from '../directory/probe-directory.ts'
import { relativePath } from '../directory/receive.ts'
import type { StorageConfig } from '../open-storage.ts'
import type { FilePlace, Storage } from '../storage.ts'
import { watch } from '../trouble.ts'
import {
  type BucketFile,
  endUploads,
  filesBelow,
  keysBefore,
  listObjects,
  QUARANTINE,
  quarantinedBelow,
} from './listing.ts'
import { openObject, readFailure } from './read.ts'
import { createS3Client, HASTY, type Patience, type S3Client, S3Error, type S3Request } from './s3-client.ts'
import { createUpload, type Upload } from './upload.ts'

/** The largest object that S3 copies by itself. */
const MAX_COPY_BYTES = 5 * 1024 * 1024 * 1024
/** Below DATA_DIR: copies of files for code that needs a path. */
const SCRATCH = 'scratch'

/** Files in a bucket of S3, or of a storage that speaks its protocol. */
export const createBucketStorage = (url: string, config: StorageConfig): Storage => {
  const address = parseBucketUrl(url)
  const client = createS3Client(address, {
    accessKeyId: config.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: config.AWS_SESSION_TOKEN,
  })
  const encryption = encryptionOf(config)
  const upload = createUpload(client, encryption)
  const { prefix, bucket, endpoint } = address
  const local = createDirectoryStorage(path.join(config.DATA_DIR, SCRATCH), 'STORAGE_PATH')
  const keyOf = (place: FilePlace) => `${prefix}${relativePath(place)}`
  const finish = async (wanted: S3Request): Promise<number> => {
    const { status, body } = await readFailure(() => client.send(wanted))
    body.resume()
    return status
  }
  const remove = async (key: string): Promise<void> => void (await finish({ method: 'DELETE', key }))
  const move = (file: BucketFile, to: string) => moveObject({ client, upload, encryption }, file, to)
  const has = async (key: string): Promise<boolean> => (await finish({ method: 'HEAD', key })) === 200

  const storage: Storage = {
    setting: 'STORAGE_URL',
    name: `s3://${bucket}/${prefix}`,
    kind: 'bucket',
    receive: (place, body, limit) => upload(keyOf(place), body, limit),
    open: (place, sha256) => openObject(client, keyOf(place), sha256),
    has: (place) => has(keyOf(place)),
    borrow: async (place, sha256) => {
      const opened = await storage.open(place, sha256)
      if (!opened) return undefined
      const { path: copy, release } = await local.scratch(
        { ...place, fileId: `${place.fileId}-${randomBytes(8).toString('hex')}` },
        // `receive` fails with this error, also if it occurs before the first read.
        opened.createReadStream().on('error', () => undefined),
        { maxBytes: Number.POSITIVE_INFINITY, refusal: () => internalError(undefined), mayBeEmpty: true },
      )
      return { path: copy, release }
    },
    scratch: (place, body, limit) => local.scratch(place, body, limit),
    discard: (place) => remove(keyOf(place)),
    list: (atOnce) => filesBelow(client, prefix, atOnce),
    isOlder: async (file, beforeMs) => (file as BucketFile).modifiedMs < beforeMs,
    removeUnfinished: async (beforeMs) => {
      await endUploads(client, prefix, beforeMs)
      await removeOldCopies(local.name, beforeMs)
    },
    quarantine: (day, file) =>
      move(file as BucketFile, `${prefix}${QUARANTINE}${day}/${file.path.slice(prefix.length)}`),
    quarantined: (atOnce) => quarantinedBelow(client, prefix, atOnce),
    putBack: async (file) => {
      const target = keyOf(file)
      if (!(await has(target))) await move(file as BucketFile, target)
    },
    emptyQuarantine: async (before) => {
      for await (const keys of keysBefore(client, prefix, before)) for (const key of keys) await remove(key)
    },
    readNote: async (name) => {
      const { status, body } = await readFailure(() => client.send({ method: 'GET', key: `${prefix}${name}` }))
      const text = (await buffer(body)).toString('utf8')
      return status === 404 ? undefined : text
    },
    writeNote: async (name, text) => {
      const wanted = { key: `${prefix}${name}`, headers: encryption, body: Buffer.from(text) }
      if ((await finish({ method: 'PUT', ...wanted })) === 404)
        throw internalError(new S3Error(404, 'NoSuchBucket', 'the bucket is not there'))
    },
    removeNote: (name) => remove(`${prefix}${name}`),
    identify: async () => createHash('sha256').update(`${endpoint}/${bucket}/${prefix}`).digest('hex').slice(0, 16),
    probe: async (keep) => {
      probeDirectory('DATA_DIR', local.name, keep)
      return probeBucket(client, encryption)
    },
    trouble: watch(`STORAGE_URL: ${endpoint}`, () => probeBucket(client, encryption, HASTY)),
    findAnything: async (except) => {
      for await (const objects of listObjects(client, prefix)) {
        const found = objects.map(({ key }) => key.slice(prefix.length)).find((name) => !except.includes(name))
        if (found !== undefined) return found
      }
      return undefined
    },
  }
  return storage
}

const encryptionOf = ({
  STORAGE_ENCRYPTION: algorithm,
  STORAGE_KMS_KEY_ID: key,
}: Pick<StorageConfig, 'STORAGE_ENCRYPTION' | 'STORAGE_KMS_KEY_ID'>): Record<string, string> => ({
  ...(algorithm !== undefined && { 'x-amz-server-side-encryption': algorithm }),
  ...(key !== undefined && { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
})

interface Mover {
  client: S3Client
  upload: Upload
  encryption: Readonly<Record<string, string>>
}

/** After a crash between the copy and the removal, the next cleaning repeats both. */
const moveObject = async ({ client, upload, encryption }: Mover, file: BucketFile, to: string): Promise<void> => {
  if (file.size > MAX_COPY_BYTES) {
    const opened = await openObject(client, file.path, undefined)
    if (!opened) return
    const limit = { maxBytes: file.size, refusal: () => internalError(new Error(`${file.path} grew`)) }
    // `upload` fails with this error, also if it occurs before the first read.
    const bytes = opened.createReadStream().on('error', () => undefined)
    await upload(to, bytes, limit)
  } else {
    const source = `/${client.address.bucket}/${file.path}`
    try {
      await client.text({ method: 'PUT', key: to, headers: { ...encryption, 'x-amz-copy-source': source } })
    } catch (error) {
      if (error instanceof S3Error && error.code === 'NoSuchKey') return
      throw error
    }
  }
  const { body } = await client.send({ method: 'DELETE', key: file.path })
  body.resume()
}

/** Copies that a killed process left on this machine. */
const removeOldCopies = async (local: string, beforeMs: number): Promise<void> => {
  if (!existsSync(local)) return
  for (const name of await readdir(local, { recursive: true })) {
    const file = path.join(local, name)
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile() && found.mtimeMs < beforeMs) await rm(file, { force: true })
  }
}

const probeBucket = async (
  client: S3Client,
  encryption: Readonly<Record<string, string>>,
  patience?: Patience,
): Promise<string | undefined> => {
  const { bucket, prefix, endpoint } = client.address
  const content = randomBytes(16)
  const key = `${prefix}.sortie-probe-${content.toString('hex')}`
  let doing = 'be written to'
  try {
    const written = await client.send({ method: 'PUT', key, headers: encryption, body: content }, patience)
    written.body.resume()
    if (written.status === 404) throw new S3Error(404, 'NoSuchBucket', '')
    doing = 'be read from'
    const { body } = await client.send({ method: 'GET', key }, patience)
    if (!content.equals(await buffer(body)))
      throw new S3Error(500, 'an object does not hold what was written to it', '')
    doing = 'be listed'
    await listObjects(client, key, 1, patience).next()
    doing = 'be cleaned up'
    const removed = await client.send({ method: 'DELETE', key }, patience)
    removed.body.resume()
    return undefined
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    if (error.code === 'NoSuchBucket')
      throw new ConfigurationError([
        `STORAGE_URL: there is no bucket ${bucket} at ${endpoint}: make it, or correct its name`,
      ])
    if (error.isFull)
      return `STORAGE_URL: the bucket ${bucket} at ${endpoint} is full (${error.code || error.status}): uploads are refused until there is space`
    if (error.isTemporary)
      return `STORAGE_URL: ${endpoint} does not answer (${error.code || error.status}): files are refused until it does`
    if (error.status === 0) throw new ConfigurationError([`STORAGE_URL: ${endpoint} cannot be reached (${error.code})`])
    throw new ConfigurationError([
      `STORAGE_URL: the bucket ${bucket} at ${endpoint} cannot ${doing}: ${CAUSES[error.code] ?? 'it refuses'} (${error.code || error.status})`,
    ])
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  AccessDenied: 'this access key may not do that',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is unknown there',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not that of the access key',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  InvalidToken: 'AWS_SESSION_TOKEN is not valid',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
}
