import { randomUUID } from 'node:crypto'
import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Outside } from '../../../platform/concurrency/outside.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { isRolledBack } from '../../../platform/database/connection/failures.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, internalError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { countRedactions } from '../../files/redaction/redactions.queries.ts'
import { checkWhole, hasOpenErrors } from '../../reports/checks/check-report.ts'
import type { ShownProblem } from '../../reports/checks/problems.ts'
import { reportDigest } from '../../reports/document/digest.ts'
import { lockWritableReport, recordReportChange, requireReport } from '../../reports/report-locks.service.ts'
import type { ReportRow } from '../../reports/reports.queries.ts'
import { fileNameOf } from '../files/file-name.ts'
import { type Renderable, readerOf, readRenderable } from '../files/read-renderable.ts'
import { recordStoredReport, type StoredReport, storeReport } from '../files/store-file.ts'
import { waitForTurn } from '../files/turns.ts'
import { writeReport } from '../files/write-report.ts'
import { type Finishing, finishFile, prepareFinishing, shownOf } from '../signing/finish-file.service.ts'
import { COMPILER_VERSION } from '../typst/compiler-version.ts'
import * as query from './editions.queries.ts'

/** For all files of an edition, one after another; below the limit of the endpoint. */
const MAX_MS = 170_000
/** Longer than a delivery can take: what is older belonged to a process that died. */
const STALE_MS = 240_000

const NOT_APPROVED = 'This report is not approved.'
const HAS_ERRORS = 'This report has errors that are neither fixed nor waived.'
const CHANGED = 'What the report shows has changed since it was approved: review and approve it again.'
const UNDER_WAY = 'Another delivery of this report is under way.'

interface Wanted {
  formats: readonly RenderFormat[]
  note?: string | undefined
  sign?: boolean | undefined
  password?: string | undefined
}

/** What is delivered, as it was approved. */
interface Frozen {
  report: ReportRow
  renderable: Renderable
  /** Redactions of the engagement before its pictures were read. */
  redactions: number
  number: number
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
  writer: Writer & Pick<Platform, 'keys'> & { outside: Outside },
  actor: Actor,
  reportId: string,
  { formats, note = '', ...wanted }: Wanted,
): Promise<query.EditionRow> => {
  const { organizationId } = actor
  await requireReport(writer.db, organizationId, reportId)
  const finishing = await prepareFinishing(writer, organizationId, formats, wanted)
  const frozen = await freeze(writer, actor, reportId)
  const token = randomUUID()
  await begin(writer, actor, frozen.report, token)
  const files: StoredReport[] = []
  try {
    const signal = AbortSignal.timeout(MAX_MS)
    for (const format of formats)
      files.push(await writer.outside(() => writeFile(writer, organizationId, frozen, { format, finishing }, signal)))
    return await writer.change((tx) => finish(tx, writer, actor, { frozen, token, files, note, finishing }))
  } catch (error) {
    if (isRolledBack(error)) for (const { place } of files) await writer.storage.discard(place)
    await writer.change((tx) => query.endDelivery(tx, organizationId, reportId, token))
    throw error
  }
}

const freeze = async (writer: Writer, actor: Actor, reportId: string): Promise<Frozen> => {
  const { organizationId } = actor
  const report = await requireReport(writer.db, organizationId, reportId)
  if (report.state !== 'approved') throw conflict(NOT_APPROVED)
  const redactions = await countRedactions(writer.db, organizationId, report.engagement_id)
  const reader = readerOf(writer)
  const { problems } = await checkWhole({ ...reader, db: writer.db, actor }, organizationId, reportId)
  if (hasOpenErrors(problems)) throw conflict(HAS_ERRORS)
  const number = (report.latest_edition ?? 0) + 1
  const date = isoTime(writer.clock.now()).slice(0, 10)
  const wanted = { report_id: reportId, finding_id: null }
  const renderable = await readRenderable(writer, organizationId, wanted, { edition: number, date })
  // After the data were read: what changed in between is noticed.
  if ((await reportDigest(reader, organizationId, reportId)) !== report.approved_digest) throw conflict(CHANGED)
  return { report, renderable, redactions, number, waived: problems.filter(({ waived }) => waived !== null) }
}

