import { Tabs, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { type Engagement, useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'

const savedOf = ({ name, description, updatedAt }: Engagement) => ({
  values: { name, description },
  version: updatedAt,
})

const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/** Edits name and description in the place where they are read. */
export const TextForm = ({ onDone }: { onDone: () => void }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const cache = useQueryClient()
  const params = { engagementId: engagement.id }
  const send = useSend(organization.id, 'updateEngagement', [
    [organization.id, 'getEngagement'],
    [organization.id, 'listEngagements'],
    [organization.id, 'listEngagementSummaries'],
    [organization.id, 'listEngagementActivity'],
  ])
  const form = useDraftForm({
    draft: `engagement/${engagement.id}`,
    saved: savedOf(engagement),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getEngagement', { params }))).data),
    onSaved: onDone,
  })
  return (
    <PageForm
      form={form}
      labels={{ name: 'Name', description: 'Description' }}
      submitLabel="Save"
      disabled={!form.values.name.trim()}
      onCancel={onDone}
    >
      <TextInput label="Name" maxLength={200} ref={focusOnMount} {...form.getInputProps('name')} />
      <Tabs defaultValue="write" keepMounted={false}>
        <Tabs.List mb="xs">
          <Tabs.Tab value="write">Write</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write">
          <Textarea
            label="Description"
            description="Markdown"
            autosize
            minRows={12}
            maxRows={40}
            {...form.getInputProps('description')}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <Markdown text={form.values.description} />
        </Tabs.Panel>
      </Tabs>
    </PageForm>
  )
}
