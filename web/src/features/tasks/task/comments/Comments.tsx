import { Button, Group, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { rows } from '../../../../api/rows.ts'
import { isAdmin, useOrganization } from '../../../../shell/context/organization.tsx'
import { useAccount } from '../../../../shell/context/session.tsx'
import { useParts } from '../../../../shell/reads/parts.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/ConfirmDialog.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import type { Task } from '../../labels.tsx'
import classes from '../task.module.css'
import { EditComment, NewComment, staleReads } from './CommentForm.tsx'
import { withoutIds } from './mention-text.ts'

type Comment = Output<'listComments'>['data'][number]

/** Comments of a task, newest first. */
export const Comments = ({ task, mayWrite }: { task: Task; mayWrite: boolean }) => {
  const organization = useOrganization()
  const params = { taskId: task.id }
  const list = useParts(rows(organization.id, 'listComments', { params }))
  return (
    <Stack gap="md">
      {mayWrite && <NewComment task={task} />}
      <QueryView query={list} skeleton={<ListSkeleton rows={2} />}>
        {({ pages }) => (
          <div>
            {pages
              .flatMap(({ data }) => data)
              .map((comment) => (
                <OneComment key={comment.id} task={task} comment={comment} mayWrite={mayWrite} />
              ))}
            {list.hasNextPage && (
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show older comments
              </Button>
            )}
          </div>
        )}
      </QueryView>
    </Stack>
  )
}

const OneComment = ({ task, comment, mayWrite }: { task: Task; comment: Comment; mayWrite: boolean }) => {
  const organization = useOrganization()
  const account = useAccount()
  const [isEditing, setEditing] = useState(false)
  const element = useRef<HTMLElement>(null)
  const isWanted = useLocation({ select: ({ hash }) => hash === comment.id })
  useEffect(() => {
    if (isWanted) element.current?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  const isOwn = comment.author?.id === account.id
  return (
    <article ref={element} id={comment.id} className={classes.comment} data-wanted={isWanted || undefined}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {comment.author?.name ?? 'API key'}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          <TimeAgo iso={comment.createdAt} />
          {comment.updatedAt !== comment.createdAt && ' (edited)'}
        </Text>
        {mayWrite && isOwn && !isEditing && (
          <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )}
        {mayWrite && (isOwn || isAdmin(organization)) && <DeleteComment commentId={comment.id} />}
      </Group>
      {isEditing ? (
        <EditComment task={task} comment={comment} onDone={() => setEditing(false)} />
      ) : (
        <Markdown text={withoutIds(comment.body)} />
      )}
    </article>
  )
}

const DeleteComment = ({ commentId }: { commentId: string }) => {
  const organization = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const remove = useApiMutation(organization.id, 'deleteComment', {
    invalidates: staleReads(organization.id),
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
