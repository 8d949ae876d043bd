import { createHash } from 'node:crypto'
import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { buildReport } from './build-report.ts'
import type { ReportReader } from './read-source.ts'

/**
 * SHA-256 of what a report shows, in hexadecimal. What changes with approval and delivery does not count: the
 * watermark, the day, the version, the state and who approved it.
 */
export const digestOf = (data: ReportDataValue): string => {
  const { date: _, dateText: __, version: ___, state: ____, approvedBy: _____, ...report } = data.report
  const { watermark: ______, ...shown } = data
  return createHash('sha256')
    .update(canonicalJson({ ...shown, report }))
    .digest('hex')
}

/** The digest of a report as it is now. @throws ApiError NOT_FOUND */
export const reportDigest = async (reader: ReportReader, organizationId: string, reportId: string): Promise<string> => {
  // The same values of placeholders before and after delivery.
  const { document } = await buildReport(reader, organizationId, reportId, FIXED)
  return digestOf(document.data)
}

const FIXED = { edition: 1, date: '2000-01-01', approvedBy: '' }
