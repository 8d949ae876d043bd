import type { StoredFile } from '@sortie/contract/core/files.ts'
import type { Static } from 'typebox'
import type { FileRow } from './files.queries.ts'

export const toFile = (row: FileRow) => ({
  id: row.id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  mediaType: row.media_type as Static<typeof StoredFile>['mediaType'],
  runId: row.run_id,
  caption: row.caption,
  position: row.position,
  sealed: row.sealed,
  redactedBy: row.redacted_by,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name as string },
  createdAt: row.created_at,
})
