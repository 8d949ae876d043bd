import { TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { EngagementSelect } from '../../shell/fields/EngagementSelect.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'

export const ConnectRepositoryDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Connect a repository">
    <ConnectForm onClose={onClose} />
  </Dialog>
)

const ConnectForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'connectRepository', [[organization.id, 'listRepositories']])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-repository`,
    saved: { values: { fullName: '', engagementId: null as string | null } },
    send: ({ fullName, engagementId }) => send({ body: { fullName: readFullName(fullName), engagementId } }),
    onSaved: ({ data }) => {
      toast(
        data.status === 'connected'
          ? `Connected ${data.fullName}.`
          : `${data.fullName} waits for an instance administrator to confirm it.`,
      )
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Connect" onCancel={onClose} disabled={!form.values.fullName.trim()}>
      <TextInput
        label="Repository"
        description="Owner and name, or its address on GitHub. An instance administrator confirms that it is yours."
        placeholder="northwind/portal"
        {...form.getInputProps('fullName')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <EngagementSelect
        label="Issues become tasks of"
        description="An engagement, or none. This can be changed later."
        {...form.getInputProps('engagementId')}
      />
    </DraftDialogForm>
  )
}

/** `https://github.com/northwind/portal.git` → `northwind/portal` */
const readFullName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/github\.com\/|git@github\.com:)/i, '')
    .replace(/(?:\.git|\/)$/, '')
