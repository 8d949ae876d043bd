import * as contract from '@sortie/contract/findings/comments.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { findComment } from '../../comments/comments.queries.ts'
import { toComment } from '../../comments/show-comments.ts'
import { acceptFindingComment } from '../../findings/comments/accept-comment.service.ts'
import { acceptReportComment } from './accept-report-comment.service.ts'

/** Accepting a suggestion changes the text of a finding or of a report. */
export const acceptanceRoutes = (texts: SectionTexts): Route[] => [
  route(contract.acceptComment, async (context) => {
    const { db, actor, params } = context
    const seen = await findComment(db, actor.organizationId, params.commentId)
    if (!seen) throw notFound()
    const accept = seen.report_id === null ? acceptFindingComment : acceptReportComment
    return { data: toComment(await accept(context, texts, actor, seen)) }
  }),
]