/** Locks the report against other deliveries. */
const begin = (writer: Writer, actor: Actor, report: ReportRow, token: string): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { id: reportId, engagement_id: engagementId } = report
    requireSame(await lockWritableReport(tx, actor, reportId), report)
    const now = writer.clock.now()
    const delivery = { organizationId, engagementId, reportId, token, now: isoTime(now) }
    if (!(await query.lockDelivery(tx, delivery, isoTime(now - STALE_MS)))) throw conflict(UNDER_WAY)
  })

/** @throws ApiError CONFLICT if the report was changed, or delivered, since it was read */
const requireSame = (now: ReportRow, { approved_digest: digest, latest_edition: latest }: ReportRow): void => {
  if (now.state !== 'approved' || now.latest_edition !== latest) throw conflict(NOT_APPROVED)
  if (now.approved_digest !== digest) throw conflict(CHANGED)
}

/** @throws ApiError CONFLICT with the first error if there is no file, 503 if it takes too long */
const writeFile = async (
  writer: Writer,
  organizationId: string,
  { renderable }: Frozen,
  { format, finishing }: { format: RenderFormat; finishing: Finishing },
  signal: AbortSignal,
): Promise<StoredReport> => {
  const leave = await waitForTurn(organizationId)
  try {
    const isArchived = finishing.password === null
    const written = await writeReport(renderable, format, { organizationId, signal, isArchived })
    const { problems } = written
    if (written.bytes !== undefined) {
      const bytes =
        format === 'pdf' ? await finishFile(writer, organizationId, written.bytes, finishing) : written.bytes
      return await storeReport(writer, organizationId, { format, fileName: fileNameOf(renderable, format), bytes })
    }
    const problem = problems.find(({ level }) => level === 'error')
    const where = problem?.where == null ? '' : ` (${problem.where})`
    throw conflict(`A file could not be rendered: ${format}: ${problem?.message ?? 'it is empty.'}${where}`)
  } catch (error) {
    if (signal.aborted) throw conflict(`A file could not be rendered: ${format}: it took too long.`)
    throw error
  } finally {
    leave()
  }
}

interface Finished {
  frozen: Frozen
  token: string
  files: readonly StoredReport[]
  note: string
  finishing: Finishing
}

const finish = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  { frozen, token, files, note, finishing }: Finished,
): Promise<query.EditionRow> => {
  const { organizationId } = actor
  const { clock } = writer
  const { report, renderable, redactions, number, waived } = frozen
  const { id: reportId, engagement_id: engagementId } = report
  const locked = await lockWritableReport(tx, actor, reportId)
  requireSame(locked, report)
  if ((await countRedactions(tx, organizationId, engagementId)) !== redactions) throw conflict(CHANGED)
  if (!(await query.endDelivery(tx, organizationId, reportId, token))) throw conflict(UNDER_WAY)
  const now = clock.now()
  const id = newId('edn', now)
  const place = { organization_id: organizationId, engagement_id: engagementId }
  const createdBy = authorOf(actor)
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
      signed_by: finishing.signatory?.name ?? null,
      encrypted: finishing.password !== null,
      approved_by: locked.approved_by,
      approved_at: locked.approved_at,
      data: JSON.stringify(renderable.document.data),
      waivers: JSON.stringify(waived),
      created_by: createdBy,
      created_at: isoTime(now),
    },
    files.map(({ format, place: { fileId }, fileName, size, sha256 }) => ({
      ...place,
      edition_id: id,
      format,
      file_id: fileId,
      file_name: fileName,
      size,
      sha256,
    })),
  )
  const owner = { type: 'report_edition', id } as const
  for (const file of files) await recordStoredReport(tx, writer, file, { owner, engagementId, createdBy })
  await recordReportChange(tx, clock, actor, locked, {
    action: 'report.delivered',
    after: {
      edition: number,
      editionId: id,
      files: files.map(({ format, sha256 }) => ({ format, sha256 })),
      ...shownOf(finishing),
    },
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
