import { randomUUID } from 'node:crypto'
import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Outside } from '../../../platform/concurrency/outside.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, internalError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { giveFileTo } from '../../files/files.queries.ts'
import { checkWhole, hasOpenErrors } from '../../reports/checks/check-report.ts'
import type { ShownProblem } from '../../reports/checks/problems.ts'
import { composeReport } from '../../reports/document/build-report.ts'
import { reportDigest } from '../../reports/document/digest.ts'
import { lockWritableReport, recordReportChange, requireReport } from '../../reports/report-locks.service.ts'
import type { ReportRow } from '../../reports/reports.queries.ts'
import { readerOf } from '../files/read-renderable.ts'
import { editionJob, sha256Of } from '../render.job.ts'
import { deleteRenders, type RenderRow } from '../renders.queries.ts'
import { addRender, awaitRenders } from '../renders.service.ts'
import { COMPILER_VERSION } from '../typst/compiler-version.ts'
import * as query from './editions.queries.ts'

/** For all files of an edition, one after another; below the limit of the endpoint. */
const MAX_SECONDS = 170
/** Longer than a delivery can take: what is older belonged to a process that died. */
const STALE_MS = 240_000

const NOT_APPROVED = 'This report is not approved.'
const HAS_ERRORS = 'This report has errors that are neither fixed nor waived.'
const CHANGED = 'What the report shows has changed since it was approved: review and approve it again.'
const UNDER_WAY = 'Another delivery of this report is under way.'

interface Wanted {
  formats: readonly RenderFormat[]
  note?: string | undefined
}

/** What is delivered, as it was approved. */
interface Frozen {
  report: ReportRow
  data: ReportDataValue
  number: number
  date: string
  /** Errors and warnings that people have accepted, which the edition keeps. */
  waived: ShownProblem[]
}

/**
 * Creates an edition: renders all formats from the same report-data, and records them if each has a file.
 *
 * @throws ApiError NOT_FOUND, CONFLICT unless the report is approved, without open errors and unchanged, while another
 *   delivery runs, if a file cannot be rendered, and in an archived engagement
 */
export const deliverReport = async (
  writer: Writer & { outside: Outside },
  actor: Actor,
  reportId: string,
  { formats, note = '' }: Wanted,
): Promise<query.EditionRow> => {
  const { organizationId } = actor
  const frozen = await freeze(writer, actor, reportId)
  const token = randomUUID()
  const ids = await begin(writer, actor, frozen, token, formats)
  try {
    const db = writer.scopedTo(organizationId)
    const renders = await writer.outside(() => awaitRenders(db, organizationId, ids, MAX_SECONDS))
    requireFiles(renders)
    return await writer.change((tx) => finish(tx, writer, actor, { frozen, token, renders, note }))
  } catch (error) {
    await writer.change((tx) => abandon(tx, organizationId, reportId, token, ids))
    throw error
  }
}

const freeze = async (writer: Writer, actor: Actor, reportId: string): Promise<Frozen> => {
  const { organizationId } = actor
  const report = await requireReport(writer.db, organizationId, reportId)
  if (report.state !== 'approved') throw conflict(NOT_APPROVED)
  const reader = readerOf(writer)
  const { problems } = await checkWhole({ ...reader, db: writer.db, actor }, organizationId, reportId)
  if (hasOpenErrors(problems)) throw conflict(HAS_ERRORS)
  const number = (report.latest_edition ?? 0) + 1
  const date = isoTime(writer.clock.now()).slice(0, 10)
  const { document } = await composeReport(reader, organizationId, reportId, { edition: number, date })
  if ((await reportDigest(reader, organizationId, reportId)) !== report.approved_digest) throw conflict(CHANGED)
  return { report, data: document.data, number, date, waived: problems.filter(({ waived }) => waived !== null) }
}

