import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { staleReads, type Task } from '../labels.tsx'

const savedOf = ({ title, description, updatedAt }: Task) => ({ values: { title, description }, version: updatedAt })

/** Edits title and description. */
export const TaskForm = ({ task, onDone }: { task: Task; onDone: () => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { taskId: task.id }
  const send = useSend(organization.id, 'updateTask', staleReads(organization.id))
  const form = useDraftForm({
    draft: `task/${task.id}`,
    saved: savedOf(task),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getTask', { params }))).data),
    onSaved: onDone,
  })
  return (
    <PageForm
      form={form}
      labels={{ title: 'Title', description: 'Description' }}
      submitLabel="Save"
      disabled={!form.values.title.trim()}
      onCancel={onDone}
    >
      <TextInput label="Title" maxLength={200} {...form.getInputProps('title')} />
      <Textarea
        label="Description"
        description="Markdown"
        autosize
        minRows={8}
        maxRows={40}
        {...form.getInputProps('description')}
      />
    </PageForm>
  )
}
