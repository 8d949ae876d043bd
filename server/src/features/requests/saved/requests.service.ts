import { type Actor, authorOf } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Keys } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { lockFolderForShare } from '../folders/folders.queries.ts'
import { findNeighbour } from '../order.queries.ts'
import {
  lockWritablePlace,
  lockWritablePlaceInBody,
  lockOrder,
  type RequestOwner,
  positionBetween,
} from '../place.service.ts'
import {
  type AuthInput,
  openKeptSecrets,
  openSecrets,
  requireHost,
  requireHostForSecret,
  requireSecretForHost,
  type StoredAuth,
  sealSecrets,
  splitAuth,
} from '../secrets.ts'
import { type Definition, type RequestInput, requireMethod, toDefinition, writesNoFiles } from './definition.ts'
import * as query from './requests.queries.ts'

const STALE = 'Someone else changed this in the meantime. Reload it, then repeat the change.'

interface NewRequest extends RequestInput {
  engagementId?: string | null
  folderId?: string | null
  name: string
  description?: string
}

/**
 * Creates a request. @throws ApiError VALIDATION_ERROR for an unknown engagement or folder, CONFLICT for an archived
 * engagement
 */
export const createApiRequest = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  wanted: NewRequest,
): Promise<query.RequestRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagementId = null, folderId = null } = wanted
    requireHostForSecret(splitAuth(wanted.auth ?? { type: 'inherit' }, undefined), wanted.url)
    await lockWritablePlaceInBody(tx, actor, engagementId)
    if (folderId !== null) await requireFolder(tx, { organizationId, engagementId }, folderId)
    await requireStorage(tx, { config }, organizationId, 0)
    const now = clock.now()
    const id = newId('req', now)
    await lockOrder(tx, 'requests', { organizationId, engagementId })
    const row = toRow(keys, { organizationId, engagementId }, id, wanted)
    const position = positionBetween(
      await findNeighbour(tx, 'api_requests', organizationId, engagementId, 'before'),
      null,
    )
    await query.insertRequests(tx, [
      {
        ...row,
        folder_id: folderId,
        position,
        created_by: personOf(actor),
        created_at: isoTime(now),
        updated_at: isoTime(now),
      },
    ])
    await recordAudit(tx, actor, clock, {
      action: 'api-request.created',
      object: { type: 'api-request', id },
      ...ofEngagement(engagementId),
      after: { name: wanted.name, method: row.method },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'created' })
    return requireRequest(tx, organizationId, id)
  })

/** Returns the input columns of a new request. @throws ApiError VALIDATION_ERROR */
export const toRow = (keys: Keys, { organizationId, engagementId }: RequestOwner, id: string, input: NewRequest) => {
  requireHost(input.url)
  const { shown, secrets } = splitAuth(input.auth ?? { type: 'inherit' }, undefined)
  return {
    id,
    organization_id: organizationId,
    engagement_id: engagementId,
    name: input.name,
    description: input.description ?? '',
    method: requireMethod(input.method ?? 'GET'),
    url: input.url,
    definition: JSON.stringify({ ...toDefinition(input), auth: shown }),
    auth_secret: sealSecrets(keys, { organizationId, column: 'api_requests.auth_secret', id }, secrets),
  }
}

interface RequestChange extends Partial<RequestInput> {
  name?: string
  description?: string
  ifUpdatedAt?: string
}

/**
 * Updates a request. @throws ApiError NOT_FOUND, VALIDATION_ERROR, CONFLICT for a stale change or an archived
 * engagement
 */
