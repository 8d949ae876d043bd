import type { DetailsChange } from '@sortie/contract/engagement/engagement-details.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { RunChange } from '../../platform/database/change.ts'
import { conflict } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { selectClient } from '../clients/select-client.service.ts'
import { setFields } from '../custom-fields/field-values.service.ts'
import { creating, ledBy, requireCreator } from './creators.service.ts'
import { writeDetails } from './details/details.service.ts'
import * as query from './engagements.queries.ts'
import { lockVisibleEngagement } from './locks.service.ts'

type Status = 'active' | 'completed' | 'archived'

/** The allowed next statuses (open point 4). */
const TRANSITIONS: Record<Status, readonly Status[]> = {
  active: ['completed'],
  completed: ['archived', 'active'],
  archived: ['active'],
}

interface NewEngagement {
  name: string
  description: string
  details?: DetailsChange
}

/**
 * @throws ApiError FORBIDDEN to members where the organization does not let them, VALIDATION_ERROR for invalid details
 */
export const createEngagement = (
  { change, clock, config }: Pick<Writer, 'change' | 'clock' | 'config'>,
  actor: Actor,
  wanted: NewEngagement,
) =>
  change(
    async (tx, isAllowed) => {
      const given = (await requireCreator(tx, actor, config, isAllowed)) ? ledBy(actor, wanted.details) : wanted.details
      const details = given && { ...given, ...(await selectClient(tx, clock, actor, given, null)) }
      const now = clock.now()
      const engagement = await query.insertEngagement(tx, {
        id: newId('eng', now),
        organization_id: actor.organizationId,
        name: wanted.name,
        description: wanted.description,
        status: 'active',
        created_at: isoTime(now),
        updated_at: isoTime(now),
        details_updated_at: isoTime(now),
      })
      if (details) await writeDetails(tx, actor.organizationId, engagement.id, details)
      await setFields(
        tx,
        actor,
        { type: 'engagement', id: engagement.id, engagementId: engagement.id },
        details?.fields,
      )
      await recordAudit(tx, actor, clock, {
        action: 'engagement.created',
        object: { type: 'engagement', id: engagement.id },
        after: { name: engagement.name, status: engagement.status, ...details },
      })
      await announce(tx, { type: 'engagement', engagementId: engagement.id, ids: [engagement.id], change: 'created' })
      return engagement
    },
    creating(actor, config),
  )

export interface EngagementChange {
  name: string | undefined
  description: string | undefined
  status: Status | undefined
  /** `updatedAt` that the change is based on; undefined skips the check. */
  ifUpdatedAt: string | undefined
}

/** Unchanged values have no effect. @throws ApiError CONFLICT for a stale change or a forbidden transition */
export const updateEngagement = (
  change: RunChange,
  actor: Actor,
  clock: Clock,
  engagementId: string,
  wanted: EngagementChange,
) =>
  change(async (tx) => {
    const before = await lockVisibleEngagement(tx, actor, engagementId)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this engagement in the meantime. Reload it, then repeat the change.')
    }
    const changed = Object.entries({
      name: wanted.name,
      description: wanted.description,
      status: wanted.status,
    }).filter(([field, value]) => value !== undefined && value !== before[field as 'name'])
    if (changed.length === 0) return before
    const from = before.status
    if (wanted.status && wanted.status !== from && !TRANSITIONS[from].includes(wanted.status)) {
      throw conflict(
        `status: cannot go from ${from} to ${wanted.status}; from ${from} it goes to ${TRANSITIONS[from].join(' or ')}`,
      )
    }
    // Two changes within a millisecond still get different times: updatedAt distinguishes states.
    const now = Math.max(clock.now(), Date.parse(before.updated_at) + 1)
    const changes = { ...Object.fromEntries(changed), updated_at: isoTime(now) }
    await query.updateEngagement(tx, actor.organizationId, engagementId, changes)
    await recordAudit(tx, actor, clock, {
      action: 'engagement.changed',
      object: { type: 'engagement', id: engagementId },
      before: Object.fromEntries(changed.map(([field]) => [field, before[field as 'name']])),
      after: Object.fromEntries(changed),
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'updated' })
    return { ...before, ...changes }
  })
