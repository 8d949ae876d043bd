import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { type Transaction } from '../../../platform/database/transaction.ts'
import { internalError, notFound } from '../../../platform/errors.ts'
import type { Storage } from '../../../platform/files/storage.ts'
import { newId } from '../../../platform/ids.ts'
import * as query from '../files.queries.ts'
import { requireStorage } from '../storage-quota.service.ts'

interface Copying {
  actor: Actor
  clock: Clock
  config: Config
  storage: Storage
  /** Id of the engagement that the copies belong to; null for objects of the organization. */
  to: string | null
}

/**
 * Copies the files of one object to another, with their own bytes, so that either can be deleted. If the transaction
 * does not commit, the hourly job deletes the bytes.
 *
 * @throws ApiError CONFLICT if the organization's storage quota is exceeded
 */
export const copyFiles = async (
  tx: Transaction,
  copying: Copying,
  { type, from, to }: { type: query.FileOwner['type']; from: string; to: string },
): Promise<void> => {
  for (const file of await query.listWholeFilesOf(tx, copying.actor.organizationId, { type, id: from }))
    await copyRow(tx, copying, file, { type, id: to })
}

/**
 * Copies one file of an object to another of its type. @returns the id of the copy @throws ApiError NOT_FOUND, CONFLICT
 * if the organization's storage quota is exceeded
 */
export const copyFile = async (
  tx: Transaction,
  copying: Copying,
  fileId: string,
  { type, from, to }: { type: query.FileOwner['type']; from: string; to: string },
): Promise<string> => {
  const file = await query.findFile(tx, copying.actor.organizationId, { type, id: from }, fileId)
  if (!file) throw notFound()
  return copyRow(tx, copying, file, { type, id: to })
}

const copyRow = async (
  tx: Transaction,
  { actor, clock, config, storage, to: engagementId }: Copying,
  file: query.FileRow,
  owner: query.FileOwner,
): Promise<string> => {
  const { organizationId } = actor
  const { UPLOAD_LIMIT_BYTES: maxBytes } = config
  await requireStorage(tx, { config }, organizationId, file.size)
  const now = clock.now()
  const id = newId('fil', now)
  const stored = await storage.open({ organizationId, fileId: file.id }, file.sha256)
  if (!stored) throw internalError(new Error(`the storage has no file of ${file.id}`))
  // `receive` fails with this error, also if it occurs before the first read.
  const original = stored.createReadStream().on('error', () => undefined)
  const limit = {
    maxBytes: Math.max(maxBytes, file.size),
    refusal: () => internalError(new Error(`the file of ${file.id} is longer than its row says`)),
  }
  await storage.receive({ organizationId, fileId: id }, original, limit)
  const { file_name, size, sha256, media_type } = file
  await query.insertFile(tx, {
    organization_id: organizationId,
    engagement_id: engagementId,
    owner_type: owner.type,
    owner_id: owner.id,
    id,
    file_name,
    size,
    sha256,
    media_type,
    run_id: null,
    created_by: authorOf(actor),
    created_at: isoTime(now),
  })
  return id
}
