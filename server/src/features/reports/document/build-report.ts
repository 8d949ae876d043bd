import type { BuildOptions, BuiltReport, ComposedReport } from './compose/compose-source.ts'
import { composeInThread } from './compose/compose-threads.ts'
import { type ReportReader, readSource } from './read-source.ts'

/**
 * The document of a report: the same stored data give the same document. The caller has checked that the reader sees
 * the report.
 *
 * @throws ApiError NOT_FOUND
 */
export const buildReport = async (
  reader: ReportReader,
  organizationId: string,
  reportId: string,
  options: BuildOptions = {},
): Promise<BuiltReport> => {
  const { document, problems } = await composeReport(reader, organizationId, reportId, options)
  return { document, problems }
}

/** Like `buildReport`, with what checks need. */
export const composeReport = async (
  reader: ReportReader,
  organizationId: string,
  reportId: string,
  options: BuildOptions = {},
): Promise<ComposedReport> => {
  const source = await readSource(reader, organizationId, reportId)
  return { ...(await composeInThread(source, options)), source }
}
