import { MAX_SECTION_BODY } from '@sortie/contract/reports/report-fields.ts'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict } from '../../../platform/errors.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { lockWritableComment } from '../../comments/comment-locks.service.ts'
import type { CommentRow } from '../../comments/comments.queries.ts'
import { markAccepted } from '../../comments/mark-accepted.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { withWriter } from '../../findings/texts/save-texts.service.ts'
import { lockWritableReport, recordReportChange } from '../report-locks.service.ts'
import { updateReport } from '../reports.queries.ts'
import { addRevision, findSection, updateSection } from '../sections/sections.queries.ts'

/**
 * Replaces the first place of a comment's quote in a section by its suggestion, and closes the comment. Both people
 * count as writers; an approved report returns to review.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN without the scopes of reports, CONFLICT without a suggestion, for one that was
 *   accepted, where the quote is gone, and in an archived engagement
 */
export const acceptReportComment = (
  writer: Writer,
  texts: SectionTexts,
  actor: Actor,
  { id: commentId, report_id: inReport }: CommentRow,
): Promise<CommentRow> =>
  texts.inTurn(inReport ?? commentId, () =>
    writer.change(async (tx) => {
      const { clock } = writer
      const { organizationId } = actor
      const comment = await lockWritableComment(tx, actor, commentId)
      const { report_id: reportId, anchor_section_id: sectionId, anchor_quote: quote, suggestion } = comment
      if (reportId === null || sectionId === null || quote === null || suggestion === null)
        throw conflict('This comment suggests no other text.')
      if (comment.accepted_at !== null) throw conflict('This suggestion has already been accepted.')
      const report = await lockWritableReport(tx, actor, reportId)
      const section = await findSection(tx, organizationId, reportId, sectionId)
      const place = section?.body.indexOf(quote) ?? -1
      if (!section || place < 0) throw conflict('The text has changed: it no longer contains the quote.')
      const { body, revision } = section
      const text = body.slice(0, place) + suggestion + body.slice(place + quote.length)
      if (text.length > MAX_SECTION_BODY && [...text].length > MAX_SECTION_BODY)
        throw conflict(`With the suggestion the text would have more than ${MAX_SECTION_BODY} characters.`)
      const now = isoTime(Math.max(clock.now(), Date.parse(section.updated_at) + 1, Date.parse(comment.updated_at) + 1))
      const isRewritten = text !== body
      if (isRewritten) {
        await requireStorage(tx, writer, organizationId, Buffer.byteLength(text))
        await addRevision(tx, section, organizationId, text, now)
        await updateSection(tx, organizationId, sectionId, { body: text, revision: revision + 1, updated_at: now })
        const writers = withWriter(report.writers, comment.author_id)
        await recordReportChange(
          tx,
          clock,
          actor,
          { ...report, writers },
          {
            action: 'report.section-changed',
            before: { section: section.key },
            after: { revision: revision + 1 },
            columns: { writers },
            isWritten: true,
          },
        )
      } else {
        const writers = withWriter(withWriter(report.writers, comment.author_id), authorOf(actor))
        await updateReport(tx, organizationId, reportId, { writers })
      }
      const values = {
        before: { revision },
        after: { section: section.key, ...(isRewritten && { revision: revision + 1 }) },
      }
      return markAccepted(tx, writer, actor, comment, now, values)
    }),
  )
