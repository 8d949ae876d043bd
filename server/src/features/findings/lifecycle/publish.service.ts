import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { lockWritableFinding } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { recordFinding } from '../record-finding.service.ts'
import { readBack } from '../update/update-finding.service.ts'

/**
 * Shows a finding to guests. Publishing again changes nothing.
 *
 * @throws ApiError CONFLICT for one that is not approved, unless it is forced; VALIDATION_ERROR for `force` without a
 *   reason
 */
export const publishFinding = (
  { change, clock }: Writer,
  actor: Actor,
  findingId: string,
  { force = false, reason }: { force?: boolean; reason?: string },
): Promise<query.WholeFindingRow> =>
  change(async (tx) => {
    const before = await lockWritableFinding(tx, actor, findingId)
    if (force && reason === undefined) throw invalid('reason: is needed with force')
    if (before.published_at !== null) return before
    if (before.state !== 'approved' && !force)
      throw conflict('This finding is not approved: approve it first, or publish it with force and a reason.')
    const now = Math.max(clock.now(), Date.parse(before.updated_at) + 1)
    const published_revision =
      before.state === 'approved' ? (before.approved_revision ?? before.revision) : before.revision
    await query.updateFinding(tx, actor.organizationId, findingId, {
      published_at: isoTime(now),
      published_revision,
      updated_at: isoTime(now),
    })
    await recordFinding(tx, actor, clock, {
      action: 'finding.published',
      change: 'updated',
      findingId,
      engagementId: before.engagement_id,
      after: { title: before.title, state: before.state, ...(before.state !== 'approved' && { reason }) },
    })
    return readBack(tx, actor.organizationId, findingId)
  })

/** Hides a finding from guests; one that is hidden already stays as it is. */
export const unpublishFinding = (
  { change, clock }: Writer,
  actor: Actor,
  findingId: string,
): Promise<query.WholeFindingRow> =>
  change(async (tx) => {
    const before = await lockWritableFinding(tx, actor, findingId)
    if (before.published_at === null) return before
    const updated_at = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
    await query.updateFinding(tx, actor.organizationId, findingId, {
      published_at: null,
      published_revision: null,
      updated_at,
    })
    await recordFinding(tx, actor, clock, {
      action: 'finding.unpublished',
      change: 'updated',
      findingId,
      engagementId: before.engagement_id,
      before: { title: before.title },
    })
    return readBack(tx, actor.organizationId, findingId)
  })
