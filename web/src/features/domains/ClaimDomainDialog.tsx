import { TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'

export const ClaimDomainDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Claim a domain">
    <ClaimForm onClose={onClose} />
  </Dialog>
)

const ClaimForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'claimDomain', [[organization.id, 'listDomains']])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-domain`,
    saved: { values: { domain: '' } },
    send: ({ domain }) => send({ body: { domain: readDomain(domain) } }),
    onSaved: ({ data }) => {
      toast(`Claimed ${data.domain}. Now add its record to your DNS.`)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Claim" onCancel={onClose} disabled={!readDomain(form.values.domain)}>
      <TextInput
        label="Domain"
        description="The part of your addresses after the @. A domain where anyone can get an address, such as gmail.com, cannot be claimed; each subdomain is claimed separately."
        placeholder="contoso.com"
        maxLength={254}
        {...form.getInputProps('domain')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        data-autofocus
      />
    </DraftDialogForm>
  )
}

/** `ada@contoso.com`, `@contoso.com` → `contoso.com` */
const readDomain = (text: string): string => text.trim().replace(/^[^@]*@/, '')
