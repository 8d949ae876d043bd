import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/reports/reports.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden } from '../../../platform/errors.ts'
import { lockWritableReport, recordReport, requireReport } from '../report-locks.service.ts'
import { checkReport } from './check-report.ts'
import * as query from './checks.queries.ts'
import { type CheckCode, fingerprintOf } from './problems.ts'

/** Problems that harm others if they are overlooked. */
const GUARDED: readonly CheckCode[] = ['other_client', 'secret_in_text']

/**
 * Accepts a problem that the report has now.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for a guarded code unless the caller is lead, owner or admin, CONFLICT for a
 *   problem that the report does not have, and in an archived engagement
 */
export const waiveReportProblem = async (
  writer: Writer,
  actor: Actor,
  reportId: string,
  { code, where, reason }: Body<typeof contract.waiveReportProblem>,
): Promise<{ waived: true }> => {
  const { organizationId } = actor
  await requireReport(writer.db, organizationId, reportId)
  const fingerprint = fingerprintOf({ code, where })
  const problems = await checkReport({ ...writer, actor }, organizationId, reportId)
  const problem = problems.find((one) => fingerprintOf(one) === fingerprint)
  return writer.change(async (tx) => {
    const { clock } = writer
    const report = await lockWritableReport(tx, actor, reportId)
    await requireMayWaive(tx, actor, report.engagement_id, code)
    if (!problem) throw conflict('The report has no such problem.')
    await query.upsertWaiver(tx, {
      organization_id: organizationId,
      engagement_id: report.engagement_id,
      report_id: reportId,
      code,
      fingerprint,
      object_type: where.type,
      object_id: where.id,
      section: where.section,
      quote: where.quote,
      reason,
      waived_by: authorOf(actor),
      by_name: actor.name,
      waived_at: isoTime(clock.now()),
    })
    await recordReport(tx, clock, actor, report, {
      action: 'report.problem-waived',
      change: 'updated',
      after: { code, object: where.id, section: where.section, quote: where.quote, reason },
    })
    return { waived: true }
  })
}

const requireMayWaive = async (tx: Transaction, actor: Actor, engagementId: string, code: CheckCode): Promise<void> => {
  if (!GUARDED.includes(code) || actor.role === 'owner' || actor.role === 'admin') return
  if (actor.kind === 'user' && (await query.findIsLead(tx, actor.organizationId, engagementId, actor.id))) return
  throw forbidden('Only the lead of the engagement, the owner and admins waive this problem.')
}
