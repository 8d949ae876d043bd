import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/reports/reports.ts'
import { generateNKeysBetween } from 'fractional-indexing'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { deleteFilesOf } from '../files/files.service.ts'
import { requireStorage } from '../files/storage-quota.service.ts'
import { findReportSettings } from '../findings/review/report-settings.queries.ts'
import { findTemplate, sectionsIn } from '../report-templates/find-template.ts'
import { findFrame } from './document/source.queries.ts'
import { lockWritableReport, recordReport, requireReport, requireUndelivered } from './report-locks.service.ts'
import * as query from './reports.queries.ts'
import { insertSections } from './sections/sections.queries.ts'

const MAX_REPORTS = 200
const UNUSABLE = 'templateId: is not published, or belongs to another client'

/**
 * Creates a draft with the sections of its template in the language of the report.
 *
 * @throws ApiError VALIDATION_ERROR for a hidden engagement and a template that cannot be used, CONFLICT for an
 *   archived engagement and beyond the limit
 */
export const createReport = (
  writer: Writer,
  actor: Actor,
  wanted: Body<typeof contract.createReport>,
): Promise<query.ReportRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const { engagementId, title, kind = 'final' } = wanted
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    if ((await query.countReports(tx, organizationId, engagementId, MAX_REPORTS)) >= MAX_REPORTS)
      throw conflict(`An engagement has at most ${MAX_REPORTS} reports.`)
    const frame = await findFrame(tx, organizationId, engagementId)
    const clientId = frame?.client_id ?? null
    const template = await findTemplate(tx, organizationId, { templateId: wanted.templateId, clientId, kind })
    if (!template) throw invalid(UNUSABLE)
    const language =
      wanted.language ?? frame?.client_language ?? (await findReportSettings(tx, organizationId)).language
    const sections = sectionsIn(template, language)
    await requireStorage(
      tx,
      writer,
      organizationId,
      sections.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
    )
    const now = clock.now()
    const id = newId('rpt', now)
    const author = authorOf(actor)
    await query.insertReport(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      title,
      kind,
      language,
      template_id: template.id,
      template_version: template.version,
      author_ids: author === null ? [] : [author],
      writers: author === null ? [] : [author],
      created_by: author,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    const positions = generateNKeysBetween(null, null, sections.length)
    await insertSections(
      tx,
      sections.map(({ key, title: name, body, live, hidden }, index) => ({
        id: newId('sec', now),
        organization_id: organizationId,
        engagement_id: engagementId,
        report_id: id,
        key,
        title: name,
        body,
        live_type: live?.type ?? null,
        live_options: JSON.stringify(live?.options ?? {}),
        hidden,
        position: positions[index] as string,
        updated_at: isoTime(now),
      })),
    )
    const report = await requireReport(tx, organizationId, id)
    // The words of the sections are found as well.
    await query.updateReport(tx, organizationId, id, { updated_at: isoTime(now + 1) })
    await recordReport(tx, clock, actor, report, {
      action: 'report.created',
      change: 'created',
      after: { kind, language, templateId: template.id, templateVersion: template.version },
    })
    return requireReport(tx, organizationId, id)
  })

/** @throws ApiError NOT_FOUND, CONFLICT in an archived engagement and once delivered */
export const deleteReport = (writer: Writer, actor: Actor, reportId: string): Promise<void> =>
  writer.change(async (tx) => {
    const report = await lockWritableReport(tx, actor, reportId)
    requireUndelivered(report)
    await deleteFilesOf(tx, actor.organizationId, 'report', [reportId])
    await query.deleteReport(tx, actor.organizationId, reportId)
    await recordReport(tx, writer.clock, actor, report, {
      action: 'report.deleted',
      change: 'deleted',
      before: { kind: report.kind, state: report.state },
    })
  })
