import { MAX_SECTION } from '@sortie/contract/findings/finding-fields.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { lockWritableComment } from '../../comments/comment-locks.service.ts'
import type { CommentRow } from '../../comments/comments.queries.ts'
import { markAccepted } from '../../comments/mark-accepted.service.ts'
import { lockFinding, updateFinding } from '../findings.queries.ts'
import { saveTexts, withWriter } from '../texts/save-texts.service.ts'

/**
 * Replaces the first place of a comment's quote by its suggestion, and closes the comment. Both people count as
 * writers.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN without the scopes of findings, CONFLICT without a suggestion, for one that was
 *   accepted, and where the quote is gone
 */
export const acceptFindingComment = (
  writer: Writer,
  texts: SectionTexts,
  actor: Actor,
  { id: commentId, finding_id: ofFinding }: CommentRow,
): Promise<CommentRow> =>
  texts.inTurn(ofFinding ?? commentId, () =>
    writer.change(async (tx) => {
      const { clock } = writer
      const { organizationId } = actor
      const comment = await lockWritableComment(tx, actor, commentId)
      const { finding_id: findingId, anchor_section: section, anchor_quote: quote, suggestion } = comment
      if (findingId === null || section === null || quote === null || suggestion === null)
        throw conflict('This comment suggests no other text.')
      if (comment.accepted_at !== null) throw conflict('This suggestion has already been accepted.')
      const finding = await lockFinding(tx, organizationId, findingId)
      if (!finding) throw notFound()
      const before = finding[section]
      const place = before.indexOf(quote)
      if (place < 0) throw conflict('The text has changed: it no longer contains the quote.')
      const text = before.slice(0, place) + suggestion + before.slice(place + quote.length)
      if (text.length > MAX_SECTION && [...text].length > MAX_SECTION) {
        throw conflict(`With the suggestion the text would have more than ${MAX_SECTION} characters.`)
      }
      const written = text === before ? {} : await saveTexts(tx, writer, actor, finding, { [section]: text }, true)
      const now = isoTime(Math.max(clock.now(), Date.parse(finding.updated_at) + 1, Date.parse(comment.updated_at) + 1))
      const by = authorOf(actor)
      await updateFinding(tx, organizationId, findingId, {
        ...written,
        writers: withWriter(withWriter(finding.writers, comment.author_id), by),
        ...(text !== before && finding.state === 'approved' && { state: 'in_review' }),
        updated_at: now,
      })
      const values = {
        before: { revision: finding.revision },
        after: { section, ...('revision' in written && { revision: written.revision }) },
      }
      return markAccepted(tx, writer, actor, comment, now, values)
    }),
  )
