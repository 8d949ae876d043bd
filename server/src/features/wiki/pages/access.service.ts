import { type Actor, isLimitedKey } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { ApiError, conflict, forbidden, invalid, notFound } from '../../../platform/errors.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { requireWritable, lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { findPageSummary, findTreeOf, type LockedPage, lockPage, type PageRow } from './pages.queries.ts'
import { lockTree } from './tree/positions.ts'

/** Deeper trees are unreadable; the paths of an export stay short enough for every system. */
export const MAX_DEPTH = 50

/**
 * Locks a page for a change of itself, and its engagement in share mode.
 *
 * @param shape also locks its tree, for a change of its position
 * @throws ApiError NOT_FOUND, CONFLICT in an archived engagement
 */
export const lockVisiblePage = async (
  tx: Transaction,
  actor: Actor,
  pageId: string,
  { shape = false } = {},
): Promise<LockedPage> => {
  const { organizationId } = actor
  const seen = await findTreeOf(tx, organizationId, pageId)
  if (!seen) throw notFound()
  if (seen.engagement_id !== null) await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  if (shape) await lockTree(tx, organizationId, seen.engagement_id)
  const page = await lockPage(tx, organizationId, pageId)
  if (!page) throw notFound()
  return page
}

/** @throws ApiError NOT_FOUND, CONFLICT in the trash or in an archived engagement */
export const lockWritablePage = async (
  tx: Transaction,
  actor: Actor,
  pageId: string,
  options?: { shape: boolean },
): Promise<LockedPage> => {
  const page = await lockVisiblePage(tx, actor, pageId, options)
  requireKept(page)
  return page
}

/** @throws ApiError CONFLICT in the trash */
export const requireKept = ({ trashed_at }: Pick<PageRow, 'trashed_at'>): void => {
  if (trashed_at !== null) throw conflict('This page is in the trash: restore it first.')
}

/** Checks before the bytes of a file are read. @throws ApiError NOT_FOUND, CONFLICT if the page cannot be changed */
export const requireWritablePage = async (db: Database, organizationId: string, pageId: string): Promise<void> => {
  const page = await findPageSummary(db, organizationId, pageId)
  if (!page) throw notFound()
  requireKept(page)
  if (page.engagement_id !== null) requireWritable(await findEngagement(db, organizationId, page.engagement_id))
}

/**
 * Locks a tree for a change of its structure.
 *
 * @throws ApiError VALIDATION_ERROR if the engagement of a body is hidden, CONFLICT for an archived one, FORBIDDEN to
 *   keys that are limited to engagements, for the organization's tree
 */
export const lockWritableTree = async (tx: Transaction, actor: Actor, engagementId: string | null): Promise<void> => {
  if (engagementId === null && isLimitedKey(actor)) throw forbidden('This key is limited to engagements.')
  if (engagementId !== null) await asBodyFieldError(() => lockWritableEngagementForShare(tx, actor, engagementId))
  await lockTree(tx, actor.organizationId, engagementId)
}

/** A hidden engagement is "not found" in a path, and invalid in a body. */
const asBodyFieldError = async (find: () => Promise<void>): Promise<void> => {
  try {
    await find()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND')
      throw invalid('engagementId: must be an engagement that you can see')
    throw error
  }
}
