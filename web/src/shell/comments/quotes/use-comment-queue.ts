import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { messageOf, useApiMutation, type WebCall } from '../../../api/api.ts'
import { toastError } from '../../../ui/toasts/toast.ts'
import { useOrganization } from '../../context/organization.tsx'
import { allComments, type Comment, staleReads } from '../comment-parent.ts'
import { useResolve } from '../OneComment.tsx'
import type { Quotable, QuotableText } from './quotable.ts'

export const TEXT_CHANGED =
  'The text has changed: it no longer contains these words. Edit the text, then resolve the comment.'

interface Acceptance {
  /** Reads that become stale with the text, in addition to those of comments. */
  invalidates: readonly (readonly [string, WebCall])[]
  onAccepted: () => void
}

/** Comments on an object: the open ones as a queue in the order of the texts, which is worked by keyboard. */
export const useCommentQueue = ({ parent, texts }: Quotable, { invalidates, onAccepted }: Acceptance) => {
  const { id: organizationId } = useOrganization()
  const read = useQuery(allComments(organizationId, parent))
  const all = read.data
  const open = useMemo(() => inOrderOfText(texts, all?.filter(({ resolved }) => resolved === null) ?? []), [all, texts])
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
    invalidates: [...staleReads(organizationId, parent), ...invalidates],
    onSuccess: onAccepted,
    onError: (error) => toastError(messageOf(error)),
  })
  const accept = (comment: Comment) => {
    if (acceptance.isPending) return
    if (comment.textChanged) toastError(TEXT_CHANGED)
    else acceptance.mutate({ params: { commentId: comment.id } })
  }
  return {
    read,
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

/** By the place of their quotes; then those whose words are gone, then those on the whole object. */
const inOrderOfText = (texts: readonly QuotableText[], comments: readonly Comment[]): Comment[] => {
  const placeOf = ({ anchor, textChanged }: Comment): [number, number] => {
    if (!anchor) return [texts.length + 1, 0]
    const index = textChanged ? -1 : texts.findIndex(({ name }) => name === anchor.section)
    return index < 0 ? [texts.length, 0] : [index, texts[index]?.text.indexOf(anchor.quote) ?? 0]
  }
  return comments
    .map((comment) => ({ comment, place: placeOf(comment) }))
    .toSorted((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.comment.id.localeCompare(b.comment.id))
    .map(({ comment }) => comment)
}
