import { Button, Group, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Person } from '../../ui/people/Person.tsx'
import { Markdown } from '../../ui/text/Markdown.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { isAdmin, useOrganization } from '../context/organization.tsx'
import { useAccount } from '../context/session.tsx'
import { type Comment, type CommentParent, staleReads } from './comment-parent.ts'
import { EditComment } from './CommentForm.tsx'
import classes from './comments.module.css'
import { withoutIds } from './mention-text.ts'

interface OneCommentProps {
  parent: CommentParent
  comment: Comment
  mayWrite: boolean
  /** The quote and the suggestion, above the text. */
  children?: ReactNode
  /** Further buttons, first. */
  actions?: ReactNode
  isActive?: boolean
  onActivate?: () => void
}

/** One comment with the actions that its reader has. */
export const OneComment = ({
  parent,
  comment,
  mayWrite,
  children,
  actions,
  isActive = false,
  onActivate,
}: OneCommentProps) => {
  const organization = useOrganization()
  const account = useAccount()
  const [isEditing, setEditing] = useState(false)
  const element = useRef<HTMLElement>(null)
  const isWanted = useLocation({ select: ({ hash }) => hash === comment.id })
  useEffect(() => {
    if (isWanted) element.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const isOwn = comment.author?.id === account.id
  return (
    <article
      ref={element}
      id={comment.id}
      className={classes.comment}
      aria-label={`Comment by ${comment.author?.name ?? 'an API key'}`}
      data-wanted={isWanted || isActive || undefined}
      data-resolved={comment.resolved !== null || undefined}
      {...(isActive && { 'aria-current': true })}
      {...(onActivate && { onClick: onActivate, onFocus: onActivate })}
    >
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {comment.author ? <Person name={comment.author.name} /> : 'API key'}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          <TimeAgo iso={comment.createdAt} />
          {comment.editedAt !== null && ' (edited)'}
        </Text>
      </Group>
      {children}
      {isEditing ? (
        <EditComment parent={parent} comment={comment} onDone={() => setEditing(false)} />
      ) : (
        comment.body !== '' && <Markdown text={withoutIds(comment.body)} />
      )}
      <Outcome comment={comment} />
      {mayWrite && !isEditing && (
        <Group gap={4} mt={4}>
          {actions}
          <ResolveButton parent={parent} comment={comment} />
          {isOwn && (
            <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
          {(isOwn || isAdmin(organization)) && <DeleteComment parent={parent} commentId={comment.id} />}
        </Group>
      )}
    </article>
  )
}

/** Who accepted or resolved it. */
const Outcome = ({ comment: { accepted, resolved } }: { comment: Comment }) => {
  const done = accepted ?? resolved
  if (!done) return null
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {accepted ? 'Accepted' : 'Resolved'} by {done.by?.name ?? 'an API key'} <TimeAgo iso={done.at} />
    </Text>
  )
}

/** Resolves comments of an object, and opens them again. */
export const useResolve = (parent: CommentParent) => {
  const { id } = useOrganization()
  const options = { invalidates: staleReads(id, parent), onError: (error: Error) => toastError(messageOf(error)) }
  const resolve = useApiMutation(id, 'resolveComment', options)
  const reopen = useApiMutation(id, 'reopenComment', options)
  return {
    isPending: resolve.isPending || reopen.isPending,
    toggle: ({ id: commentId, resolved }: Comment) =>
      (resolved === null ? resolve : reopen).mutate({ params: { commentId } }),
  }
}

const ResolveButton = ({ parent, comment }: { parent: CommentParent; comment: Comment }) => {
  const { isPending, toggle } = useResolve(parent)
  return (
    <Button variant="subtle" size="compact-xs" loading={isPending} onClick={() => toggle(comment)}>
      {comment.resolved === null ? 'Resolve' : 'Reopen'}
    </Button>
  )
}

const DeleteComment = ({ parent, commentId }: { parent: CommentParent; commentId: string }) => {
  const organization = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const remove = useApiMutation(organization.id, 'deleteComment', {
    invalidates: staleReads(organization.id, parent),
    onSuccess: () => setAsked(false),
  })
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title="Delete this comment?"
        confirmLabel="Delete comment"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
        onConfirm={() => remove.mutate({ params: { commentId } })}
      >
        This can't be undone.
      </ConfirmDialog>
    </>
  )
}
