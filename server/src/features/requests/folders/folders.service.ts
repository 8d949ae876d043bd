import type { RequestFolder } from '@sortie/contract/requests/request-folders.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findNeighbour } from '../order.queries.ts'
import {
  lockWritablePlace,
  lockWritablePlaceInBody,
  lockOrder,
  type RequestOwner,
  positionBetween,
} from '../place.service.ts'
import { canonicalHosts, requireNoFurther, type SecretHosts } from '../secret-hosts.ts'
import { type AuthInput, isKept, openKeptSecrets, sealSecrets, splitAuth } from '../secrets.ts'
import * as query from './folders.queries.ts'

/** Levels of folders. */
export const MAX_DEPTH = 20
const STALE = 'Someone else changed this in the meantime. Reload it, then repeat the change.'

interface NewFolder {
  engagementId?: string | null
  parentId?: string | null
  name: string
  auth?: AuthInput
  hosts?: SecretHosts
}

/**
 * Creates a folder. @throws ApiError VALIDATION_ERROR for an unknown engagement or parent, CONFLICT for an archived
 * engagement
 */
export const createRequestFolder = (
  { change, clock, keys }: Writer,
  actor: Actor,
  wanted: NewFolder,
): Promise<query.FolderRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagementId = null, parentId = null, name, auth = { type: 'inherit' }, hosts = null } = wanted
    await lockWritablePlaceInBody(tx, actor, engagementId)
    const place = { organizationId, engagementId }
    await lockOrder(tx, 'folders', place)
    if (parentId !== null) await requireParent(tx, place, parentId, 1)
    const now = clock.now()
    const id = newId('fld', now)
    const { shown, secrets } = splitAuth(auth, undefined)
    await query.insertFolders(tx, [
      {
        id,
        organization_id: organizationId,
        engagement_id: engagementId,
        parent_id: parentId,
        name,
        auth: JSON.stringify(shown),
        auth_secret: sealSecrets(keys, { organizationId, column: 'request_folders.auth_secret', id }, secrets),
        hosts: canonicalHosts(hosts),
        position: positionBetween(
          await findNeighbour(tx, 'request_folders', organizationId, engagementId, 'before'),
          null,
        ),
        created_at: isoTime(now),
        updated_at: isoTime(now),
      },
    ])
    await recordAudit(tx, actor, clock, {
      action: 'request-folder.created',
      object: { type: 'request-folder', id },
      ...(engagementId !== null && { engagementId }),
      after: { name, ...(parentId !== null && { parentId }), ...(hosts !== null && { hosts }) },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'created' })
    return requireFolder(await query.findFolder(tx, organizationId, id))
  })

interface FolderChange {
  name?: string
  auth?: AuthInput
  hosts?: SecretHosts
  parentId?: string | null
  beforeId?: string
  afterId?: string
  ifUpdatedAt?: string
}

/**
 * Updates a folder. @throws ApiError NOT_FOUND, VALIDATION_ERROR for an invalid place, CONFLICT for a stale change or
 * an archived engagement
 */
export const updateRequestFolder = (
  { change, clock, keys }: Writer,
  actor: Actor,
  id: string,
  wanted: FolderChange,
): Promise<query.FolderRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const isMoved = wanted.parentId !== undefined || wanted.beforeId !== undefined || wanted.afterId !== undefined
    const before = await lockVisibleFolder(tx, actor, id, isMoved)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) throw conflict(STALE)
    const columns = {
      ...(wanted.name !== undefined && wanted.name !== before.name && { name: wanted.name }),
      ...secretColumns(keys, organizationId, before, wanted),
      ...(isMoved && (await movedColumns(tx, actor, before, wanted))),
    }
    if (Object.keys(columns).length === 0) return before
    await query.updateFolder(tx, organizationId, id, {
      ...columns,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
    })
    await recordAudit(tx, actor, clock, {
      action: 'request-folder.changed',
      object: { type: 'request-folder', id },
      ...(before.engagement_id !== null && { engagementId: before.engagement_id }),
      before: {
        name: before.name,
        parentId: before.parent_id,
        ...(columns.hosts !== undefined && { hosts: before.hosts }),
      },
      after: {
        name: columns.name ?? before.name,
        parentId: columns.parent_id ?? before.parent_id,
        ...(wanted.auth && { auth: wanted.auth.type }),
        ...(columns.hosts !== undefined && { hosts: columns.hosts }),
      },
    })
    await announce(tx, {
      type: 'request',
      engagementId: before.engagement_id,
      ids: [id],
      change: isMoved ? 'moved' : 'updated',
    })
    return requireFolder(await query.findFolder(tx, organizationId, id))
  })

