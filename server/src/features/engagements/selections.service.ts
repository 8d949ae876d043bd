import { ENGAGEMENT_ARCHIVED } from '@sortie/contract/core/values.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import type { Selection } from '../../platform/lists/list.ts'
import { listStatuses, lockEngagementsForShare } from './engagements.queries.ts'
import { lockWritableEngagementForShare } from './locks.service.ts'

/** A list of `listQuery`. */
interface SelectableList {
  choose(tx: Transaction, actor: Actor, selection: Selection): Promise<{ id: string; engagementId: string | null }[]>
}

/**
 * Resolves the selection of a bulk change and locks each of its engagements in share mode: call it before changing a
 * row.
 *
 * @returns ids, 10,000 at most
 * @throws ApiError VALIDATION_ERROR unless there are ids or a filter, NOT_FOUND for the engagement of a filter,
 *   CONFLICT if one of the engagements is archived, or a filter matches too many
 */
export const lockSelection = async (
  tx: Transaction,
  actor: Actor,
  list: SelectableList,
  selection: Selection,
): Promise<string[]> => {
  const named = selection.filter?.['engagementId'] as string | undefined
  if (named !== undefined && selection.ids === undefined) await lockWritableEngagementForShare(tx, actor, named)
  const chosen = await list.choose(tx, actor, selection)
  const engagementIds = [...new Set(chosen.flatMap(({ engagementId }) => engagementId ?? []))]
  await lockEngagementsForShare(tx, actor.organizationId, engagementIds)
  // Checked again under the locks: engagements that were hidden since do not count.
  const statuses = await listStatuses(tx, actor.organizationId, engagementIds)
  if ([...statuses.values()].includes('archived')) throw conflict(ENGAGEMENT_ARCHIVED)
  return chosen.filter(({ engagementId }) => engagementId === null || statuses.has(engagementId)).map(({ id }) => id)
}
