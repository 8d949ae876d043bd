import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorNameOf, authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { isRolledBack } from '../../platform/database/connection/failures.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { type Transaction } from '../../platform/database/transaction.ts'
import { internalError, invalid, notFound, tooLarge } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { mediaTypeOf } from '../../platform/files/media-type.ts'
import { removeFile } from '../../platform/files/remove-file.ts'
import type { SizeLimit } from '../../platform/files/storage.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import * as query from './files.queries.ts'
import { changeWithFiles, quotaExceeded, requireStorage, remainingQuota } from './storage-quota.service.ts'

/** The answer to a deletion does not wait longer for its bytes: they may go later. */
const REMOVAL_MS = 5_000

/** A type of object that files are attached to, defined by its feature. */
export interface FileHolder {
  type: query.FileOwner['type']
  /** Called before anything is read. @throws ApiError NOT_FOUND */
  find(db: Database, organizationId: string, id: string): Promise<unknown>
  /** Called before the bytes of an upload are read. @throws ApiError NOT_FOUND, CONFLICT if files cannot be added */
  requireWritable(db: Database, organizationId: string, id: string): Promise<void>
  /**
   * Locks the object in share mode while a file is added or removed.
   *
   * @returns the engagement that it belongs to
   * @throws ApiError NOT_FOUND, CONFLICT if files cannot be added
   */
  hold(tx: Transaction, actor: Actor, id: string): Promise<{ engagementId: string | null }>
  /** Whether this caller may redact pictures and see the originals. Absent: files of this type are never redacted. */
  mayRedact?(actor: Actor): boolean
}

/**
 * Stores a file and then its row. Checks before the bytes are read, and again, permission and quota included, after the
 * last of them, in the transaction of the row.
 *
 * @throws ApiError NOT_FOUND, CONFLICT if files cannot be added or the organization's quota is exceeded, BAD_REQUEST
 *   for a file that is empty or too large
 */
export const uploadFile = async (
  writer: Writer,
  actor: Actor,
  holder: FileHolder,
  ownerId: string,
  fileName: string,
  body: Readable,
): Promise<query.FileRow> => {
  const { organizationId } = actor
  await holder.requireWritable(writer.db, organizationId, ownerId)
  const { file } = await storeUpload(writer, actor, fileName, body, async (tx, { id, size, sha256 }) => {
    const { engagementId } = await holder.hold(tx, actor, ownerId)
    const after = { fileName, ...ownerOf(holder, ownerId), size, sha256 }
    await recordAudit(tx, actor, writer.clock, {
      action: 'file.uploaded',
      object: { type: 'file', id },
      ...(engagementId && { engagementId }),
      after,
    })
    await announce(tx, { type: 'file', engagementId, ids: [id], change: 'created' })
    return { owner: { type: holder.type, id: ownerId }, engagementId, result: undefined }
  })
  return { ...file, created_by_name: authorNameOf(actor) }
}

/** A file on disk, before it has a row. */
export type ReceivedUpload = Pick<query.FileRow, 'id' | 'size' | 'sha256' | 'media_type' | 'created_at'>

interface Attached<T> {
  owner: query.FileOwner
  engagementId: string | null
  result: T
  /** Called once the file has its row, in the same transaction. */
  onRow?: (tx: Transaction) => Promise<void>
}

/**
 * Stores a file that is uploaded together with the object that it is attached to.
 *
 * @param attach creates the object and returns it, in the transaction of the file's row
 * @param mayBeEmpty accepts a file without bytes, which gets no row
 * @param runId of the executed request that created it
 */
export const storeUpload = async <T>(
  writer: Writer,
  actor: Actor,
  fileName: string,
  body: Readable,
  attach: (tx: Transaction, file: ReceivedUpload) => Promise<Attached<T>>,
  mayBeEmpty = false,
  runId: string | null = null,
) => {
  const { storage, clock } = writer
  const { organizationId } = actor
  const limit = await sizeLimit(writer, organizationId)
  // One timestamp for both: the list is in the order of ids.
  const now = clock.now()
  const id = newId('fil', now)
  const place = { organizationId, fileId: id }
  const { size, sha256, head } = await storage.receive(place, body, { ...limit, ...(mayBeEmpty && { mayBeEmpty }) })
  const file = {
    id,
    file_name: fileName,
    size,
    sha256,
    media_type: mediaTypeOf(head),
    run_id: runId,
    caption: '',
    position: null,
    created_by: authorOf(actor),
    created_at: isoTime(now),
    sealed: false,
    redacted_by: null,
  }
  const insert = async (tx: Transaction): Promise<T> => {
    const { owner, engagementId, result, onRow } = await attach(tx, file)
    await requireStorage(tx, writer, organizationId, size)
    const { sealed: _, redacted_by: __, ...columns } = file
    const row = {
      ...columns,
      organization_id: organizationId,
      engagement_id: engagementId,
      owner_type: owner.type,
      owner_id: owner.id,
    }
    if (size > 0) await query.insertFile(tx, row)
    await onRow?.(tx)
    return result
  }
  try {
    const result = await changeWithFiles(writer, actor, insert)
    if (size === 0) await storage.discard(place)
    return { file, result }
  } catch (error) {
    // If the row may be stored after all, the file stays; the hourly job deletes a file without a row.
    if (isRolledBack(error)) await storage.discard(place)
    throw error
  }
}

/** Rows of the files of objects that are deleted; a job takes the bytes within a minute or two. */
export const deleteFilesOf = async (
  tx: Transaction,
  organizationId: string,
  type: query.FileOwner['type'],
  ownerIds: readonly string[],
): Promise<void> => {
  if (ownerIds.length > 0) await query.deleteFilesOf(tx, organizationId, type, ownerIds)
}

