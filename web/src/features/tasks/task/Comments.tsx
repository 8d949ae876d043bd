import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call, messageOf, useCommand } from '../../../api.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useSend } from '../../../forms/use-send.ts'
import { isAdmin, useOrganization } from '../../../shell/organization.tsx'
import { QueryView } from '../../../shell/QueryView.tsx'
import { useAccount } from '../../../shell/session.tsx'
import { ListSkeleton } from '../../../ui/ListSkeleton.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { toastError } from '../../../ui/toast.ts'
import classes from './task.module.css'

/** Newest first. Whoever is named as `@[Name](usr_...)` is told. */
export const Comments = ({ taskId, mayWrite }: { taskId: string; mayWrite: boolean }) => {
  const organization = useOrganization()
  const params = { taskId }
  const list = useInfiniteQuery({
    queryKey: [organization.id, 'listComments', params],
    queryFn: ({ pageParam, signal }) =>
      call(organization.id, 'listComments', { params, query: { perPage: 50, ...(pageParam && { cursor: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.nextCursor,
  })
  return (
    <Stack gap="md">
      {mayWrite && <NewComment taskId={taskId} />}
      <QueryView query={list} skeleton={<ListSkeleton rows={2} />}>
        {({ pages }) => (
          <div>
            {pages
              .flatMap(({ data }) => data)
              .map((comment) => (
                <article key={comment.id} className={classes.comment}>
                  <Group gap="xs">
                    <Text size="sm" fw={500}>
                      {comment.author?.name ?? 'API key'}
                    </Text>
                    <Text size="xs" c="dimmed" component="span">
                      <TimeAgo iso={comment.createdAt} />
                      {comment.updatedAt !== comment.createdAt && ' (edited)'}
                    </Text>
                    {mayWrite && <DeleteComment commentId={comment.id} authorId={comment.author?.id} />}
                  </Group>
                  <Markdown text={withoutIds(comment.body)} />
                </article>
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

/** A mention reads as the name. */
const withoutIds = (body: string): string => body.replaceAll(/@\[([^\][\n]{1,200})\]\(usr_[0-9a-z]{26}\)/g, '**@$1**')

const NewComment = ({ taskId }: { taskId: string }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createComment', [
    [organization.id, 'listComments'],
    [organization.id, 'getTask'],
  ])
  const form = useDraftForm({
    draft: `task/${taskId}/comment`,
    saved: { values: { body: '' } },
    send: (body) => send({ params: { taskId }, body }),
    savedBy: () => ({ values: { body: '' } }),
  })
  return (
    <PageForm form={form} submitLabel="Comment" disabled={!form.values.body.trim()}>
      <Textarea label="New comment" description="Markdown" autosize minRows={2} maxRows={20} {...form.getInputProps('body')} />
    </PageForm>
  )
}

const DeleteComment = ({ commentId, authorId }: { commentId: string; authorId: string | undefined }) => {
  const organization = useOrganization()
  const account = useAccount()
  const remove = useCommand(organization.id, 'deleteComment', {
    invalidates: [
      [organization.id, 'listComments'],
      [organization.id, 'getTask'],
    ],
    onError: (error) => toastError(messageOf(error)),
  })
  if (authorId !== account.id && !isAdmin(organization)) return null
  return (
    <Button variant="subtle" size="compact-xs" loading={remove.isPending} onClick={() => remove.mutate({ params: { commentId } })}>
      Delete
    </Button>
  )
}
