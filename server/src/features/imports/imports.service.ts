import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { badRequest, conflict, notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { startBackgroundJob } from '../../platform/jobs/start.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { deleteFilesOf, storeUpload } from '../files/files.service.ts'
import { MAPPED_FIELDS } from '../scanner-formats/csv/csv-columns.ts'
import { findTarget } from '../targets/targets.queries.ts'
import { deleteImportTargets } from './import-targets.queries.ts'
import { importFile } from './import.job.ts'
import * as query from './imports.queries.ts'
import { undoImportJob } from './undo.job.ts'

export interface WantedImport {
  engagementId: string
  fileName: string
  format: string
  mode: 'apply' | 'preview'
  options: query.ImportOptions
}

const UNDER_WAY = 'This import is running: wait until it has finished.'
const IN_EFFECT = new Set(['applied', 'partial'])

/**
 * Stores an import's file and starts reading it.
 *
 * @returns the import, before it is read
 * @throws ApiError NOT_FOUND, CONFLICT for an archived engagement or an organization whose storage is full
 */
export const createImport = async (
  writer: Writer,
  actor: Actor,
  wanted: WantedImport,
  body: Readable,
): Promise<query.ImportRow> => {
  const { db, clock } = writer
  const { organizationId } = actor
  const { engagementId, fileName, options } = wanted
  requireWritable(await findEngagement(db, organizationId, engagementId))
  const { result } = await storeUpload(
    writer,
    actor,
    fileName,
    body,
    async (tx, file) => {
      await lockWritableEngagementForShare(tx, actor, engagementId)
      await requireCovered(tx, organizationId, engagementId, options.covered)
      const now = clock.now()
      const id = newId('imp', now)
      const duplicateOf = await query.findSame(tx, organizationId, engagementId, file.sha256)
      await query.insertImport(tx, {
        id,
        organization_id: organizationId,
        engagement_id: engagementId,
        file_name: fileName,
        file_id: file.size === 0 ? null : file.id,
        size: file.size,
        sha256: file.sha256,
        wanted_format: wanted.format,
        mode: wanted.mode,
        options: JSON.stringify(options),
        seen_at: earliest(options.seenAt, isoTime(now)),
        duplicate_of: duplicateOf,
        created_by: authorOf(actor),
        created_at: isoTime(now),
      })
      await start(tx, writer, actor, importFile, engagementId, id)
      const after = { fileName, size: file.size, sha256: file.sha256, mode: wanted.mode }
      await recordAudit(tx, actor, clock, {
        action: 'import.created',
        object: { type: 'import', id },
        engagementId,
        after,
      })
      await announce(tx, { type: 'import', engagementId, ids: [id], change: 'created' })
      return {
        owner: { type: 'import', id },
        engagementId,
        result: (await query.findImport(tx, organizationId, id)) as query.ImportRow,
      }
    },
    true,
  )
  return result
}

/** The contents cannot have been seen after the upload. */
const earliest = (stated: string | null | undefined, now: string): string | null =>
  stated == null ? null : stated < now ? stated : now

/** @throws ApiError BAD_REQUEST for an unknown target */
const requireCovered = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  covered: query.ImportOptions['covered'],
): Promise<void> => {
  for (const id of covered === 'all' ? [] : (covered ?? [])) {
    const target = await findTarget(tx, organizationId, id)
    if (target?.engagement_id !== engagementId)
      throw badRequest('covered: names a target that is not in this engagement')
  }
}

const start = async (
  tx: Transaction,
  { clock, jobs }: Writer,
  actor: Actor,
  kind: typeof importFile,
  engagementId: string,
  importId: string,
): Promise<void> => {
  const backgroundJobId = await startBackgroundJob(tx, { clock, jobs }, kind, {
    actor,
    engagementId,
    subjectId: importId,
  })
  await query.updateImport(tx, actor.organizationId, importId, { work_id: backgroundJobId, finished_at: null })
}

/** Applies a preview. @throws ApiError NOT_FOUND, CONFLICT for an import that is not a preview */
export const applyImport = ({ change, ...writer }: Writer, actor: Actor, importId: string): Promise<query.ImportRow> =>
  change(async (tx) => {
    const row = await lockVisibleImport(tx, actor, importId)
    if (row.state !== 'previewed') throw conflict('Only a previewed import can be applied.')
    const duplicateOf = await query.findSame(tx, actor.organizationId, row.engagement_id, row.sha256)
    await query.updateImport(tx, actor.organizationId, importId, {
      mode: 'apply',
      state: 'received',
      counts: null,
      duplicate_of: duplicateOf,
    })
    await deleteImportTargets(tx, actor.organizationId, importId)
    await start(tx, { change, ...writer }, actor, importFile, row.engagement_id, importId)
    await recordAudit(tx, actor, writer.clock, {
      action: 'import.applied',
      object: { type: 'import', id: importId },
      engagementId: row.engagement_id,
      before: named(row),
    })
    await announce(tx, { type: 'import', engagementId: row.engagement_id, ids: [importId], change: 'updated' })
    return (await query.findImport(tx, actor.organizationId, importId)) as query.ImportRow
  })

