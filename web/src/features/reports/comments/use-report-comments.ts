import { useMemo } from 'react'
import { type Report, staleReportReads } from '../../../domain/reports/report-words.tsx'
import type { Quotable } from '../../../shell/comments/quotes/quotable.ts'
import { useCommentQueue } from '../../../shell/comments/quotes/use-comment-queue.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { reportReturn } from '../outline/use-sections.ts'

/** A report and its comments, in the order of its sections. */
export const useReportComments = (report: Report) => {
  const { id: organizationId } = useOrganization()
  const of = useMemo(
    (): Quotable => ({
      parent: { type: 'report', id: report.id, engagementId: report.engagementId },
      whole: 'The whole report',
      texts: report.sections.map(({ id, title, body }) => ({
        name: id,
        label: title || 'Section without a title',
        text: body,
      })),
      allowsWholeText: true,
    }),
    [report],
  )
  const queue = useCommentQueue(of, {
    invalidates: staleReportReads(organizationId),
    onAccepted: () => reportReturn({ returnedToReview: report.state === 'approved' }),
  })
  return { of, queue }
}

export type ReportComments = ReturnType<typeof useReportComments>
