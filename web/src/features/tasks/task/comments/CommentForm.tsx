import { useSend } from '../../../../api/use-send.ts'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { useMembersWithAccess } from '../../../../shell/context/use-members-with-access.ts'
import type { Task } from '../../labels.tsx'
import { MentionTextarea } from './MentionTextarea.tsx'

const HINT = 'Markdown. Use @ to mention someone, who will be notified.'
const TEXTAREA = { description: HINT, autosize: true, minRows: 2, maxRows: 20 } as const

export const NewComment = ({ task }: { task: Task }) => {
  const organization = useOrganization()
  const people = useMembersWithAccess(task.engagementId)
  const send = useSend(organization.id, 'createComment', staleReads(organization.id))
  const form = useDraftForm({
    draft: `task/${task.id}/comment`,
    saved: { values: { body: '' } },
    send: (body) => send({ params: { taskId: task.id }, body }),
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
  task: Task
  comment: { id: string; body: string; updatedAt: string }
  onDone: () => void
}

export const EditComment = ({ task, comment, onDone }: EditCommentProps) => {
  const organization = useOrganization()
  const people = useMembersWithAccess(task.engagementId)
  const send = useSend(organization.id, 'updateComment', staleReads(organization.id))
  const form = useDraftForm({
    draft: `comment/${comment.id}`,
    saved: { values: { body: comment.body }, version: comment.updatedAt },
    send: (body, ifUpdatedAt) =>
      send({ params: { commentId: comment.id }, body: { ...body, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    onSaved: onDone,
  })
  return (
    <PageForm form={form} submitLabel="Save" disabled={!form.values.body.trim()} onCancel={onDone}>
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

/** Reads that become stale after a comment. */
export const staleReads = (organizationId: string) =>
  (['listComments', 'getTask', 'listTasks'] as const).map((name) => [organizationId, name] as const)
