import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { consumeNumbers } from '../order/numbers.queries.ts'
import { taskOrder } from '../order/task-order.ts'
import { requireTaskQuota } from '../tasks.service.ts'
import { insertChecks } from './checks.queries.ts'

/** A task that checks an item of a methodology. */
export interface NewCheck {
  itemKey: string
  /** Null: once for the engagement. */
  targetId: string | null
  title: string
}

const MAX_TITLE = 200
/** Keeps each statement short, however many there are. */
const AT_ONCE = 1_000

/**
 * Adds untested checks after all other tasks. The caller has locked the order of the engagement's tasks, and none of
 * the checks exists.
 *
 * @returns their ids
 * @throws ApiError CONFLICT if the engagement is full
 */
export const addChecks = async (
  writer: Writer,
  tx: Transaction,
  actor: Actor,
  { engagementId, methodologyId }: { engagementId: string; methodologyId: string },
  checks: readonly NewCheck[],
): Promise<string[]> => {
  const { organizationId } = actor
  await requireTaskQuota(writer, tx, organizationId, engagementId, checks.length)
  const positions = await taskOrder.lastPositions(tx, { organizationId, engagementId }, checks.length)
  if (checks.length === 0) return []
  const first = await consumeNumbers(tx, organizationId, engagementId, checks.length)
  const now = writer.clock.now()
  const rows = checks.map(({ itemKey, targetId, title }, index) => ({
    id: newId('tsk', now),
    number: first + index,
    position: positions[index] as string,
    item_key: itemKey,
    target_id: targetId,
    title: [...title].slice(0, MAX_TITLE).join(''),
  }))
  const shared = {
    organizationId,
    engagementId,
    methodologyId,
    createdBy: authorOf(actor),
    now: isoTime(now),
  }
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await insertChecks(tx, shared, rows.slice(from, from + AT_ONCE))
  return rows.map(({ id }) => id)
}
