import { Readable } from 'node:stream'
import { MEDIA_TYPES, type RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { tooLarge } from '../../../platform/errors.ts'
import type { FilePlace } from '../../../platform/files/storage.ts'
import { newId } from '../../../platform/ids.ts'
import type { FileOwner } from '../../files/files.queries.ts'
import { recordMadeFile } from '../../files/made-files.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'

/** A stored file, before it has a row. */
export interface StoredReport {
  place: FilePlace
  format: RenderFormat
  fileName: string
  size: number
  sha256: string
}

/** Stores the bytes; the caller discards the file if it does not record it. */
export const storeReport = async (
  { config, clock, storage }: Pick<Platform, 'config' | 'clock' | 'storage'>,
  organizationId: string,
  { format, fileName, bytes }: { format: RenderFormat; fileName: string; bytes: Uint8Array },
): Promise<StoredReport> => {
  const place = { organizationId, fileId: newId('fil', clock.now()) }
  const maxBytes = config.UPLOAD_LIMIT_BYTES
  const limit = { maxBytes, refusal: () => tooLarge(maxBytes) }
  const { size, sha256 } = await storage.receive(place, Readable.from([bytes]), limit)
  return { place, format, fileName, size, sha256 }
}

interface Owner {
  owner: FileOwner
  engagementId: string
  createdBy: string | null
}

/** @throws ApiError CONFLICT if the organization's quota is exceeded */
export const recordStoredReport = async (
  tx: Transaction,
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  { place, format, fileName, size, sha256 }: StoredReport,
  { owner, engagementId, createdBy }: Owner,
): Promise<void> => {
  const { organizationId, fileId } = place
  await requireStorage(tx, { config }, organizationId, size)
  await recordMadeFile(tx, {
    id: fileId,
    organization_id: organizationId,
    engagement_id: engagementId,
    owner_type: owner.type,
    owner_id: owner.id,
    file_name: fileName,
    size,
    sha256,
    media_type: MEDIA_TYPES[format],
    run_id: null,
    created_by: createdBy,
    created_at: isoTime(clock.now()),
  })
}