/** Undoes an import. @throws ApiError NOT_FOUND, CONFLICT for an import that is not applied */
export const undoImport = ({ change, ...writer }: Writer, actor: Actor, importId: string): Promise<query.ImportRow> =>
  change(async (tx) => {
    const row = await lockVisibleImport(tx, actor, importId)
    if (!IN_EFFECT.has(row.state)) throw conflict('Only an applied import can be undone.')
    await start(tx, { change, ...writer }, actor, undoImportJob, row.engagement_id, importId)
    await recordAudit(tx, actor, writer.clock, {
      action: 'import.undone',
      object: { type: 'import', id: importId },
      engagementId: row.engagement_id,
      before: named(row),
    })
    await announce(tx, { type: 'import', engagementId: row.engagement_id, ids: [importId], change: 'updated' })
    return (await query.findImport(tx, actor.organizationId, importId)) as query.ImportRow
  })

/** Deletes an import. @throws ApiError NOT_FOUND, CONFLICT for an import that is still applied */
export const deleteImport = ({ change, clock }: Writer, actor: Actor, importId: string): Promise<void> =>
  change(async (tx) => {
    const row = await lockVisibleImport(tx, actor, importId)
    if (IN_EFFECT.has(row.state)) throw conflict('The results of this import still exist: undo it first.')
    await deleteFilesOf(tx, actor.organizationId, 'import', [importId])
    await query.deleteImportRow(tx, actor.organizationId, importId)
    const { engagement_id: engagementId } = row
    await recordAudit(tx, actor, clock, {
      action: 'import.deleted',
      object: { type: 'import', id: importId },
      engagementId,
      before: named(row),
    })
    await announce(tx, { type: 'import', engagementId, ids: [importId], change: 'deleted' })
  })

/** The import in the audit log, with the state before the action. */
const named = ({ file_name: fileName, state }: { file_name: string; state: string }) => ({ fileName, state })

/** Locks an import that is not running, and its engagement. */
const lockVisibleImport = async (tx: Transaction, actor: Actor, importId: string): Promise<query.ImportRow> => {
  const seen = await query.findImport(tx, actor.organizationId, importId)
  if (!seen) throw notFound()
  await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  const row = await query.lockImport(tx, actor.organizationId, importId)
  if (!row) throw notFound()
  if (isUnderWay(row)) throw conflict(UNDER_WAY)
  return row
}

const isUnderWay = (row: query.ImportRow): boolean => row.work_state === 'queued' || row.work_state === 'running'

const LOOK_INTERVAL_MS = 150

/**
 * Waits until an import ends. Returns `started` if its change is not committed yet, because no worker runs it then.
 *
 * @param seconds maximum wait
 */
export const awaitImport = async (
  db: Database,
  organizationId: string,
  started: query.ImportRow,
  seconds: number,
): Promise<query.ImportRow> => {
  const until = performance.now() + seconds * 1_000
  let row: query.ImportRow | undefined = started
  while (isUnderWay(row) && performance.now() < until) {
    await sleep(LOOK_INTERVAL_MS)
    const found = await query.findImport(db, organizationId, started.id)
    if (found?.work_id !== started.work_id) return started
    row = found
  }
  return row
}

/**
 * Parses `column:field,column:field` to the fields of CSV columns.
 *
 * @throws ApiError BAD_REQUEST for an unknown field
 */
export const parseMapping = (written: string | undefined): Record<string, string> => {
  if (written === undefined) return {}
  const pairs = written.split(',').map((pair) => {
    const colon = pair.lastIndexOf(':')
    return [pair.slice(0, Math.max(0, colon)).trim(), pair.slice(colon + 1).trim()] as const
  })
  const wrong = pairs.find(([column, field]) => column === '' || !(MAPPED_FIELDS as readonly string[]).includes(field))
  if (wrong)
    throw badRequest(
      `mapping: must be column:field pairs, separated by commas, where a field is one of ${MAPPED_FIELDS.join(', ')}`,
    )
  return Object.fromEntries(pairs)
}