/**
 * Maximum size of an upload: the limit per file, or the rest of the organization's quota, hidden engagements included.
 */
export const sizeLimit = async (
  { config, scopedTo }: Pick<Writer, 'config' | 'scopedTo'>,
  organizationId: string,
): Promise<SizeLimit> => {
  const { UPLOAD_LIMIT_BYTES: maxBytes, STORAGE_LIMIT_BYTES_PER_ORGANIZATION: quota } = config
  const left = await remainingQuota({ config, scopedTo }, organizationId)
  if (left >= maxBytes) return { maxBytes, refusal: () => tooLarge(maxBytes) }
  if (left <= 0) throw quotaExceeded(quota)
  return { maxBytes: left, refusal: () => quotaExceeded(quota) }
}

/**
 * Deletes the row first, and the file after the commit: a crash in between leaves a file that the hourly job deletes.
 *
 * @throws ApiError NOT_FOUND, CONFLICT if the object cannot be changed
 */
export const deleteFile = async (
  writer: Writer,
  actor: Actor,
  holder: FileHolder,
  ownerId: string,
  fileId: string,
): Promise<void> => {
  const { change, clock, log } = writer
  const { organizationId } = actor
  await change(async (tx) => {
    // An unknown file is 404 also where the object accepts no change.
    if (!(await query.findFile(tx, organizationId, { type: holder.type, id: ownerId }, fileId))) throw notFound()
    const { engagementId } = await holder.hold(tx, actor, ownerId)
    const deleted = await query.deleteFile(tx, organizationId, { type: holder.type, id: ownerId }, fileId)
    if (!deleted) throw notFound()
    const { file_name: fileName, size, sha256 } = deleted
    const before = { fileName, ...ownerOf(holder, ownerId), size, sha256 }
    await recordAudit(tx, actor, clock, {
      action: 'file.deleted',
      object: { type: 'file', id: fileId },
      ...(engagementId && { engagementId }),
      before,
    })
    await announce(tx, { type: 'file', engagementId, ids: [fileId], change: 'deleted' })
  })
  const removal = removeFile(writer, { organizationId, fileId }).catch((error) =>
    log.warn(
      { err: error, file: fileId },
      'a deleted file could not be removed from the storage yet: the hourly job tries again',
    ),
  )
  await Promise.race([removal, sleep(REMOVAL_MS, undefined, { ref: false })])
}

/**
 * Changes the caption of a file, and its place among the files of its object.
 *
 * @param wanted `position` counts from 0; beyond the end means last
 * @throws ApiError NOT_FOUND, CONFLICT if the object cannot be changed, VALIDATION_ERROR for a caption of several lines
 */
export const updateFile = (
  { change, clock }: Writer,
  actor: Actor,
  holder: FileHolder,
  ownerId: string,
  fileId: string,
  wanted: { caption?: string | undefined; position?: number | undefined },
): Promise<query.FileRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const owner = { type: holder.type, id: ownerId }
    if (!(await query.findFile(tx, organizationId, owner, fileId))) throw notFound()
    const { engagementId } = await holder.hold(tx, actor, ownerId)
    const order = await query.lockOrder(tx, organizationId, owner)
    const before = await query.findFile(tx, organizationId, owner, fileId)
    if (!before) throw notFound()
    const caption = wanted.caption?.trim() ?? before.caption
    if (/[\r\n]/.test(caption)) throw invalid('caption: must be one line')
    if (caption !== before.caption) await query.writeCaption(tx, organizationId, fileId, caption)
    if (wanted.position !== undefined) {
      await query.writeOrder(
        tx,
        organizationId,
        order.filter((id) => id !== fileId).toSpliced(wanted.position, 0, fileId),
      )
    }
    const after = (await query.findFile(tx, organizationId, owner, fileId)) as query.FileRow
    if (after.caption === before.caption && after.position === before.position) return after
    const about = { fileName: before.file_name, ...ownerOf(holder, ownerId) }
    await recordAudit(tx, actor, clock, {
      action: 'file.changed',
      object: { type: 'file', id: fileId },
      ...(engagementId && { engagementId }),
      // The object decides who reads the entry.
      before: { ...about, caption: before.caption, position: before.position },
      after: { ...about, caption: after.caption, position: after.position },
    })
    await announce(tx, { type: 'file', engagementId, ids: [fileId], change: 'updated' })
    return after
  })

/** @throws ApiError NOT_FOUND */
export const openStoredFile = async (
  { storage, db }: Pick<Writer, 'storage' | 'db'>,
  organizationId: string,
  owner: query.FileOwner,
  fileId: string,
) => {
  const row = await query.findFile(db, organizationId, owner, fileId)
  if (!row) throw notFound()
  const file = await storage.open({ organizationId, fileId }, row.sha256)
  if (file) return { row, file }
  // Either the row was deleted since it was read, or the file is missing in the storage.
  if (!(await query.findFile(db, organizationId, owner, fileId))) throw notFound()
  throw internalError(new Error(`the file of ${fileId} is not in ${storage.name}`))
}

/** In the audit log: `engagementId`, `libraryEntryId`. */
export const ownerOf = ({ type }: FileHolder, id: string): Record<string, string> => ({
  [`${type.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}Id`]: id,
})

/** The row of a file; undefined if it is not attached to this owner. */
export const findStoredFile = (
  db: Database,
  organizationId: string,
  owner: query.FileOwner,
  fileId: string,
): Promise<query.FileRow | undefined> => query.findFile(db, organizationId, owner, fileId)
