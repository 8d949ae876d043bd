import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import { readWithTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import { TRASH_LIFETIME_MS } from '../../../platform/lists/trash.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { deleteFolder, listBelow } from '../folders/folders.queries.ts'
import { lockOrder } from '../place.service.ts'
import { ofEngagement } from '../saved/requests.service.ts'
import * as query from './trash.queries.ts'

const AT_ONCE = 100

type Parts = Pick<Platform, 'db' | 'scopedTo' | 'clock'>
type OldDeletion = Awaited<ReturnType<typeof query.listOldTrash>>[number]
type Removal = (tx: Transaction, old: OldDeletion, before: string) => Promise<Removed | undefined>

interface Removed {
  /** For the audit log. */
  action: string
  type: string
  before: Record<string, unknown>
  ids: string[]
}

/**
 * Every hour: deletes requests and folders that were in the trash for 30 days, with their files. The storage quota
 * counts what is in the trash, so repeated deletions cannot fill the database.
 */
export const emptyRequestTrash = async (parts: Parts): Promise<void> => {
  const before = isoTime(parts.clock.now() - TRASH_LIFETIME_MS)
  await removeAll(parts, 'api_requests', before, removeRequest)
  await removeAll(parts, 'request_folders', before, removeFolder)
}

const removeAll = async (
  parts: Parts,
  table: 'request_folders' | 'api_requests',
  before: string,
  remove: Removal,
): Promise<void> => {
  for (let found = AT_ONCE; found === AT_ONCE;) {
    const old = await readWithTrash(parts.db, (tx) => query.listOldTrash(tx, table, before, AT_ONCE))
    for (const each of old) await removeOld(parts, each, before, remove)
    found = old.length
  }
}

const removeOld = ({ scopedTo, clock }: Parts, old: OldDeletion, before: string, remove: Removal): Promise<void> => {
  const { id, organization_id: organizationId, engagement_id: engagementId } = old
  return plainChange(scopedTo(organizationId))(async (tx) => {
    await showTrash(tx)
    const removed = await remove(tx, old, before)
    if (!removed) return
    await recordAudit(tx, { system: 'trash of requests', organizationId }, clock, {
      action: removed.action,
      object: { type: removed.type, id },
      ...ofEngagement(engagementId),
      before: removed.before,
    })
    await announce(tx, { type: 'request', engagementId, ids: removed.ids, change: 'deleted' })
  })
}

/** @returns undefined if it was restored, or deleted again, since it was listed */
const removeRequest: Removal = async (tx, { id, organization_id: organizationId }, before) => {
  const request = await query.lockTrashedRequest(tx, organizationId, id)
  if (!request || request.trashed_at === null || request.trashed_at >= before) return undefined
  await removeRequests(tx, organizationId, [id])
  const { name, method } = request
  return { action: 'api-request.deleted', type: 'api-request', before: { name, method }, ids: [id] }
}

/** Removes all that is in the folder: what was deleted with it, and what had been deleted before. */
const removeFolder: Removal = async (
  tx,
  { id, organization_id: organizationId, engagement_id: engagementId },
  before,
) => {
  await lockOrder(tx, 'folders', { organizationId, engagementId })
  const folder = await query.lockTrashedFolder(tx, organizationId, id)
  if (!folder || folder.trashed_at === null || folder.trashed_at >= before) return undefined
  const folderIds = (await listBelow(tx, organizationId, id)).map((below) => below.id)
  const requestIds = (await query.lockRequestsIn(tx, organizationId, folderIds)).map((request) => request.id)
  await removeRequests(tx, organizationId, requestIds)
  await deleteFolder(tx, organizationId, id)
  return {
    action: 'request-folder.deleted',
    type: 'request-folder',
    before: { name: folder.name, folders: folderIds.length, requests: requestIds.length },
    ids: [...folderIds, ...requestIds],
  }
}

const removeRequests = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  await deleteFilesOf(tx, organizationId, 'request', ids)
  await query.deleteRequests(tx, organizationId, ids)
}
