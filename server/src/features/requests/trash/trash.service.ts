import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { hideTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import {
  findFolder,
  type FolderRow,
  listAncestors,
  listBelow,
  lockFolderForShare,
  updateFolder,
} from '../folders/folders.queries.ts'
import { lockVisibleFolder, MAX_DEPTH } from '../folders/folders.service.ts'
import { lockOrder, lockWritablePlace } from '../place.service.ts'
import { type RequestRow, updateRequest } from '../saved/requests.queries.ts'
import { lockVisibleRequest, ofEngagement, requireRequest } from '../saved/requests.service.ts'
import * as query from './trash.queries.ts'

/**
 * Moves a request to the trash with its files; its runs stay. @throws ApiError NOT_FOUND, CONFLICT for an archived
 * engagement
 */
export const deleteApiRequest = ({ change, clock }: Writer, actor: Actor, id: string): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { name, method, engagement_id: engagementId } = await lockVisibleRequest(tx, actor, id)
    await withTrash(tx, () =>
      query.setTrashed(tx, 'api_requests', organizationId, [id], { at: isoTime(clock.now()), rootId: id }),
    )
    await recordAudit(tx, actor, clock, {
      action: 'api-request.trashed',
      object: { type: 'api-request', id },
      ...ofEngagement(engagementId),
      before: { name, method },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'deleted' })
  })

/**
 * Moves a folder to the trash with the folders and requests in it, except for what is already there. @throws ApiError
 * NOT_FOUND, CONFLICT for an archived engagement
 */
export const deleteRequestFolder = ({ change, clock }: Writer, actor: Actor, id: string): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { name, engagement_id: engagementId } = await lockVisibleFolder(tx, actor, id, true)
    const below = (await listBelow(tx, organizationId, id)).map((folder) => folder.id)
    // No request can be added to the folders from here on: a change that adds one locks its folder first.
    const folderIds = idsOf(await query.lockFolders(tx, organizationId, below))
    const requestIds = idsOf(await query.lockRequestsIn(tx, organizationId, folderIds))
    const trash = { at: isoTime(clock.now()), rootId: id }
    await withTrash(tx, async () => {
      await query.setTrashed(tx, 'request_folders', organizationId, folderIds, trash)
      await query.setTrashed(tx, 'api_requests', organizationId, requestIds, trash)
    })
    await recordAudit(tx, actor, clock, {
      action: 'request-folder.trashed',
      object: { type: 'request-folder', id },
      ...ofEngagement(engagementId),
      before: { name, folders: folderIds.length, requests: requestIds.length },
    })
    await announce(tx, { type: 'request', engagementId, ids: [...folderIds, ...requestIds], change: 'deleted' })
  })

/**
 * Restores a request with its files, at its place; at the top if its folder is not there. @throws ApiError NOT_FOUND,
 * CONFLICT if it is not in the trash, or for an archived engagement
 */
export const restoreApiRequest = ({ change, clock }: Writer, actor: Actor, id: string): Promise<RequestRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    await lockPlaceOfTrashed(tx, actor, 'api_requests', id)
    const request = await withTrash(tx, () => query.lockTrashedRequest(tx, organizationId, id))
    if (!request) throw notFound()
    if (request.trashed_at === null) throw conflict('This request is not in the trash.')
    const { name, method, folder_id: folderId, engagement_id: engagementId } = request
    const folder = folderId === null ? undefined : await lockFolderForShare(tx, organizationId, folderId)
    await withTrash(tx, () => query.setTrashed(tx, 'api_requests', organizationId, [id], null))
    if (folderId !== null && !folder) await updateRequest(tx, organizationId, id, { folder_id: null })
    await recordAudit(tx, actor, clock, {
      action: 'api-request.restored',
      object: { type: 'api-request', id },
      ...ofEngagement(engagementId),
      after: { name, method },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'created' })
    return requireRequest(tx, organizationId, id)
  })

/**
 * Restores a folder with the folders and requests that were deleted with it, at its place; at the top if its parent is
 * not there, or is too deep by now. @throws ApiError NOT_FOUND, CONFLICT if it is not in the trash, or for an archived
 * engagement
 */
export const restoreRequestFolder = ({ change, clock }: Writer, actor: Actor, id: string): Promise<FolderRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const engagementId = await lockPlaceOfTrashed(tx, actor, 'request_folders', id)
    await lockOrder(tx, 'folders', { organizationId, engagementId })
    const { folder, folderIds, requestIds, height } = await withTrash(tx, () => lockDeletion(tx, organizationId, id))
    const isPlaceThere = folder.parent_id === null || (await hasPlaceIn(tx, organizationId, folder.parent_id, height))
    await withTrash(tx, async () => {
      await query.setTrashed(tx, 'request_folders', organizationId, folderIds, null)
      await query.setTrashed(tx, 'api_requests', organizationId, requestIds, null)
    })
    if (!isPlaceThere) await updateFolder(tx, organizationId, id, { parent_id: null })
    await recordAudit(tx, actor, clock, {
      action: 'request-folder.restored',
      object: { type: 'request-folder', id },
      ...ofEngagement(engagementId),
      after: { name: folder.name, folders: folderIds.length, requests: requestIds.length },
    })
    await announce(tx, { type: 'request', engagementId, ids: [...folderIds, ...requestIds], change: 'created' })
    const restored = await findFolder(tx, organizationId, id)
    if (!restored) throw notFound()
    return restored
  })

/** Locks a deleted folder and what was deleted with it, in the transaction that sees the trash. */
const lockDeletion = async (tx: Transaction, organizationId: string, id: string) => {
  const folder = await query.lockTrashedFolder(tx, organizationId, id)
  if (!folder) throw notFound()
  if (folder.trashed_at === null) throw conflict('This folder is not in the trash.')
  const rootId = folder.trash_root_id
  const below = await listBelow(tx, organizationId, id)
  const ids = below.map((each) => each.id)
  const folderIds = ofDeletion(await query.lockFolders(tx, organizationId, ids), rootId)
  const requestIds = ofDeletion(await query.lockRequestsIn(tx, organizationId, folderIds), rootId)
  const depths = new Map(below.map((each) => [each.id, each.depth]))
  return { folder, folderIds, requestIds, height: Math.max(...folderIds.map((each) => depths.get(each) ?? 1)) }
}

/**
 * Filters rows to those of one deletion. A folder or request whose parent is in another deletion is never among them.
 */
const ofDeletion = (rows: readonly { id: string; trash_root_id: string | null }[], rootId: string | null): string[] =>
  idsOf(rows.filter(({ trash_root_id }) => trash_root_id === rootId))

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** @param height levels of the restored tree, including its root */
const hasPlaceIn = async (
  tx: Transaction,
  organizationId: string,
  parentId: string,
  height: number,
): Promise<boolean> => {
  const parent = await lockFolderForShare(tx, organizationId, parentId)
  if (!parent) return false
  return (await listAncestors(tx, organizationId, parentId)).length + height <= MAX_DEPTH
}

/** Locks the engagement of a request or folder that may be in the trash. @returns its id; null for the organization */
const lockPlaceOfTrashed = async (
  tx: Transaction,
  actor: Actor,
  table: 'request_folders' | 'api_requests',
  id: string,
): Promise<string | null> => {
  const found = await withTrash(tx, () => query.findPlace(tx, table, actor.organizationId, id))
  if (!found) throw notFound()
  await lockWritablePlace(tx, actor, found.engagement_id)
  return found.engagement_id
}

/** Runs statements that see the trash, within a transaction that does not. */
const withTrash = async <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => {
  await showTrash(tx)
  const result = await work()
  await hideTrash(tx)
  return result
}
