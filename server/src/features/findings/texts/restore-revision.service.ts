import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { lockWritableFinding } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { recordFinding } from '../record-finding.service.ts'
import { readBack } from '../update/update-finding.service.ts'
import { findRevision } from './finding-revisions.queries.ts'
import { saveTexts, textsOf } from './save-texts.service.ts'

/**
 * Saves the texts of an earlier revision as a new one; the previous texts stay an entry of the history.
 *
 * @throws ApiError NOT_FOUND, CONFLICT in the trash and in an archived engagement
 */
export const restoreFindingRevision = (
  writer: Writer,
  texts: SectionTexts,
  actor: Actor,
  findingId: string,
  revision: number,
): Promise<query.WholeFindingRow> =>
  texts.inTurn(findingId, () =>
    writer.change(async (tx) => {
      const { organizationId } = actor
      const before = await lockWritableFinding(tx, actor, findingId)
      const earlier = await findRevision(tx, organizationId, findingId, revision)
      if (!earlier) throw notFound()
      if (JSON.stringify(textsOf(earlier)) === JSON.stringify(textsOf(before))) return before
      const written = await saveTexts(tx, writer, actor, before, textsOf(earlier), true)
      await query.updateFinding(tx, organizationId, findingId, {
        ...written,
        ...(before.state === 'approved' && { state: 'in_review' }),
        updated_at: isoTime(Math.max(writer.clock.now(), Date.parse(before.updated_at) + 1)),
      })
      const values = {
        before: { title: before.title, revision: before.revision },
        after: { revision: written.revision, restoredRevision: revision },
      }
      await recordFinding(tx, actor, writer.clock, {
        action: 'finding.changed',
        change: 'updated',
        findingId,
        engagementId: before.engagement_id,
        ...values,
      })
      return readBack(tx, organizationId, findingId)
    }),
  )
