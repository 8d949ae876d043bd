import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { call, messageOf, useApiMutation } from '../../../../api/api.ts'
import { readAll } from '../../../../api/read-all.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { type Comment, staleReads } from '../../../../shell/comments/comment-parent.ts'
import { useResolve } from '../../../../shell/comments/OneComment.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import type { Finding } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'
import { SECTIONS } from '../texts/sections.ts'

export const TEXT_CHANGED =
  'The text has changed: it no longer contains these words. Edit the text, then resolve the comment.'

/** Comments on a finding: the open ones as a queue in the order of the texts, which is worked by keyboard. */
export const useCommentQueue = (finding: Finding) => {
  const { id: organizationId } = useOrganization()
  const params = { findingId: finding.id }
  const parent = { type: 'finding', id: finding.id, engagementId: finding.engagementId } as const
  const read = useQuery({
    queryKey: [organizationId, 'listFindingComments', { params }, 'all'],
    queryFn: ({ signal }) =>
      readAll((window) => call(organizationId, 'listFindingComments', { params, query: window }, { signal })),
  })
  const all = read.data
  const open = useMemo(
    () => inOrderOfText(finding, all?.filter(({ resolved }) => resolved === null) ?? []),
    [all, finding],
  )
  const resolved = useMemo(() => all?.filter((comment) => comment.resolved !== null) ?? [], [all])

  const hash = useLocation({ select: (location) => location.hash })
  const [activeId, setActiveId] = useState(hash.startsWith('cmt_') ? hash : undefined)
  // What was resolved has left the queue: the next one has its place.
  const place = useRef(-1)
  const found = open.findIndex(({ id }) => id === activeId)
  const index = found >= 0 ? found : Math.min(place.current, open.length - 1)
  place.current = index
  const active = open[index]
  const move = (by: number) => setActiveId(open[Math.max(0, Math.min(open.length - 1, index + by))]?.id)

  const resolve = useResolve(parent)
  const acceptance = useApiMutation(organizationId, 'acceptComment', {
    invalidates: [...staleReads(organizationId, parent), ...staleFindingReads(organizationId)],
    onSuccess: () => reportReturn({ returnedToReview: finding.state === 'approved' }),
    onError: (error) => toastError(messageOf(error)),
  })
  const accept = (comment: Comment) => {
    if (acceptance.isPending) return
    if (comment.textChanged) toastError(TEXT_CHANGED)
    else acceptance.mutate({ params: { commentId: comment.id } })
  }
  return {
    read,
    parent,
    open,
    resolved,
    active,
    activate: setActiveId,
    move,
    accept,
    /** Id of the comment whose suggestion is being accepted. */
    accepting: acceptance.isPending ? acceptance.variables.params.commentId : undefined,
    acceptActive: () => {
      if (!active) toastError('No comment is selected. Move to one with J and K.')
      else if (active.suggestion === null) toastError('This comment suggests no other text.')
      else accept(active)
    },
    resolveActive: () =>
      active ? resolve.toggle(active) : toastError('No comment is selected. Move to one with J and K.'),
  }
}

export type CommentQueue = ReturnType<typeof useCommentQueue>

/** By the place of their quotes; then those whose words are gone, then those on the whole finding. */
const inOrderOfText = (finding: Finding, comments: readonly Comment[]): Comment[] => {
  const placeOf = ({ anchor, textChanged }: Comment): [number, number] => {
    if (!anchor) return [SECTIONS.length + 1, 0]
    return textChanged
      ? [SECTIONS.length, 0]
      : [SECTIONS.indexOf(anchor.section), finding[anchor.section].indexOf(anchor.quote)]
  }
  return comments
    .map((comment) => ({ comment, place: placeOf(comment) }))
    .toSorted((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.comment.id.localeCompare(b.comment.id))
    .map(({ comment }) => comment)
}
