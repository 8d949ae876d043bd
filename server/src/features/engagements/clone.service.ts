import type { DetailsChange } from '@sortie/contract/engagement-details.ts'
import { CLONE_PARTS } from '@sortie/contract/engagement-overview.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Writer } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findDetails } from './details.queries.ts'
import { changeableOf, writeDetails } from './details.service.ts'
import { findEngagement, insertEngagement, shareEngagement } from './engagements.queries.ts'
import { requireFound } from './locks.service.ts'
import type { EngagementPart } from './parts.ts'

interface Wanted {
  name: string
  include: readonly (typeof CLONE_PARTS)[number][]
}

/**
 * A new engagement with what another one has, in one transaction. Access, lead and team always come along.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for a key that is limited to engagements
 */
export const cloneEngagement = ({ change, clock }: Writer, actor: Actor, from: string, { name, include }: Wanted, parts: readonly EngagementPart[]) =>
  change(async (tx) => {
    const { organizationId } = actor
    await shareEngagement(tx, organizationId, from)
    const source = await requireFound(findEngagement(tx, organizationId, from))
    if (actor.viewer === actor.id && actor.kind === 'key') throw forbidden('This key is limited to engagements and may not create any.')
    const details = changeableOf(await requireFound(findDetails(tx, organizationId, from)))
    const { access, lead, team } = details
    const isWhole = include.includes('details')
    const now = isoTime(clock.now())
    const engagement = await insertEngagement(tx, {
      id: newId('eng', clock.now()),
      organization_id: organizationId,
      name,
      description: isWhole ? source.description : '',
      status: 'active',
      created_at: now,
      updated_at: now,
      details_updated_at: now,
    })
    const copied: DetailsChange = isWhole ? details : { access, lead, team }
    await writeDetails(tx, organizationId, engagement.id, copied)
    // In the order of the words: what is copied later may rest on what is copied earlier.
    for (const part of CLONE_PARTS.filter((word) => include.includes(word))) {
      for (const { clone } of parts) if (clone?.part === part) await clone.copy(tx, { actor, clock, from, to: engagement.id })
    }
    const after = { name, status: engagement.status, clonedFrom: from, include, access }
    await recordAudit(tx, actor, clock, { action: 'engagement.created', object: { type: 'engagement', id: engagement.id }, after })
    await announce(tx, { type: 'engagement', engagementId: engagement.id, ids: [engagement.id], change: 'created' })
    return engagement
  })
