import { useMemo } from 'react'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import type { Quotable } from '../../../../shell/comments/quotes/quotable.ts'
import { useCommentQueue } from '../../../../shell/comments/quotes/use-comment-queue.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import type { Finding } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'
import { EDITED_SECTIONS } from '../texts/sections.ts'

/** A finding and its comments, in the order of its texts. */
export const useFindingComments = (finding: Finding) => {
  const { id: organizationId } = useOrganization()
  const of = useMemo(
    (): Quotable => ({
      parent: { type: 'finding', id: finding.id, engagementId: finding.engagementId },
      whole: 'The whole finding',
      texts: EDITED_SECTIONS.map(({ name, label }) => ({ name, label, text: finding[name] })),
    }),
    [finding],
  )
  const queue = useCommentQueue(of, {
    invalidates: staleFindingReads(organizationId),
    onAccepted: () => reportReturn({ returnedToReview: finding.state === 'approved' }),
  })
  return { of, queue }
}