/** Locks the report against other deliveries and starts the renders. @returns their ids */
const begin = (
  writer: Writer,
  actor: Actor,
  { report, data, number, date }: Frozen,
  token: string,
  formats: readonly RenderFormat[],
): Promise<string[]> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const { id: reportId, engagement_id: engagementId } = report
    requireSame(await lockWritableReport(tx, actor, reportId), report)
    const now = clock.now()
    const delivery = { organizationId, engagementId, reportId, token, now: isoTime(now) }
    if (!(await query.takeDelivery(tx, delivery, isoTime(now - STALE_MS)))) throw conflict(UNDER_WAY)
    const edition = { number, date, dataSha256: sha256Of(data) }
    const ids: string[] = []
    for (const format of formats)
      ids.push(await addRender(tx, writer, actor, editionJob, { subject: { reportId }, engagementId, format, edition }))
    return ids
  })

/** @throws ApiError CONFLICT if the report was changed, or delivered, since it was read */
const requireSame = (now: ReportRow, { approved_digest: digest, latest_edition: latest }: ReportRow): void => {
  if (now.state !== 'approved' || now.latest_edition !== latest) throw conflict(NOT_APPROVED)
  if (now.approved_digest !== digest) throw conflict(CHANGED)
}

/** @throws ApiError CONFLICT with the first problem of the first format without a file */
const requireFiles = (renders: readonly RenderRow[]): void => {
  const failed = renders.find(({ state }) => state !== 'succeeded')
  if (!failed) return
  const problem = failed.problems.find(({ level }) => level === 'error')
  const where = problem?.where == null ? '' : ` (${problem.where})`
  throw conflict(
    problem
      ? `A file could not be rendered: ${failed.format}: ${problem.message}${where}`
      : `A file could not be rendered: ${failed.format}: it took longer than ${MAX_SECONDS} seconds.`,
  )
}

interface Finished {
  frozen: Frozen
  token: string
  renders: readonly RenderRow[]
  note: string
}

const finish = async (
  tx: Transaction,
  { clock }: Writer,
  actor: Actor,
  { frozen, token, renders, note }: Finished,
): Promise<query.EditionRow> => {
  const { organizationId } = actor
  const { report, data, number, waived } = frozen
  const { id: reportId, engagement_id: engagementId } = report
  const locked = await lockWritableReport(tx, actor, reportId)
  requireSame(locked, report)
  if (!(await query.endDelivery(tx, organizationId, reportId, token))) throw conflict(UNDER_WAY)
  const now = clock.now()
  const id = newId('edn', now)
  const place = { organization_id: organizationId, engagement_id: engagementId }
  const files = renders.map(({ format, file_id, file_name, size, sha256 }) => {
    if (file_id === null || file_name === null || size === null || sha256 === null)
      throw internalError(new Error('a render that succeeded has a file'))
    return { ...place, edition_id: id, format, file_id, file_name, size, sha256 }
  })
  await query.insertEdition(
    tx,
    {
      ...place,
      id,
      report_id: reportId,
      number,
      note,
      template_id: locked.template_id,
      template_version: locked.template_version,
      compiler_version: COMPILER_VERSION,
      approved_by: locked.approved_by,
      approved_at: locked.approved_at,
      data: JSON.stringify(data),
      waivers: JSON.stringify(waived),
      created_by: actor.kind === 'user' ? actor.id : null,
      created_at: isoTime(now),
    },
    files,
  )
  for (const { file_id: fileId } of files)
    await giveFileTo(tx, organizationId, fileId, { type: 'report_edition', id })
  await deleteRenders(
    tx,
    organizationId,
    renders.map((render) => render.id),
  )
  await recordReportChange(tx, clock, actor, locked, {
    action: 'report.delivered',
    after: { edition: number, editionId: id, files: files.map(({ format, sha256 }) => ({ format, sha256 })) },
    columns: {
      state: 'draft',
      approved_by: null,
      approved_at: null,
      approved_digest: null,
      latest_edition: number,
    },
  })
  const edition = await query.findEdition(tx, organizationId, id)
  if (!edition) throw internalError(new Error('an edition that was just made is there'))
  return edition
}

const abandon = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
  token: string,
  ids: readonly string[],
): Promise<void> => {
  await query.endDelivery(tx, organizationId, reportId, token)
  await deleteRenders(tx, organizationId, ids)
}