export const updateApiRequest = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  id: string,
  wanted: RequestChange,
): Promise<query.RequestRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockVisibleRequest(tx, actor, id)
    const { ifUpdatedAt, name, description, method, url, auth, ...definition } = wanted
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) throw conflict(STALE)
    if (Object.keys(wanted).length === (ifUpdatedAt === undefined ? 0 : 1)) return before
    await requireStorage(tx, { config }, organizationId, 0)
    const stored = storedAuth(keys, organizationId, before, openKeptSecrets)
    if (url !== undefined) requireHost(url)
    if (url !== undefined) requireSecretForHost(stored, before.url, auth, url)
    const { shown, secrets } = auth ? splitAuth(auth, stored) : stored
    if (url !== undefined || auth) requireHostForSecret({ shown, secrets }, url ?? before.url)
    await query.updateRequest(tx, organizationId, id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(method !== undefined && { method: requireMethod(method) }),
      ...(url !== undefined && { url }),
      definition: JSON.stringify({ ...toDefinition(definition, definitionOf(before)), auth: shown }),
      ...(auth && {
        auth_secret: sealSecrets(keys, { organizationId, column: 'api_requests.auth_secret', id }, secrets),
      }),
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
    })
    await recordAudit(tx, actor, clock, {
      action: 'api-request.changed',
      object: { type: 'api-request', id },
      ...ofEngagement(before.engagement_id),
      before: { name: before.name, method: before.method },
      after: {
        name: name ?? before.name,
        method: method ?? before.method,
        fields: Object.keys(wanted).filter((field) => field !== 'ifUpdatedAt'),
      },
    })
    await announce(tx, { type: 'request', engagementId: before.engagement_id, ids: [id], change: 'updated' })
    return requireRequest(tx, organizationId, id)
  })

interface Move {
  folderId?: string | null
  beforeId?: string
  afterId?: string
}

/**
 * Moves a request. @throws ApiError NOT_FOUND, VALIDATION_ERROR for an invalid place, CONFLICT for an archived
 * engagement
 */
export const moveApiRequest = (
  { change, clock }: Writer,
  actor: Actor,
  id: string,
  wanted: Move,
): Promise<query.RequestRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagement_id: engagementId } = await requireRequest(tx, organizationId, id)
    const place = { organizationId, engagementId }
    await lockWritablePlace(tx, actor, engagementId)
    await lockOrder(tx, 'requests', place)
    const request = await lockVisibleRequest(tx, actor, id)
    const moved = await placeOf(tx, place, request, wanted)
    await query.updateRequest(tx, organizationId, id, {
      ...moved,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(request.updated_at) + 1)),
    })
    await recordAudit(tx, actor, clock, {
      action: 'api-request.moved',
      object: { type: 'api-request', id },
      ...ofEngagement(engagementId),
      before: { folderId: request.folder_id },
      after: { folderId: moved.folder_id },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'moved' })
    return requireRequest(tx, organizationId, id)
  })

const placeOf = async (
  tx: Transaction,
  place: RequestOwner,
  request: query.RequestRow,
  { folderId, beforeId, afterId }: Move,
) => {
  const { organizationId, engagementId } = place
  if (beforeId !== undefined && afterId !== undefined)
    throw invalid('beforeId: only one of beforeId and afterId can be given')
  const siblingId = beforeId ?? afterId
  const field = beforeId === undefined ? 'afterId' : 'beforeId'
  if (siblingId === undefined && folderId === undefined)
    throw invalid('folderId: one of folderId, beforeId and afterId is needed')
  if (siblingId === request.id) throw invalid(`${field}: is the request itself`)
  const sibling = siblingId === undefined ? undefined : await query.findRequest(tx, organizationId, siblingId)
  if (siblingId !== undefined && sibling?.engagement_id !== engagementId)
    throw invalid(`${field}: there is no such request here`)
  if (sibling && folderId !== undefined && folderId !== sibling.folder_id)
    throw invalid(`${field}: must be in folderId`)
  const target = sibling ? sibling.folder_id : (folderId ?? null)
  if (target !== null) await requireFolder(tx, place, target)
  const neighbour = (side: 'before' | 'after', position?: string) =>
    findNeighbour(tx, 'api_requests', organizationId, engagementId, side, position)
  if (!sibling) return { folder_id: target, position: positionBetween(await neighbour('before'), null) }
  const { position } = sibling
  return {
    folder_id: target,
    position: beforeId
      ? positionBetween(await neighbour('before', position), position)
      : positionBetween(position, await neighbour('after', position)),
  }
}

interface Copy {
  name?: string
  engagementId?: string | null
  folderId?: string | null
}

/**
 * Copies a request without runs and files. A copy in another engagement has no secrets, because its members may not be
 * allowed to use them.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for an unknown engagement or folder, CONFLICT for an archived engagement
 */
