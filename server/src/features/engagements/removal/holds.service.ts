import { ALREADY_HELD, ON_HOLD } from '@sortie/contract/engagement/engagement-trash.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockVisibleEngagement } from '../locks.service.ts'
import { deleteHold, findHold, insertHold, listHeldNames, setHeld } from './holds.queries.ts'

/** The transaction has locked the engagement. @throws ApiError CONFLICT for one on legal hold */
export const requireNotHeld = async (tx: Transaction, organizationId: string, engagementId: string): Promise<void> => {
  if (await findHold(tx, organizationId, engagementId)) throw conflict(ON_HOLD)
}

/** @throws ApiError CONFLICT if an engagement of the organization is on legal hold */
export const requireNoHolds = async (tx: Transaction, organizationId: string): Promise<void> => {
  const [name] = await listHeldNames(tx, organizationId, 1)
  if (name !== undefined)
    throw conflict(
      `The engagement "${name}" is on legal hold, so the organization cannot be removed. Its owner or an admin releases the hold in the settings of the engagement.`,
    )
}

/** @throws ApiError NOT_FOUND, CONFLICT if it is held already */
export const holdEngagement = (
  { change, clock }: Pick<Writer, 'change' | 'clock'>,
  actor: Actor,
  engagementId: string,
  reason: string,
) =>
  change(async (tx) => {
    const { organizationId } = actor
    const { name } = await lockVisibleEngagement(tx, actor, engagementId)
    if (await findHold(tx, organizationId, engagementId)) throw conflict(ALREADY_HELD)
    const hold = { reason, held_by: actor.id, held_by_name: actor.name, held_at: isoTime(clock.now()) }
    await insertHold(tx, { organization_id: organizationId, engagement_id: engagementId, ...hold })
    await setHeld(tx, organizationId, engagementId, true)
    await recordAudit(tx, actor, clock, {
      action: 'engagement.hold-set',
      object: { type: 'engagement', id: engagementId },
      after: { name, reason },
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'updated' })
    return hold
  })

/** @throws ApiError NOT_FOUND, also for an engagement that is not held */
export const releaseEngagementHold = (
  { change, clock }: Pick<Writer, 'change' | 'clock'>,
  actor: Actor,
  engagementId: string,
): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { name } = await lockVisibleEngagement(tx, actor, engagementId)
    const hold = await findHold(tx, organizationId, engagementId)
    if (!hold) throw notFound()
    await deleteHold(tx, organizationId, engagementId)
    await setHeld(tx, organizationId, engagementId, false)
    await recordAudit(tx, actor, clock, {
      action: 'engagement.hold-released',
      object: { type: 'engagement', id: engagementId },
      before: { name, reason: hold.reason, heldBy: hold.held_by_name, heldAt: hold.held_at },
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'updated' })
  })
