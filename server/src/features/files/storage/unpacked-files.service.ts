import type { Readable } from 'node:stream'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { tooLarge } from '../../../platform/errors.ts'
import { mediaTypeOf } from '../../../platform/files/media-type.ts'
import type { FilePlace } from '../../../platform/files/storage.ts'
import { newId } from '../../../platform/ids.ts'
import { parseLine } from '../../../platform/text/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import * as query from '../files.queries.ts'
import { requireStorage } from '../storage-quota.service.ts'

/** A file that was unpacked from an archive, and has no row yet. */
export interface NewFile {
  id: string
  place: FilePlace
  fileName: string
  /** Bytes. */
  size: number
  sha256: string
  mediaType: string
}

/**
 * Stores the bytes; the caller deletes the file if it does not record it. @throws ApiError BAD_REQUEST for one that is
 * too large
 */
export const storeFile = async (
  { config, clock, storage }: Writer,
  { organizationId }: Actor,
  fileName: string,
  bytes: Readable,
): Promise<NewFile> => {
  const id = newId('fil', clock.now())
  const place = { organizationId, fileId: id }
  const maxBytes = config.UPLOAD_LIMIT_BYTES
  const { size, sha256, head } = await storage.receive(place, bytes, { maxBytes, refusal: () => tooLarge(maxBytes) })
  return { id, place, fileName: parseLine(fileName, 255) ?? 'file', size, sha256, mediaType: mediaTypeOf(head) }
}

/** @throws ApiError CONFLICT if the organization's quota is exceeded */
export const recordFiles = async (
  tx: Transaction,
  { config, clock }: Writer,
  actor: Actor,
  { type, engagementId }: { type: query.FileOwner['type']; engagementId: string | null },
  files: readonly (NewFile & { ownerId: string })[],
): Promise<void> => {
  const { organizationId } = actor
  const added = files.reduce((sum, { size }) => sum + size, 0)
  await requireStorage(tx, { config }, organizationId, added)
  const now = isoTime(clock.now())
  const author = authorOf(actor)
  for (const { id, fileName, size, sha256, mediaType, ownerId } of files) {
    const place = { organization_id: organizationId, engagement_id: engagementId, owner_type: type, owner_id: ownerId }
    await query.insertFile(tx, {
      ...place,
      id,
      file_name: fileName,
      size,
      sha256,
      media_type: mediaType,
      run_id: null,
      created_by: author,
      created_at: now,
    })
    const after = { fileName, [`${type}Id`]: ownerId, size, sha256 }
    await recordAudit(tx, actor, clock, {
      action: 'file.uploaded',
      object: { type: 'file', id },
      ...(engagementId && { engagementId }),
      after,
    })
  }
}