export const copyApiRequest = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  id: string,
  wanted: Copy,
): Promise<query.RequestRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const source = await requireRequest(tx, organizationId, id)
    const engagementId = wanted.engagementId === undefined ? source.engagement_id : wanted.engagementId
    const isElsewhere = engagementId !== source.engagement_id
    await lockWritablePlaceInBody(tx, actor, engagementId)
    const folderId = wanted.folderId ?? (wanted.folderId === null || isElsewhere ? null : source.folder_id)
    if (folderId !== null) await requireFolder(tx, { organizationId, engagementId }, folderId)
    await requireStorage(tx, { config }, organizationId, 0)
    await lockOrder(tx, 'requests', { organizationId, engagementId })
    const now = clock.now()
    const copyId = newId('req', now)
    const { auth, ...definition } = source.definition as Definition & { auth: AuthInput }
    const { secrets } = storedAuth(keys, organizationId, source)
    const shown = isElsewhere && Object.keys(secrets).length > 0 ? { ...auth, isSet: false } : auth
    await query.insertRequests(tx, [
      {
        id: copyId,
        organization_id: organizationId,
        engagement_id: engagementId,
        folder_id: folderId,
        name: wanted.name ?? source.name,
        description: source.description,
        method: source.method,
        url: source.url,
        definition: JSON.stringify({ ...definition, body: writesNoFiles(definition.body), auth: shown }),
        auth_secret: isElsewhere
          ? null
          : sealSecrets(keys, { organizationId, column: 'api_requests.auth_secret', id: copyId }, secrets),
        position: positionBetween(
          await findNeighbour(tx, 'api_requests', organizationId, engagementId, 'before'),
          null,
        ),
        created_by: personOf(actor),
        created_at: isoTime(now),
        updated_at: isoTime(now),
      },
    ])
    await recordAudit(tx, actor, clock, {
      action: 'api-request.copied',
      object: { type: 'api-request', id: copyId },
      ...ofEngagement(engagementId),
      after: { name: wanted.name ?? source.name, from: id },
    })
    await announce(tx, { type: 'request', engagementId, ids: [copyId], change: 'created' })
    return requireRequest(tx, organizationId, copyId)
  })

export const definitionOf = ({ definition }: Pick<query.RequestRow, 'definition'>): Definition => {
  const { auth: _, ...rest } = definition as Definition & { auth: AuthInput }
  return rest
}

/** @throws ApiError CONFLICT for a secret that cannot be decrypted, unless `open` ignores it */
export const storedAuth = (
  keys: Keys,
  organizationId: string,
  row: query.RequestRow,
  open = openSecrets,
): StoredAuth => ({
  shown: (row.definition as { auth: AuthInput }).auth,
  secrets: open(keys, { organizationId, column: 'api_requests.auth_secret', id: row.id }, row.auth_secret),
})

/** Locks a request and its engagement. */
export const lockVisibleRequest = async (tx: Transaction, actor: Actor, id: string): Promise<query.RequestRow> => {
  const { organizationId } = actor
  const { engagement_id: engagementId } = await requireRequest(tx, organizationId, id)
  await lockWritablePlace(tx, actor, engagementId)
  await query.lockRequest(tx, organizationId, id)
  return requireRequest(tx, organizationId, id)
}

/** @throws ApiError NOT_FOUND */
export const requireRequest = async (
  db: Writer['db'],
  organizationId: string,
  id: string,
): Promise<query.RequestRow> => {
  const row = await query.findRequest(db, organizationId, id)
  if (!row) throw notFound()
  return row
}

const requireFolder = async (
  tx: Transaction,
  { organizationId, engagementId }: RequestOwner,
  folderId: string,
): Promise<void> => {
  const folder = await lockFolderForShare(tx, organizationId, folderId)
  if (!folder || folder.engagement_id !== engagementId) throw invalid('folderId: there is no such folder here')
}

export const personOf = (actor: Actor): string | null => authorOf(actor)

export const ofEngagement = (engagementId: string | null) => (engagementId === null ? {} : { engagementId })
