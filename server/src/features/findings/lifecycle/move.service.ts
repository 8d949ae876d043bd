import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { lockEngagementOfFindingForShare, lockWritableFinding } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { recordFinding } from '../record-finding.service.ts'
import { readBack } from '../update/update-finding.service.ts'
import { findingOrder } from './finding-order.ts'

/**
 * Moves a finding next to another. Moves in one engagement wait for each other, so that they result in one order.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR unless exactly one other finding of the engagement is given
 */
export const moveFinding = (
  { change, clock }: Writer,
  actor: Actor,
  findingId: string,
  { beforeId, afterId }: { beforeId?: string; afterId?: string },
): Promise<query.WholeFindingRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const engagementId = await lockEngagementOfFindingForShare(tx, actor, findingId)
    const [side, otherId] = beforeId === undefined ? (['after', afterId] as const) : (['before', beforeId] as const)
    if (otherId === undefined || (beforeId !== undefined && afterId !== undefined))
      throw invalid('beforeId: exactly one of beforeId and afterId is needed')
    if (otherId === findingId) throw invalid(`${side}Id: is the finding itself`)
    await findingOrder.lock(tx, { organizationId, engagementId })
    const finding = await lockWritableFinding(tx, actor, findingId)
    const position = await findingOrder.positionNextTo(tx, { organizationId, engagementId }, finding, side, otherId)
    if (position === finding.position) return finding
    await findingOrder.updatePositions(tx, organizationId, [{ id: findingId, position }])
    const after = { title: finding.title, [`${side}Id`]: otherId }
    await recordFinding(tx, actor, clock, { action: 'finding.moved', change: 'moved', findingId, engagementId, after })
    return readBack(tx, organizationId, findingId)
  })
