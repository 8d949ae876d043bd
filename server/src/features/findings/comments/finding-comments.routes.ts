import * as contract from '@sortie/contract/findings/comments.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { SectionTexts } from '../../../platform/text-merge/section-texts.ts'
import { toComment } from '../../comments/show-comments.ts'
import { acceptComment } from './accept-comment.service.ts'

export const findingCommentRoutes = (texts: SectionTexts): Route[] => [
  route(contract.acceptComment, async (context) => ({
    data: toComment(await acceptComment(context, texts, context.actor, context.params.commentId)),
  })),
]
