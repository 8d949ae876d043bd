import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ApiError, badRequest, internalError, unavailable } from '../../errors.ts'
import { HEAD_BYTES, type ReceivedFile, type SizeLimit } from '../storage.ts'
import { recordsIn } from './s3-answers.ts'
import { HASTY, type S3Client, S3Error } from './s3-client.ts'

/** S3 accepts no smaller part but the last one, and no more than 10,000 of them. */
const MIN_PART_BYTES = 5 * 1024 * 1024
const MAX_PARTS = 10_000
/** Of all uploads together: parts are in memory until the storage has them. */
const MAX_HELD_BYTES = 256 * 1024 * 1024

/** Receives a file under a key. */
export type Upload = (key: string, body: Readable, limit: SizeLimit) => Promise<ReceivedFile>

/** @param encryption headers that ask for encryption */
export const createUpload = (client: S3Client, encryption: Readonly<Record<string, string>>): Upload => {
  let held = 0

  const begin = async (key: string): Promise<string> => {
    const xml = await client.text({ method: 'POST', key, query: { uploads: '' }, headers: encryption })
    const id = recordsIn(xml, 'InitiateMultipartUploadResult')[0]?.['UploadId']
    if (!id) throw new S3Error(500, '', 'the storage began an upload without an id')
    return id
  }
  const sendPart = async (key: string, uploadId: string, number: number, body: Buffer): Promise<string> => {
    const query = { partNumber: String(number), uploadId }
    const { status, header, body: answer } = await client.send({ method: 'PUT', key, query, body })
    answer.resume()
    const etag = header('etag')
    if (status !== 200 || etag === undefined)
      throw new S3Error(status, 'NoSuchUpload', 'the upload is not there any more')
    return etag
  }
  const complete = async (key: string, uploadId: string, etags: readonly string[]): Promise<void> => {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    try {
      await client.text({ method: 'POST', key, query: { uploadId }, body })
    } catch (error) {
      // The answer to an earlier attempt may have been lost; `requireSize` shows whether it succeeded.
      if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error
    }
  }
  /** A file that is not there, or has another size, must not get a row. */
  const requireSize = async (key: string, size: number): Promise<void> => {
    const { status, header, body } = await client.send({ method: 'HEAD', key })
    body.resume()
    if (status !== 200 || Number(header('content-length')) !== size)
      throw new S3Error(500, '', `the storage does not have the ${size} bytes of ${key}`)
  }

  return async (key, body, { maxBytes, refusal, mayBeEmpty }) => {
    const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS))
    const hash = createHash('sha256')
    const etags: string[] = []
    let uploadId: string | undefined
    let head: Buffer = Buffer.alloc(0)
    let size = 0
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const hold = (bytes: number) => {
      if (bytes > 0 && held + bytes > MAX_HELD_BYTES)
        throw unavailable('Too many files are being uploaded. Try again shortly.')
      held += bytes
      waitingBytes += bytes
    }
    /** All parts but the last have the same size, which some storages require. */
    const nextPart = (bytes: number): Buffer => {
      const all = Buffer.concat(waiting)
      const part = all.subarray(0, bytes)
      waiting = all.length > part.length ? [Buffer.from(all.subarray(bytes))] : []
      return part
    }
    const store = async (bytes: number) => {
      const part = nextPart(bytes)
      uploadId ??= await begin(key)
      etags.push(await sendPart(key, uploadId, etags.length + 1, part))
      hold(-part.length)
    }
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw refusal()
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
        hash.update(chunk)
        hold(chunk.length)
        waiting.push(chunk)
        while (waitingBytes > partBytes) await store(partBytes)
      }
      if (size === 0 && !mayBeEmpty) throw badRequest('The body is empty: send the bytes of the file.')
      const sha256 = hash.digest('hex')
      if (uploadId === undefined) {
        const headers = { ...encryption, 'x-amz-meta-sha256': sha256 }
        const { status, body: answer } = await client.send({
          method: 'PUT',
          key,
          headers,
          body: nextPart(waitingBytes),
        })
        answer.resume()
        if (status === 404) throw new S3Error(404, 'NoSuchBucket', 'the bucket is not there')
      } else {
        await store(waitingBytes)
        await complete(key, uploadId, etags)
      }
      await requireSize(key, size)
      return { size, sha256, head }
    } catch (error) {
      // Discards the rest, so that the client reads the answer.
      body.resume()
      await forget(client, key, uploadId)
      throw uploadFailure(error, body)
    } finally {
      held -= waitingBytes
    }
  }
}

/** If the storage is away, the cleaning does this later. */
const forget = async (client: S3Client, key: string, uploadId: string | undefined): Promise<void> => {
  for (const query of uploadId === undefined ? [{}] : [{ uploadId }, {}]) {
    try {
      const { body } = await client.send({ method: 'DELETE', key, query }, HASTY)
      body.resume()
    } catch {
      return
    }
  }
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Errors of the request pass unchanged; errors of the storage must not look like database failures. */
const uploadFailure = (error: unknown, body: Readable): unknown => {
  if (error instanceof ApiError || body.errored) return error
  if (error instanceof S3Error && error.isFull)
    return unavailable('The storage of files is full. Nothing was stored; try again later.', error, 60)
  return error instanceof S3Error && error.isTemporary
    ? unavailable('The storage of files does not answer. Nothing was stored; try again later.', error, 60)
    : internalError(error)
}
