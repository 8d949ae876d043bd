import { DELIVERED, type ReportOptionsValue } from '@sortie/contract/reports/report-fields.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { withWriter } from '../findings/texts/save-texts.service.ts'
import { findMethodology } from '../methodologies/methodologies.queries.ts'
import * as query from './reports.queries.ts'

/** Locks a report for a change. @throws ApiError NOT_FOUND, CONFLICT in an archived engagement */
export const lockWritableReport = async (tx: Transaction, actor: Actor, reportId: string): Promise<query.ReportRow> => {
  const engagementId = await query.findEngagementOfReport(tx, actor.organizationId, reportId)
  if (engagementId === undefined) throw notFound()
  await lockWritableEngagementForShare(tx, actor, engagementId)
  const report = await query.lockReport(tx, actor.organizationId, reportId)
  if (!report) throw notFound()
  return report
}

/** @throws ApiError NOT_FOUND */
export const requireReport = async (
  db: Transaction | Parameters<typeof query.findReport>[0],
  organizationId: string,
  reportId: string,
): Promise<query.ReportRow> => {
  const report = await query.findReport(db, organizationId, reportId)
  if (!report) throw notFound()
  return report
}

/** @throws ApiError CONFLICT once a report has an edition */
export const requireUndelivered = ({ latest_edition: edition }: query.ReportRow): void => {
  if (edition !== null) throw conflict(DELIVERED)
}

interface ChangedReport {
  action: string
  change?: EventChange
  before?: object
  after?: object
  /** Further columns of the report. */
  columns?: Parameters<typeof query.updateReport>[3]
  /** Whether the caller wrote text of the report. */
  isWritten?: boolean
}

/**
 * Records a change of what a locked report shows: an approved report returns to review.
 *
 * @returns whether it returned to review
 */
export const recordReportChange = async (
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  report: query.ReportRow,
  { action, change = 'updated', before, after, columns = {}, isWritten = false }: ChangedReport,
): Promise<boolean> => {
  const { organizationId } = actor
  const isReturned = report.state === 'approved' && columns.state === undefined
  const writer = isWritten ? authorOf(actor) : null
  await query.updateReport(tx, organizationId, report.id, {
    ...columns,
    ...(isReturned && { state: 'in_review', approved_by: null, approved_at: null, approved_digest: null }),
    ...(writer !== null && { writers: withWriter(report.writers, writer) }),
    updated_at: isoTime(Math.max(clock.now(), Date.parse(report.updated_at) + 1)),
  })
  await recordReport(tx, clock, actor, report, {
    action,
    change,
    ...(before && { before }),
    after: { ...after, ...(isReturned && { state: 'in_review' }) },
  })
  return isReturned
}

/** Records a change of a report in the audit log, and announces it to open pages. */
export const recordReport = async (
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  { id, title, engagement_id: engagementId }: Pick<query.ReportRow, 'id' | 'title' | 'engagement_id'>,
  { action, change, before, after }: { action: string; change: EventChange; before?: object; after?: object },
): Promise<void> => {
  await recordAudit(tx, actor, clock, {
    action,
    object: { type: 'report', id },
    engagementId,
    ...(change !== 'created' && { before: { title, ...before } }),
    ...(change === 'created' ? { after: { title, ...after } } : after && { after: { ...after } }),
  })
  await announce(tx, { type: 'report', engagementId, ids: [id], change })
}

/**
 * Checks the ids in the options of a report or section. What was deleted since it was chosen may stay.
 *
 * @param field where the options are in the body
 * @param before what the options were
 * @throws ApiError VALIDATION_ERROR for a methodology that the organization does not have, and for an edition of another
 *   report
 */
export const requireOptions = async (
  tx: Transaction,
  report: { organizationId: string; reportId: string },
  field: string,
  { methodologyId, since }: ReportOptionsValue = {},
  before: ReportOptionsValue = {},
): Promise<void> => {
  const { organizationId, reportId } = report
  if (methodologyId != null && methodologyId !== before.methodologyId) {
    if (!(await findMethodology(tx, organizationId, methodologyId)))
      throw invalid(`${field}.methodologyId: is not a methodology of this organization`)
  }
  if (since != null && since !== before.since) {
    if (!(await query.hasEdition(tx, organizationId, reportId, since)))
      throw invalid(`${field}.since: is not an edition of this report`)
  }
}
