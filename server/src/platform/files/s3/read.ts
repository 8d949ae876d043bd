import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type ApiError, internalError, unavailable } from '../../errors.ts'
import type { OpenedFile } from '../storage.ts'
import { errorIn } from './s3-answers.ts'
import { asS3Error, type S3Answer, type S3Client, S3Error } from './s3-client.ts'

/** How often a reader goes on where a connection broke. */
const RESUMES = 4

/**
 * Opens an object.
 *
 * @param sha256 the reader fails before the last bytes if they have another one
 * @returns undefined if there is none
 * @throws ApiError 503 for a storage that is away, 500 for one that refuses
 */
export const openObject = async (
  client: S3Client,
  key: string,
  sha256: string | undefined,
): Promise<OpenedFile | undefined> => {
  const first = await readFailure(() => client.send({ method: 'GET', key }))
  if (first.status === 404) {
    const { code } = errorIn((await buffer(first.body)).toString('utf8'))
    if (code === 'NoSuchBucket') throw internalError(new S3Error(404, code, 'the bucket is not there'))
    return undefined
  }
  const reading: Reading = { answer: first, isOver: false }
  const read = () => bytesOf(client, key, reading, sha256)
  const close = () => {
    reading.isOver = true
    reading.answer.body.destroy()
  }
  return {
    // The end of the stream does not end a generator that waits for bytes, or was never asked for any.
    createReadStream: () => Readable.from(read(), { objectMode: false }).once('close', close),
    readFile: () => buffer(read()),
    close: async () => close(),
  }
}

interface Reading {
  /** The one whose bytes arrive. */
  answer: S3Answer
  /** True once no one reads any more. */
  isOver: boolean
}

async function* bytesOf(
  client: S3Client,
  key: string,
  reading: Reading,
  sha256: string | undefined,
): AsyncGenerator<Buffer> {
  const first = reading.answer
  const size = Number(first.header('content-length'))
  const etag = first.header('etag')
  const hash = createHash('sha256')
  let offset = 0
  let held: Buffer | undefined
  try {
    for (let resumes = 0; offset < size; resumes++) {
      // This tries several times by itself.
      if (resumes > 0) reading.answer = await readFailure(() => resume(client, key, offset, etag))
      try {
        for await (const chunk of reading.answer.body as AsyncIterable<Buffer>) {
          offset += chunk.length
          hash.update(chunk)
          if (held) yield held
          held = chunk
        }
        if (offset < size) throw new S3Error(0, 'ECONNRESET', `GET ${key}: ended after ${offset} of ${size} bytes`)
      } catch (error) {
        const failure = asS3Error(error, { method: 'GET', key })
        if (reading.isOver || !failure.isTemporary || resumes === RESUMES) throw asApiError(failure)
      }
    }
    const found = hash.digest('hex')
    if (offset !== size || (sha256 !== undefined && found !== sha256))
      throw internalError(new Error(`the object ${key} is damaged: its SHA-256 is ${found}, not ${sha256}`))
    if (held) yield held
  } finally {
    reading.answer.body.destroy()
  }
}

const resume = async (client: S3Client, key: string, offset: number, etag: string | undefined): Promise<S3Answer> => {
  const headers = { range: `bytes=${offset}-`, ...(etag !== undefined && { 'if-match': etag }) }
  const answer = await client.send({ method: 'GET', key, headers })
  if (answer.status === 206) return answer
  answer.body.destroy()
  throw new S3Error(answer.status, 'NoSuchKey', `GET ${key}: it changed while it was read`)
}

/** @throws ApiError for every failure of the storage */
export const readFailure = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof S3Error ? asApiError(error) : error
  }
}

const asApiError = (error: S3Error): ApiError =>
  error.isTemporary
    ? unavailable('The storage of files does not answer. Try again later.', error, 60)
    : internalError(error)
