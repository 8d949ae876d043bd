import { setTimeout as sleep } from 'node:timers/promises'
import { RENDER_DAYS, type RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cancelBackgroundJob, startBackgroundJob } from '../../platform/jobs/start.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { countRedactions } from '../files/redaction/redactions.queries.ts'
import { findReport } from '../reports/reports.queries.ts'
import { renderJob } from './render.job.ts'
import * as query from './renders.queries.ts'

const DAY_MS = 86_400_000
const LOOK_INTERVAL_MS = 100

/** What is rendered. */
export type Subject = { reportId: string } | { findingId: string }

/** Starts a render of a draft. @throws ApiError NOT_FOUND */
export const startRender = (
  { change, ...writer }: Writer,
  actor: Actor,
  subject: Subject,
  format: RenderFormat,
): Promise<query.RenderRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const found =
      'reportId' in subject
        ? await findReport(tx, organizationId, subject.reportId)
        : await query.findRenderable(tx, organizationId, subject.findingId)
    if (!found) throw notFound()
    const { clock } = writer
    const now = clock.now()
    const id = newId('rnd', now)
    const { engagement_id: engagementId } = found
    await query.insertRender(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      report_id: 'reportId' in subject ? subject.reportId : null,
      finding_id: 'findingId' in subject ? subject.findingId : null,
      format,
      created_by: authorOf(actor),
      created_at: isoTime(now),
    })
    const jobId = await startBackgroundJob(tx, writer, renderJob, { actor, engagementId, subjectId: id })
    await query.updateRender(tx, organizationId, id, { work_id: jobId })
    await recordAudit(tx, actor, clock, {
      action: 'reportId' in subject ? 'report.rendered' : 'finding.rendered',
      object: { type: 'reportId' in subject ? 'report' : 'finding', id: found.id },
      engagementId,
      after: { title: found.title, format },
    })
    return (await query.findRender(tx, organizationId, id)) as query.RenderRow
  })

const isUnderWay = ({ state }: query.RenderRow): boolean => state === 'queued' || state === 'running'

/** Waits until a render has ended. @returns `started` if its change is not committed yet */
export const awaitRender = async (
  db: Database,
  organizationId: string,
  started: query.RenderRow,
  seconds: number,
): Promise<query.RenderRow> => {
  const until = performance.now() + seconds * 1_000
  let row = started
  while (isUnderWay(row) && performance.now() < until) {
    await sleep(LOOK_INTERVAL_MS)
    const found = await query.findRender(db, organizationId, started.id)
    if (!found) return started
    row = found
  }
  return row
}

/** @throws ApiError NOT_FOUND */
export const requireRender = async (db: Database, organizationId: string, id: string): Promise<query.RenderRow> => {
  const row = await query.findRender(db, organizationId, id)
  if (!row) throw notFound()
  return row
}

/** @throws ApiError NOT_FOUND if the file may show a picture that was redacted since it was rendered */
export const requireCurrentPictures = async (
  db: Database,
  organizationId: string,
  { engagement_id: engagementId, redactions }: query.RenderRow,
): Promise<void> => {
  if ((await countRedactions(db, organizationId, engagementId)) !== redactions)
    throw notFound('A picture was redacted after this file was rendered. Render it again.')
}

/**
 * Deletes a render with its file; one that is under way is cancelled, and stores nothing.
 *
 * @throws ApiError NOT_FOUND, CONFLICT in an archived engagement
 */
export const deleteRender = async (writer: Writer, actor: Actor, id: string): Promise<void> => {
  const { organizationId } = actor
  const { engagement_id: engagementId } = await requireRender(writer.db, organizationId, id)
  await writer.change(async (tx) => {
    await lockWritableEngagementForShare(tx, actor, engagementId)
    const row = await query.lockRender(tx, organizationId, id)
    if (!row) throw notFound()
    if (row.work_id !== null) await cancelBackgroundJob(tx, writer, renderJob, organizationId, row.work_id)
    await query.deleteRender(tx, organizationId, id)
    const [type, subjectId] =
      row.report_id === null ? ['finding' as const, row.finding_id] : ['report' as const, row.report_id]
    await recordAudit(tx, actor, writer.clock, {
      action: `${type}.render-deleted`,
      object: { type, id: subjectId as string },
      engagementId,
      before: { format: row.format, fileName: row.file_name, sha256: row.sha256 },
    })
  })
}

/** Every hour. */
export const deleteOldRenders = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> =>
  query.deleteRendersBefore(db, isoTime(clock.now() - RENDER_DAYS * DAY_MS))
