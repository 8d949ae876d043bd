import { MAX_VIEWS, type VIEW_LISTS, type View } from '@sortie/contract/core/views.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { violates } from '../../platform/database/connection/failures.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import { asServer, type Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import * as query from './views.queries.ts'

interface NewView {
  list: (typeof VIEW_LISTS)[number]
  engagementId?: string | null
  name: string
  search: string
  shared?: boolean
}

/**
 * @throws ApiError VALIDATION_ERROR for a hidden engagement, CONFLICT in an archived one, for a name that is taken, or
 *   beyond the limit
 */
export const createView = ({ change, clock }: Writer, actor: Actor, wanted: NewView): Promise<query.ViewRow> =>
  named('You already have a view with this name.', () =>
    change(async (tx) => {
      const { organizationId, id: ownerId } = actor
      const { list, engagementId = null, name, search, shared = false } = wanted
      if (engagementId !== null) await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
      await acquireFairLocks(tx, { exclusive: [`views of ${organizationId} ${ownerId}`] })
      const count = await asServer(tx, () => query.countViews(tx, organizationId, ownerId))
      if (count >= MAX_VIEWS) throw conflict(`You have ${MAX_VIEWS} views: delete one first.`)
      const now = clock.now()
      const id = newId('viw', now)
      await query.insertView(tx, {
        id,
        organization_id: organizationId,
        owner_id: ownerId,
        engagement_id: engagementId,
        list,
        name,
        search,
        is_shared: shared,
        created_at: isoTime(now),
        updated_at: isoTime(now),
      })
      await recordAudit(tx, actor, clock, {
        action: 'view.created',
        ...placeOf(id, engagementId),
        after: { list, ...describeView({ name, search, is_shared: shared }) },
      })
      return requireView(await query.findView(tx, organizationId, id))
    }),
  )

interface ViewChange {
  name?: string
  search?: string
  shared?: boolean
}

/**
 * @throws ApiError NOT_FOUND, FORBIDDEN for another user's view, CONFLICT in an archived engagement or for a name that
 *   is taken
 */
export const updateView = (
  { change, clock }: Writer,
  actor: Actor,
  id: string,
  { name, search, shared }: ViewChange,
): Promise<query.ViewRow> =>
  named('A view with this name already exists.', () =>
    change(async (tx) => {
      const before = await lockVisibleView(tx, actor, id)
      await query.updateView(tx, actor.organizationId, id, {
        ...(name !== undefined && { name }),
        ...(search !== undefined && { search }),
        ...(shared !== undefined && { is_shared: shared }),
        updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
      })
      const view = requireView(await query.findView(tx, actor.organizationId, id))
      await recordAudit(tx, actor, clock, {
        action: 'view.changed',
        ...placeOf(id, before.engagement_id),
        before: describeView(before),
        after: describeView(view),
      })
      return view
    }),
  )

/** @throws ApiError NOT_FOUND, FORBIDDEN for another user's view, CONFLICT in an archived engagement */
export const deleteView = ({ change, clock }: Writer, actor: Actor, id: string): Promise<void> =>
  change(async (tx) => {
    const before = await lockVisibleView(tx, actor, id)
    await query.deleteView(tx, actor.organizationId, id)
    await recordAudit(tx, actor, clock, {
      action: 'view.deleted',
      ...placeOf(id, before.engagement_id),
      before: describeView(before),
    })
  })

export const toView = (row: query.ViewRow): Static<typeof View> => ({
  id: row.id,
  list: row.list as NewView['list'],
  engagementId: row.engagement_id,
  name: row.name,
  search: row.search,
  shared: row.is_shared,
  owner: { id: row.owner_id, name: row.owner_name },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const lockVisibleView = async (tx: Transaction, actor: Actor, id: string): Promise<query.ViewRow> => {
  const { organizationId } = actor
  const { engagement_id: engagementId } = requireSeen(await query.findView(tx, organizationId, id), actor)
  if (engagementId !== null) await lockWritableEngagementForShare(tx, actor, engagementId)
  const view = requireSeen(await query.lockView(tx, organizationId, id), actor)
  const isAdmin = actor.role === 'owner' || actor.role === 'admin'
  if (view.owner_id !== actor.id && !isAdmin) throw forbidden('Only its creator, the owner and admins may change it.')
  return view
}

/** Private views of others are hidden, also from admins. */
const requireSeen = (row: query.ViewRow | undefined, actor: Actor): query.ViewRow => {
  const view = requireView(row)
  if (view.owner_id !== actor.id && !view.is_shared) throw notFound()
  return view
}

const requireView = (row: query.ViewRow | undefined): query.ViewRow => {
  if (!row) throw notFound()
  return row
}

const placeOf = (id: string, engagementId: string | null) => ({
  object: { type: 'view', id },
  ...(engagementId !== null && { engagementId }),
})
/** The audit log reveals nothing about a private view except that it exists. */
const describeView = ({ name, search, is_shared: shared }: Pick<query.ViewRow, 'name' | 'search' | 'is_shared'>) =>
  shared ? { name, search, shared } : { shared }

const named = async <T>(refusal: string, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'saved_views_name')) throw conflict(refusal)
    throw error
  }
}
