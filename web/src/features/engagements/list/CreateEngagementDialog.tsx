import { Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** @param onClose resolves once the dialog is removed from the address */
export const CreateEngagementDialog = ({ opened, onClose }: { opened: boolean; onClose: () => Promise<void> }) => (
  <Dialog opened={opened} onClose={() => void onClose()} title="New engagement" size="lg">
    <CreateForm onClose={onClose} />
  </Dialog>
)

const EMPTY = { name: '', clientName: '', description: '', access: 'organization' as 'organization' | 'team' }

const CreateForm = ({ onClose }: { onClose: () => Promise<void> }) => {
  const organization = useOrganization()
  const router = useRouter()
  const send = useSend(organization.id, 'createEngagement', [
    [organization.id, 'listEngagements'],
    [organization.id, 'listEngagementSummaries'],
  ])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-engagement`,
    saved: { values: EMPTY },
    // Access is part of the create request, so that a restricted engagement is never visible to others.
    send: ({ name, description, clientName, access }) =>
      send({ body: { name, description, details: { clientName, access } } }),
    onSaved: async ({ data }) => {
      toast(`Created ${data.name}.`)
      // Removes the dialog from the address first, so that Back opens the list and not an empty dialog.
      await onClose()
      await router.navigate({ href: paths.engagement(organization.slug, data.id) })
    },
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create engagement"
      onCancel={() => void onClose()}
      disabled={!form.values.name.trim()}
    >
      <TextInput
        label="Name"
        placeholder="Contoso external perimeter 2026"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="Client" maxLength={200} {...form.getInputProps('clientName')} />
      <Textarea
        label="Description"
        description="Markdown: scope, rules, contacts. It can be changed at any time."
        autosize
        minRows={4}
        maxRows={14}
        {...form.getInputProps('description')}
      />
      <Radio.Group label="Visible to" {...form.getInputProps('access')}>
        <Stack gap={6} mt={6}>
          <Radio value="organization" label="Everyone in the organization" />
          <Radio value="team" label="Its lead and team, the owner and admins" />
        </Stack>
      </Radio.Group>
    </DraftDialogForm>
  )
}
