import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden } from '../../../platform/errors.ts'
import { TRASH_LIFETIME_MS } from '../../../platform/lists/trash.ts'
import { removeBytesJob } from '../../files/files.jobs.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { lockVisibleFinding } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { recordFinding } from '../record-finding.service.ts'
import { deleteSquashedBefore } from '../texts/finding-revisions.queries.ts'
import { BASE_LIFETIME_MS } from '../texts/save-texts.service.ts'
import { readBack } from '../update/update-finding.service.ts'

const AT_ONCE = 100
const TEXTS_AT_ONCE = 2_000

/** Moves a finding to the trash. @throws ApiError NOT_FOUND, CONFLICT if it is already there, or archived */
export const deleteFinding = ({ change, clock }: Writer, actor: Actor, findingId: string): Promise<void> =>
  change(async (tx) => {
    const {
      trashed_at,
      title,
      engagement_id: engagementId,
      updated_at,
    } = await lockVisibleFinding(tx, actor, findingId)
    if (trashed_at !== null) throw conflict('This finding is already in the trash.')
    const now = isoTime(Math.max(clock.now(), Date.parse(updated_at) + 1))
    await query.updateFinding(tx, actor.organizationId, findingId, { trashed_at: now, updated_at: now })
    await recordFinding(tx, actor, clock, {
      action: 'finding.trashed',
      change: 'deleted',
      findingId,
      engagementId,
      before: { title },
    })
  })

/** @throws ApiError NOT_FOUND, CONFLICT if it is not in the trash, or archived */
export const restoreFinding = (
  { change, clock }: Writer,
  actor: Actor,
  findingId: string,
): Promise<query.WholeFindingRow> =>
  change(async (tx) => {
    const {
      trashed_at,
      title,
      engagement_id: engagementId,
      updated_at,
    } = await lockVisibleFinding(tx, actor, findingId)
    if (trashed_at === null) throw conflict('This finding is not in the trash.')
    const now = isoTime(Math.max(clock.now(), Date.parse(updated_at) + 1))
    await query.updateFinding(tx, actor.organizationId, findingId, { trashed_at: null, updated_at: now })
    await recordFinding(tx, actor, clock, {
      action: 'finding.restored',
      change: 'created',
      findingId,
      engagementId,
      after: { title },
    })
    return readBack(tx, actor.organizationId, findingId)
  })

/**
 * Deletes a finding with its history, assets and files. @throws ApiError FORBIDDEN for keys and members, NOT_FOUND,
 * CONFLICT if archived
 */
export const deleteFindingForever = async (writer: Writer, actor: Actor, findingId: string): Promise<void> => {
  if (actor.role !== 'owner' && actor.role !== 'admin')
    throw forbidden('Only the owner or an admin may delete a finding forever, in the web interface.')
  await writer.change(async (tx) => {
    const { title, engagement_id: engagementId } = await lockVisibleFinding(tx, actor, findingId)
    await removeFinding(tx, actor.organizationId, findingId)
    await writer.jobs.enqueue(tx, removeBytesJob, {})
    await recordFinding(tx, actor, writer.clock, {
      action: 'finding.deleted',
      change: 'deleted',
      findingId,
      engagementId,
      before: { title },
    })
  })
}

const removeFinding = async (tx: Transaction, organizationId: string, findingId: string): Promise<void> => {
  await deleteFilesOf(tx, organizationId, 'finding', [findingId])
  await query.deleteFindings(tx, organizationId, [findingId])
}

/** Every hour: deletes findings that were in the trash for 30 days, and squashed texts that are no longer needed. */
export const cleanFindings = async ({ clock, db, scopedTo }: Platform): Promise<void> => {
  const before = isoTime(clock.now() - TRASH_LIFETIME_MS)
  for (let found = AT_ONCE; found === AT_ONCE;) {
    const old = await query.listOldTrash(db, before, AT_ONCE)
    for (const finding of old) await removeOld(scopedTo(finding.organization_id), clock, finding, before)
    found = old.length
  }
  const replaced = isoTime(clock.now() - BASE_LIFETIME_MS)
  for (let deleted = TEXTS_AT_ONCE; deleted === TEXTS_AT_ONCE;)
    deleted = await deleteSquashedBefore(db, replaced, TEXTS_AT_ONCE)
}

type OldFinding = Awaited<ReturnType<typeof query.listOldTrash>>[number]

const removeOld = (
  db: Database,
  clock: Clock,
  { id, organization_id: organizationId, engagement_id: engagementId, title }: OldFinding,
  before: string,
) =>
  plainChange(db)(async (tx) => {
    // It may have been restored or deleted since it was listed.
    const finding = await query.lockFinding(tx, organizationId, id)
    if (!finding || finding.trashed_at === null || finding.trashed_at >= before) return
    await removeFinding(tx, organizationId, id)
    const by = { system: 'trash of findings', organizationId }
    await recordFinding(tx, by, clock, {
      action: 'finding.deleted',
      change: 'deleted',
      findingId: id,
      engagementId,
      before: { title },
    })
  })
