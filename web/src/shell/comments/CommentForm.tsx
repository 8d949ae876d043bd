import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reportFailure } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../context/organization.tsx'
import { useMembersWithAccess } from '../context/use-members-with-access.ts'
import { type Comment, type CommentParent, postComment, type Quoted, staleReads } from './comment-parent.ts'
import { MentionTextarea } from './MentionTextarea.tsx'

const HINT = 'Markdown. Use @ to mention someone, who will be notified.'
const TEXTAREA = { description: HINT, autosize: true, minRows: 2, maxRows: 20 } as const

/** Sends a comment, and reads the list again. @throws what `call` throws */
export const useSendComment = (parent: CommentParent) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  return async (body: { body: string } & Quoted): Promise<{ data: Comment }> => {
    try {
      return await postComment(id, parent, body)
    } catch (error) {
      reportFailure(error)
      throw error
    } finally {
      for (const queryKey of staleReads(id, parent)) void cache.invalidateQueries({ queryKey })
    }
  }
}

/** Writes a comment on the whole object. */
export const NewComment = ({ parent }: { parent: CommentParent }) => {
  const people = useMembersWithAccess(parent.engagementId)
  const form = useDraftForm({
    draft: `${parent.type}/${parent.id}/comment`,
    saved: { values: { body: '' } },
    send: useSendComment(parent),
    savedBy: () => ({ values: { body: '' } }),
  })
  return (
    <PageForm form={form} submitLabel="Comment" disabled={!form.values.body.trim()}>
      <MentionTextarea
        label="New comment"
        {...TEXTAREA}
        people={people}
        {...form.getInputProps('body')}
        value={form.values.body}
      />
    </PageForm>
  )
}

interface EditCommentProps {
  parent: CommentParent
  comment: Comment
  onDone: () => void
}

export const EditComment = ({ parent, comment, onDone }: EditCommentProps): ReactNode => {
  const organization = useOrganization()
  const people = useMembersWithAccess(parent.engagementId)
  const send = useSend(organization.id, 'updateComment', staleReads(organization.id, parent))
  const form = useDraftForm({
    draft: `comment/${comment.id}`,
    saved: { values: { body: comment.body }, version: comment.updatedAt },
    send: (body, ifUpdatedAt) =>
      send({ params: { commentId: comment.id }, body: { ...body, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    onSaved: onDone,
  })
  return (
    <PageForm
      form={form}
      submitLabel="Save"
      disabled={!form.values.body.trim() && comment.suggestion === null}
      onCancel={onDone}
    >
      <MentionTextarea
        label="Comment"
        {...TEXTAREA}
        people={people}
        {...form.getInputProps('body')}
        value={form.values.body}
      />
    </PageForm>
  )
}
