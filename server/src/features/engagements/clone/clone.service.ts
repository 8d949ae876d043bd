import type { DetailsChange } from '@sortie/contract/engagement/engagement-details.ts'
import { CLONE_PARTS } from '@sortie/contract/engagement/engagement-overview.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import type { LongRunningJob } from '../../../platform/jobs/kinds.ts'
import { startBackgroundJob } from '../../../platform/jobs/start.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { selectClient } from '../../clients/select-client.service.ts'
import { copyFields, setFields } from '../../custom-fields/field-values.service.ts'
import { creating, ledBy, requireCreator } from '../creators.service.ts'
import { findDetails } from '../details/details.queries.ts'
import { changeableOf, writeDetails } from '../details/details.service.ts'
import { findEngagement, insertEngagement, lockEngagementForShare } from '../engagements.queries.ts'
import { requireFound } from '../locks.service.ts'
import type { ClonePart, EngagementPart } from '../parts.ts'
import { copyNext, type Rest } from './clone.job.ts'
import { insertClone } from './clone.queries.ts'

interface CloneInput {
  name: string
  include: readonly (typeof CLONE_PARTS)[number][]
  /** Replace those of the source. */
  details?: DetailsChange | undefined
}

/** Batches that are copied before the response: a few thousand objects, in about a second. */
const PIECES_AT_ONCE = 8

/**
 * Creates a copy of an engagement. Access, lead and team are always copied. Most engagements are copied in the
 * transaction that creates them; the rest of a large one follows as a long-running job.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN to members where the organization does not let them, CONFLICT when the quota is
 *   exceeded
 */
export const cloneEngagement = (
  { change, clock, config, jobs, storage }: Writer,
  actor: Actor,
  from: string,
  { name, include, details: wanted = {} }: CloneInput,
  parts: readonly EngagementPart[],
  later: LongRunningJob,
) =>
  change(
    async (tx, isAllowed) => {
      const isMembers = await requireCreator(tx, actor, config, isAllowed)
      const { organizationId } = actor
      await lockEngagementForShare(tx, organizationId, from)
      const source = await requireFound(findEngagement(tx, organizationId, from))
      // Not the prefix: tasks of the two have different short ids.
      const {
        prefix: _,
        isTemplate: __,
        ...copy
      } = changeableOf(await requireFound(findDetails(tx, organizationId, from)))
      const details = replaced(isMembers ? withLead(copy, actor.id) : copy, isMembers ? ledBy(actor, wanted) : wanted)
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
      const isOtherClient = wanted.clientId !== undefined || wanted.clientName !== undefined
      const client = await selectClient(
        tx,
        clock,
        actor,
        isWhole && !isOtherClient ? { clientId: copy.clientId } : wanted,
        null,
      )
      const copied: DetailsChange = { ...(isWhole ? details : { ...wanted, access, lead, team }), ...client }
      await writeDetails(tx, organizationId, engagement.id, copied)
      if (isWhole) await copyFields(tx, organizationId, engagement.id, [{ id: from, copyId: engagement.id }])
      await setFields(tx, actor, { type: 'engagement', id: engagement.id, engagementId: engagement.id }, wanted.fields)
      // In the order of CLONE_PARTS: later parts may depend on earlier ones.
      const others = CLONE_PARTS.filter((word): word is ClonePart => word !== 'details' && include.includes(word))
      let rest: Rest | undefined = others.length > 0 ? { parts: others, after: undefined } : undefined
      for (let piece = 0; rest && piece < PIECES_AT_ONCE; piece++)
        rest = await copyNext(tx, { actor, clock, config, storage, from, to: engagement.id }, parts, rest)
      if (rest) {
        const backgroundJobId = await startBackgroundJob(tx, { clock, jobs }, later, {
          actor,
          engagementId: engagement.id,
          subjectId: engagement.id,
        })
        const left = { parts: [...rest.parts], after: rest.after ?? null, pieces: PIECES_AT_ONCE }
        await insertClone(tx, {
          engagement_id: engagement.id,
          organization_id: organizationId,
          source_id: from,
          work_id: backgroundJobId,
          ...left,
        })
      }
      const after = { name, status: engagement.status, clonedFrom: from, include, access }
      await recordAudit(tx, actor, clock, {
        action: 'engagement.created',
        object: { type: 'engagement', id: engagement.id },
        after,
      })
      await announce(tx, { type: 'engagement', engagementId: engagement.id, ids: [engagement.id], change: 'created' })
      return engagement
    },
    creating(actor, config),
  )

/** The copied details with those that replace them; an engagement for its team stays so. */
const replaced = <D extends DetailsChange>({ kind, kinds, ...copied }: D, wanted: DetailsChange) => ({
  ...(wanted.kind === undefined && wanted.kinds === undefined && { kind, kinds }),
  ...copied,
  ...wanted,
  access: copied.access === 'team' ? 'team' : (wanted.access ?? copied.access),
})

/** The member who clones leads the clone; its former lead is in the team, so that no one loses access. */
const withLead = <D extends { lead: string | null; team: readonly string[] }>(details: D, userId: string): D => ({
  ...details,
  lead: userId,
  team: [...new Set([...details.team, ...(details.lead === null ? [] : [details.lead])])].filter((id) => id !== userId),
})
