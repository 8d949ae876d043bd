import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound, tooLarge } from '../../../platform/errors.ts'
import { recheckAfterUpload } from '../../../platform/files/read-upload.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { openStoredFile } from '../../files/files.service.ts'
import { buildReport } from '../../reports/document/build-report.ts'
import { requireReport } from '../../reports/report-locks.service.ts'
import { readerOf } from '../files/read-renderable.ts'
import { compareData } from './compare.ts'
import * as query from './editions.queries.ts'

/** @throws ApiError NOT_FOUND */
export const requireEdition = async (db: Database, organizationId: string, id: string): Promise<query.EditionRow> => {
  const edition = await query.findEdition(db, organizationId, id)
  if (!edition) throw notFound()
  return edition
}

/** Opens a file of an edition, and records who took it. @throws ApiError NOT_FOUND */
export const openEditionFile = async (writer: Writer, actor: Actor, editionId: string, format: RenderFormat) => {
  const { db, change, clock } = writer
  const { organizationId } = actor
  const edition = await requireEdition(db, organizationId, editionId)
  const wanted = edition.files.find((file) => file.format === format)
  if (!wanted) throw notFound()
  const opened = await openStoredFile(writer, organizationId, { type: 'report_edition', id: editionId }, wanted.fileId)
  try {
    await change(async (tx) => {
      const { report_id: id, engagement_id: engagementId, number } = edition
      const { title } = await requireReport(tx, organizationId, id)
      await recordAudit(tx, actor, clock, {
        action: 'report.downloaded',
        object: { type: 'report', id },
        engagementId,
        after: { title, edition: number, format, sha256: wanted.sha256 },
      })
    })
  } catch (error) {
    await opened.file.close()
    throw error
  }
  return opened
}

/** @param to an edition, or `draft` for the report as it is now. @throws ApiError NOT_FOUND */
export const compareEditions = async (
  writer: Writer,
  organizationId: string,
  reportId: string,
  { from, to }: { from: string; to: string },
) => {
  await requireReport(writer.db, organizationId, reportId)
  const dataOf = async (editionId: string): Promise<ReportDataValue> => {
    const data = await query.findEditionData(writer.db, organizationId, reportId, editionId)
    if (!data) throw notFound()
    return data
  }
  const before = await dataOf(from)
  if (to !== 'draft') return compareData(before, await dataOf(to))
  const { document } = await buildReport(readerOf(writer), organizationId, reportId)
  return compareData(before, document.data)
}

/** @returns the edition that a file is, among those that the caller sees. @throws ApiError BAD_REQUEST if too large */
export const findEditionOf = async (writer: Writer, organizationId: string, body: Readable) => {
  const { db, config } = writer
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > config.UPLOAD_LIMIT_BYTES) throw tooLarge(config.UPLOAD_LIMIT_BYTES)
    hash.update(chunk)
  }
  await recheckAfterUpload(writer)
  const found = await query.findEditionOfFile(db, organizationId, hash.digest('hex'))
  return found && { edition: await requireEdition(db, organizationId, found.edition_id), format: found.format }
}
