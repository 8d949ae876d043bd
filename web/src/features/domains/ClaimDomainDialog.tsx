import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toast.ts'

export const ClaimDomainDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Claim a domain">
    <ClaimForm onClose={onClose} />
  </Dialog>
)

const ClaimForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const [domain, setDomain] = useState('')
  const claim = useCommand(organization.id, 'claimDomain', {
    invalidates: [[organization.id, 'listDomains']],
    onSuccess: ({ data }) => {
      toast(`${data.domain} is claimed. Now put its record into the DNS.`)
      onClose()
    },
  })
  const errors = claim.error ? formErrors(claim.error, ['domain']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Claim"
      onSubmit={() => claim.mutate({ body: { domain: readDomain(domain) } })}
      onCancel={onClose}
      error={errors.form}
      loading={claim.isPending}
      disabled={!readDomain(domain)}
    >
      <TextInput
        label="Domain"
        description="What stands behind the @ of your addresses. A domain where anybody can get an address, such as gmail.com, cannot be claimed; each subdomain is claimed by itself."
        placeholder="contoso.com"
        value={domain}
        maxLength={254}
        onChange={(event) => setDomain(event.currentTarget.value)}
        error={errors.fields.domain}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        data-autofocus
      />
    </DialogForm>
  )
}

/** `ada@contoso.com`, `@contoso.com` → `contoso.com` */
const readDomain = (text: string): string => text.trim().replace(/^[^@]*@/, '')
