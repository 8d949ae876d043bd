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

  /** Reports whether there is no space: codes of S3's relatives, which S3 itself does not have. */
  get isFull(): boolean {
    return this.status === 507 || FULL.has(this.code)
  }

  /** Reports whether a later attempt may succeed without any change of settings. */
  get isTemporary(): boolean {
    return this.status === 0 ? this.code !== 'ENOTFOUND' : TEMPORARY.has(this.status) || this.code === 'RequestTimeout'
  }
}

const TEMPORARY = new Set([408, 429, 500, 502, 503, 504])
/** Ceph, MinIO. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'])
const ATTEMPTS = 4
/** After this time there is no further attempt: callers wait for one that hangs, not for four. */
const LAST_ATTEMPT_MS = 20_000
const FIRST_PAUSE_MS = 200
const CONNECT_TIMEOUT_MS = 5_000
/** For the first byte of an answer, and for each following one. */
const ANSWER_TIMEOUT_MS = 30_000
/** Added to that for a body on a slow connection: the system takes it at once, and sends it over time. */
const SLOWEST_BYTES_PER_MS = 128
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** For callers that would rather have no answer than wait. */
export interface Patience {
  attempts: number
  /** As `ANSWER_TIMEOUT_MS`. */
  answerMs: number
}

/** For what the cleaning does later, or the next probe. */
export const HASTY: Patience = { attempts: 1, answerMs: 4_000 }
const PATIENT: Patience = { attempts: ATTEMPTS, answerMs: ANSWER_TIMEOUT_MS }

export interface S3Client {
  address: BucketAddress
  /**
   * Sends a request, and repeats it a few times after failures that pass. The caller reads the body to its end or
   * destroys it.
   *
   * @throws S3Error for every answer but success and 404
   */
  send(wanted: S3Request, patience?: Patience): Promise<S3Answer>
  /** As `send`, with the whole answer as a text. 404 is an S3Error too. */
  text(wanted: S3Request, patience?: Patience): Promise<string>
}

/** Signs (AWS Signature Version 4, with the SHA-256 of every body) and sends requests to one bucket. */
export const createS3Client = (address: BucketAddress, credentials: Credentials): S3Client => {
  // Without a limit of connections: a slow reader of a file holds one, and no other request may wait for it.
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } })
  const cache = new Map<string, ArrayBuffer>()
  const { endpoint, bucket, region } = address

  const once = async (
    { method, key, query = {}, headers = {}, body }: S3Request,
    answerMs: number,
  ): Promise<S3Answer> => {
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
      headersTimeout: answerMs + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS,
      bodyTimeout: answerMs,
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

  const send = async (wanted: S3Request, { attempts, answerMs } = PATIENT): Promise<S3Answer> => {
    const beganAt = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(wanted, answerMs)
      } catch (error) {
        const failure = asS3Error(error, wanted)
        const isLast = attempt >= attempts || performance.now() - beganAt > LAST_ATTEMPT_MS
        if (!failure.isTemporary || failure.isFull || isLast) throw failure
        const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1)
        await sleep(pauseMs + randomInt(pauseMs))
      }
    }
  }
  return {
    address,
    send,
    text: async (wanted, patience) => {
      const { status, body } = await send(wanted, patience)
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
  const { code: found = '', message } = cause as NodeJS.ErrnoException
  const code = /^UND_ERR_\w+_TIMEOUT$/.test(found) ? 'ETIMEDOUT' : found
  return new S3Error(0, code, `${method} ${key ?? ''}: ${message} (${code})`, error)
}