export const toFolder = (row: query.FolderRow): Static<typeof RequestFolder> => ({
  id: row.id,
  engagementId: row.engagement_id,
  parentId: row.parent_id,
  name: row.name,
  auth: row.auth as AuthInput,
  hosts: row.hosts,
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Locks a folder and its engagement; `inOrder` also locks the tree. */
export const lockVisibleFolder = async (
  tx: Transaction,
  actor: Actor,
  id: string,
  inOrder: boolean,
): Promise<query.FolderRow> => {
  const { organizationId } = actor
  const { engagement_id: engagementId } = requireFolder(await query.findFolder(tx, organizationId, id))
  await lockWritablePlace(tx, actor, engagementId)
  if (inOrder) await lockOrder(tx, 'folders', { organizationId, engagementId })
  return requireFolder(await query.lockFolder(tx, organizationId, id))
}

const requireFolder = (folder: query.FolderRow | undefined): query.FolderRow => {
  if (!folder) throw notFound()
  return folder
}

const secretColumns = (
  keys: Writer['keys'],
  organizationId: string,
  { id, auth, auth_secret, hosts }: query.FolderRow,
  wanted: FolderChange,
) => {
  const place = { organizationId, column: 'request_folders.auth_secret', id } as const
  const stored = { shown: auth as AuthInput, secrets: openKeptSecrets(keys, place, auth_secret) }
  const wantedHosts = wanted.hosts === undefined ? undefined : canonicalHosts(wanted.hosts)
  // Counts a secret that cannot be decrypted now, because the operator may restore its key.
  if (wantedHosts !== undefined)
    requireNoFurther(hosts, wantedHosts, auth_secret !== null && isKept(stored, wanted.auth))
  const split = wanted.auth && splitAuth(wanted.auth, stored)
  return {
    ...(split && { auth: JSON.stringify(split.shown), auth_secret: sealSecrets(keys, place, split.secrets) }),
    ...(wantedHosts !== undefined && { hosts: wantedHosts }),
  }
}

const movedColumns = async (
  tx: Transaction,
  actor: Actor,
  folder: query.FolderRow,
  { parentId, beforeId, afterId }: FolderChange,
) => {
  const { organizationId } = actor
  const place = { organizationId, engagementId: folder.engagement_id }
  if (beforeId !== undefined && afterId !== undefined)
    throw invalid('beforeId: only one of beforeId and afterId can be given')
  const siblingId = beforeId ?? afterId
  const field = beforeId === undefined ? 'afterId' : 'beforeId'
  if (siblingId === folder.id) throw invalid(`${field}: is the folder itself`)
  const sibling = siblingId === undefined ? undefined : await query.findFolder(tx, organizationId, siblingId)
  if (siblingId !== undefined && sibling?.engagement_id !== folder.engagement_id)
    throw invalid(`${field}: there is no such folder here`)
  const target = parentId ?? (parentId === null ? null : sibling ? sibling.parent_id : folder.parent_id)
  if (sibling && sibling.parent_id !== target) throw invalid(`${field}: must be in parentId`)
  if (target !== null && target !== folder.parent_id) {
    const below = await query.listBelow(tx, organizationId, folder.id)
    if (below.some(({ id }) => id === target)) throw invalid('parentId: must not be inside the folder itself')
    await requireParent(tx, place, target, Math.max(...below.map(({ depth }) => depth)))
  }
  const neighbour = (side: 'before' | 'after', position?: string) =>
    findNeighbour(tx, 'request_folders', organizationId, folder.engagement_id, side, position)
  if (!sibling) return { parent_id: target, position: positionBetween(await neighbour('before'), null) }
  const { position } = sibling
  return {
    parent_id: target,
    position: beforeId
      ? positionBetween(await neighbour('before', position), position)
      : positionBetween(position, await neighbour('after', position)),
  }
}

/** @param height levels of the inserted tree, including its root */
const requireParent = async (
  tx: Transaction,
  { organizationId, engagementId }: RequestOwner,
  parentId: string,
  height: number,
): Promise<void> => {
  const parent = await query.lockFolderForShare(tx, organizationId, parentId)
  if (!parent || parent.engagement_id !== engagementId) throw invalid('parentId: there is no such folder here')
  const ancestors = await query.listAncestors(tx, organizationId, parentId)
  if (ancestors.length + height > MAX_DEPTH) throw invalid(`parentId: folders nest at most ${MAX_DEPTH} deep`)
}

/** Finds the folder whose auth a request inherits: the nearest ancestor with its own. */
export const findGivingFolder = async (
  db: Database,
  organizationId: string,
  folderId: string | null,
): Promise<query.FolderRow | undefined> => {
  const folders = folderId === null ? [] : await query.listAncestors(db, organizationId, folderId)
  return folders.find(({ auth }) => (auth as AuthInput).type !== 'inherit')
}
