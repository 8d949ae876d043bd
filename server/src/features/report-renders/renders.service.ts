import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { RENDER_DAYS } from '@sortie/contract/reports/report-renders.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { LongRunningJob } from '../../platform/jobs/kinds.ts'
import { startBackgroundJob } from '../../platform/jobs/start.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findReport } from '../reports/reports.queries.ts'
import { renderJob } from './render.job.ts'
import * as query from './renders.queries.ts'

const DAY_MS = 86_400_000
const LOOK_INTERVAL_MS = 100

/** What is rendered. */
export type Subject = { reportId: string } | { findingId: string }

/** What an edition's file must show. */
export interface OfEdition {
  number: number
  /** YYYY-MM-DD. */
  date: string
  dataSha256: string
}

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
    const render = { subject, engagementId: found.engagement_id, format }
    const id = await addRender(tx, writer, actor, renderJob, render)
    await recordAudit(tx, actor, writer.clock, {
      action: 'reportId' in subject ? 'report.rendered' : 'finding.rendered',
      object: { type: 'reportId' in subject ? 'report' : 'finding', id: found.id },
      engagementId: found.engagement_id,
      after: { title: found.title, format },
    })
    return (await query.findRender(tx, organizationId, id)) as query.RenderRow
  })

interface NewRender {
  subject: Subject
  engagementId: string
  format: RenderFormat
  edition?: OfEdition
}

/** @returns its id */
export const addRender = async (
  tx: Transaction,
  { clock, jobs }: Pick<Writer, 'clock' | 'jobs'>,
  actor: Actor,
  kind: LongRunningJob,
  { subject, engagementId, format, edition }: NewRender,
): Promise<string> => {
  const now = clock.now()
  const id = newId('rnd', now)
  await query.insertRender(tx, {
    id,
    organization_id: actor.organizationId,
    engagement_id: engagementId,
    report_id: 'reportId' in subject ? subject.reportId : null,
    finding_id: 'findingId' in subject ? subject.findingId : null,
    format,
    edition: edition?.number ?? null,
    edition_date: edition?.date ?? null,
    data_sha256: edition?.dataSha256 ?? null,
    created_by: actor.kind === 'user' ? actor.id : null,
    created_at: isoTime(now),
  })
  const workId = await startBackgroundJob(tx, { clock, jobs }, kind, { actor, engagementId, subjectId: id })
  await query.updateRender(tx, actor.organizationId, id, { work_id: workId })
  return id
}

const isUnderWay = ({ state }: query.RenderRow): boolean => state === 'queued' || state === 'running'

/**
 * Waits until all of these renders have ended.
 *
 * @returns those that exist, ended or not; fewer than asked for if a change is not committed yet
 */
export const awaitRenders = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
  seconds: number,
): Promise<query.RenderRow[]> => {
  const until = performance.now() + seconds * 1_000
  for (;;) {
    const rows = await query.listRenders(db, organizationId, ids)
    if (rows.length < ids.length || !rows.some(isUnderWay) || performance.now() >= until) return rows
    await sleep(LOOK_INTERVAL_MS)
  }
}

/** A render of a draft. @throws ApiError NOT_FOUND, for a file of an edition in the making as well */
export const requireRender = async (db: Database, organizationId: string, id: string): Promise<query.RenderRow> => {
  const row = await query.findRender(db, organizationId, id)
  if (row?.edition !== null) throw notFound()
  return row
}

/** Every hour. */
export const deleteOldRenders = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> =>
  query.deleteRendersBefore(db, isoTime(clock.now() - RENDER_DAYS * DAY_MS))
