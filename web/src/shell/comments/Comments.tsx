import { Button, Stack } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { useOrganization } from '../context/organization.tsx'
import { rowsOf, useParts } from '../reads/parts.tsx'
import { QueryView } from '../reads/QueryView.tsx'
import { type CommentParent, commentRows } from './comment-parent.ts'
import { NewComment } from './CommentForm.tsx'
import { OneComment } from './OneComment.tsx'

/** Comments of a task or a result, newest first; resolved ones are shown on demand. */
export const Comments = ({ parent, mayWrite }: { parent: CommentParent; mayWrite: boolean }) => {
  const organization = useOrganization()
  const list = useParts(commentRows(organization.id, parent))
  return (
    <Stack gap="md">
      {mayWrite && <NewComment parent={parent} />}
      <QueryView query={list} skeleton={<ListSkeleton rows={2} />}>
        {(data) => {
          const comments = rowsOf(data)
          const open = comments.filter(({ resolved }) => resolved === null)
          const resolved = comments.filter((comment) => comment.resolved !== null)
          const one = (comment: (typeof comments)[number]) => (
            <OneComment key={comment.id} parent={parent} comment={comment} mayWrite={mayWrite} />
          )
          return (
            <div>
              {open.map(one)}
              <Resolved ids={resolved.map(({ id }) => id)}>{() => resolved.map(one)}</Resolved>
              {list.hasNextPage && (
                <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Show older comments
                </Button>
              )}
            </div>
          )
        }}
      </QueryView>
    </Stack>
  )
}

/** Resolved comments behind a button; shown at once if the address names one of them. */
export const Resolved = ({ ids, children }: { ids: readonly string[]; children: () => React.ReactNode }) => {
  const hash = useLocation({ select: (location) => location.hash })
  const [isOpen, setOpen] = useState(false)
  if (ids.length === 0) return null
  const isShown = isOpen || ids.includes(hash)
  return (
    <>
      <Button variant="subtle" size="compact-sm" aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
        {isShown ? 'Hide' : 'Show'}{' '}
        {ids.length === 1 ? '1 resolved comment' : `${ids.length.toLocaleString('en')} resolved comments`}
      </Button>
      {isShown && children()}
    </>
  )
}
