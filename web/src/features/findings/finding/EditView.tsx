import { Suspense } from 'react'
import { CommentsPanel } from '../../../shell/comments/quotes/CommentsPanel.tsx'
import { useCommentKeys } from '../../../shell/comments/quotes/use-comment-keys.ts'
import { useReadNotices } from '../../../shell/comments/use-read-notices.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { finding as route } from '../findings.routes.ts'
import type { Finding } from '../labels.ts'
import classes from './comments/comments.module.css'
import { useFindingComments } from './comments/use-finding-comments.ts'

/** The editor of texts, which the wiki shares. */
const FindingEditor = lazyPart(() => import('./texts/FindingEditor.tsx'), 'FindingEditor')

interface EditViewProps {
  finding: Finding
  mayChange: boolean
  address: string
}

/** The editor of the texts, with the comments next to it if they are wanted. */
export const EditView = ({ finding, mayChange, address }: EditViewProps) => {
  const { side } = route.useSearch()
  const isShown = side === 'comments'
  return (
    <div className={classes.editing} data-comments={isShown || undefined}>
      <Suspense fallback={<ListSkeleton rows={8} />}>
        <FindingEditor finding={finding} isWritable={mayChange} doneTo={address} />
      </Suspense>
      {isShown && <Panel finding={finding} mayChange={mayChange} />}
    </div>
  )
}

const Panel = ({ finding, mayChange }: Omit<EditViewProps, 'address'>) => {
  const { of, queue } = useFindingComments(finding)
  useCommentKeys(queue, { mayChange })
  useReadNotices({ type: 'finding', id: finding.id })
  return (
    <div className={classes.aside}>
      <CommentsPanel of={of} queue={queue} mayWrite={mayChange} wanted={undefined} />
    </div>
  )
}
