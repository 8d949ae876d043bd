import { isId } from '../../ids.ts'
import type { StoredFile } from '../storage.ts'
import { recordsIn } from './s3-answers.ts'
import { type Patience, type S3Client, S3Error } from './s3-client.ts'

/** A file in the bucket. */
export interface BucketFile extends StoredFile {
  /** Milliseconds since the epoch. */
  modifiedMs: number
  /** Bytes. */
  size: number
}

/** Removed files stay here for a while, under the day of removal. */
export const QUARANTINE = '.quarantine/'
/** The most that one answer has. */
const PAGE = 1_000

interface Listed {
  key: string
  modifiedMs: number
  size: number
}

/** Every object whose key starts so, in pages. */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  pageSize = PAGE,
  patience?: Patience,
): AsyncGenerator<Listed[]> {
  let token: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix,
      'max-keys': String(pageSize),
      ...(token && { 'continuation-token': token }),
    }
    const xml = await client.text({ method: 'GET', query }, patience)
    yield recordsIn(xml, 'Contents').map((found) => ({
      key: found['Key'] ?? '',
      modifiedMs: Date.parse(found['LastModified'] ?? ''),
      size: Number(found['Size']),
    }))
    token = recordsIn(xml, 'ListBucketResult')[0]?.['NextContinuationToken']
  } while (token)
}

const FILE = /^([^/]+)\/[0-9a-f]{2}\/([^/]+)$/
const DAY = /^(\d{4}-\d{2}-\d{2})\//

/** The files of the server below a prefix; other objects are left out. */
export const filesBelow = (client: S3Client, prefix: string, atOnce: number): AsyncGenerator<BucketFile[]> =>
  filesNamed(client, prefix, atOnce, (name) => name)

/** The files in quarantine. */
export const quarantinedBelow = (client: S3Client, prefix: string, atOnce: number): AsyncGenerator<BucketFile[]> =>
  filesNamed(client, `${prefix}${QUARANTINE}`, atOnce, (name) => name.replace(DAY, ''))

/** Keys in quarantine of days before this one (`YYYY-MM-DD`), in pages. */
export async function* keysBefore(client: S3Client, prefix: string, before: string): AsyncGenerator<string[]> {
  const start = `${prefix}${QUARANTINE}`
  for await (const page of listObjects(client, start)) {
    const isBefore = (key: string) => (DAY.exec(key.slice(start.length))?.[1] ?? before) < before
    yield page.map(({ key }) => key).filter(isBefore)
  }
}

async function* filesNamed(
  client: S3Client,
  prefix: string,
  atOnce: number,
  nameOf: (key: string) => string,
): AsyncGenerator<BucketFile[]> {
  let group: BucketFile[] = []
  for await (const page of listObjects(client, prefix)) {
    for (const { key, modifiedMs, size } of page) {
      const [, organizationId = '', fileId = ''] = FILE.exec(nameOf(key.slice(prefix.length))) ?? []
      if (!isId('org', organizationId) || !isId('fil', fileId)) continue
      group.push({ path: key, organizationId, fileId, isPartial: false, modifiedMs, size })
      if (group.length < atOnce) continue
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}

/** Ends the uploads in parts that began before this time. Does nothing where the storage does not list them. */
export const endUploads = async (client: S3Client, prefix: string, beforeMs: number): Promise<void> => {
  let marker: Record<string, string> = {}
  for (;;) {
    const xml = await uploadsOf(client, { uploads: '', prefix, ...marker })
    for (const { Key: key = '', UploadId: uploadId = '', Initiated: begun = '' } of recordsIn(xml, 'Upload')) {
      if (!key.startsWith(prefix) || !(Date.parse(begun) < beforeMs)) continue
      const { body } = await client.send({ method: 'DELETE', key, query: { uploadId } })
      body.resume()
    }
    const end = recordsIn(xml, 'ListMultipartUploadsResult')[0]
    if (end?.['IsTruncated'] !== 'true' || !end['NextKeyMarker']) return
    marker = { 'key-marker': end['NextKeyMarker'], 'upload-id-marker': end['NextUploadIdMarker'] ?? '' }
  }
}

const uploadsOf = async (client: S3Client, query: Record<string, string>): Promise<string> => {
  try {
    return await client.text({ method: 'GET', query })
  } catch (error) {
    if (error instanceof S3Error && (error.code === 'NotImplemented' || error.status === 405)) return '<Nothing/>'
    throw error
  }
}
