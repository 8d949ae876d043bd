import { createHash, randomInt } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import type { BucketAddress } from '../../config/storage-url.ts'
import { errorIn } from './s3-answers.ts'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Within the bucket; left out for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Buffer
}

export interface S3Answer {
  status: number
  header(name: string): string | undefined
  body: Readable
}

/** A refusal or a failure of the storage. */
export class S3Error extends Error {
  /** 0 if there was no answer. */
  readonly status: number
  /** Of S3, such as `NoSuchBucket`, or of the system, such as `ECONNREFUSED`. */
  readonly code: string

  constructor(status: number, code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }

  /** Reports whether a later attempt may succeed without any change of settings. */
  get isTemporary(): boolean {
    return this.status === 0 ? this.code !== 'ENOTFOUND' : TEMPORARY.has(this.status) || this.code === 'RequestTimeout'
  }
}

const TEMPORARY = new Set([408, 429, 500, 502, 503, 504])
const ATTEMPTS = 4
const FIRST_PAUSE_MS = 200
const CONNECT_TIMEOUT_MS = 5_000
/** For the first byte of an answer, and for each following one. */
const ANSWER_TIMEOUT_MS = 30_000
/** More requests wait for a connection. */
const MAX_CONNECTIONS = 128
const EMPTY_SHA256 = createHash('sha256').digest('hex')

export interface S3Client {
  address: BucketAddress
  /**
   * Sends a request, and repeats it a few times after failures that pass. The caller reads the body to its end or
   * destroys it.
   *
   * @throws S3Error for every answer but success and 404
   */
  send(wanted: S3Request): Promise<S3Answer>
  /** As `send`, with the whole answer as a text. 404 is an S3Error too. */
  text(wanted: S3Request): Promise<string>
}

/** Signs (AWS Signature Version 4, with the SHA-256 of every body) and sends requests to one bucket. */
export const createS3Client = (address: BucketAddress, credentials: Credentials): S3Client => {
  const agent = new Agent({ connections: MAX_CONNECTIONS, connect: { timeout: CONNECT_TIMEOUT_MS } })
  const cache = new Map<string, ArrayBuffer>()
  const { endpoint, bucket, region } = address

  const once = async ({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> => {
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const sha256 = body ? createHash('sha256').update(body).digest('hex') : EMPTY_SHA256
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: 's3',
      region,
      cache,
    }).sign()
    const answer = await request(url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      dispatcher: agent,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    })
    // The reader of the body sees its error; an unread one must not end the process.
    answer.body.on('error', () => undefined)
    const header = (name: string) => [answer.headers[name]].flat()[0]
    if (answer.statusCode >= 300 && answer.statusCode !== 404) {
      const { code, message } = errorIn(await answer.body.text())
      throw new S3Error(answer.statusCode, code, `${method} ${key ?? ''}: ${answer.statusCode} ${code} ${message}`)
    }
    return { status: answer.statusCode, header, body: answer.body }
  }

  const send = async (wanted: S3Request): Promise<S3Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(wanted)
      } catch (error) {
        const failure = asS3Error(error, wanted)
        if (!failure.isTemporary || attempt === ATTEMPTS) throw failure
        const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1)
        await sleep(pauseMs + randomInt(pauseMs))
      }
    }
  }
  return {
    address,
    send,
    text: async (wanted) => {
      const { status, body } = await send(wanted)
      const text = (await buffer(body)).toString('utf8')
      const { code, message } = errorIn(text)
      // A copy and the end of an upload may fail after their status was sent.
      if (status === 404 || code !== '') throw new S3Error(status === 200 ? 500 : status, code, `${code} ${message}`)
      return text
    },
  }
}

export const asS3Error = (error: unknown, { method, key }: Pick<S3Request, 'method' | 'key'>): S3Error => {
  if (error instanceof S3Error) return error
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error)
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new S3Error(0, code, `${method} ${key ?? ''}: ${message} (${code})`, error)
}
