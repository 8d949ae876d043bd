import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toast.ts'

export const ConnectRepositoryDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Connect a repository">
    <ConnectForm onClose={onClose} />
  </Dialog>
)

const ConnectForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const [fullName, setFullName] = useState('')
  const connect = useCommand(organization.id, 'connectRepository', {
    invalidates: [[organization.id, 'listRepositories']],
    onSuccess: ({ data }) => {
      toast(data.status === 'connected' ? `${data.fullName} is connected.` : `${data.fullName} waits for an instance administrator to confirm it.`)
      onClose()
    },
  })
  const errors = connect.error ? formErrors(connect.error, ['fullName']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Connect"
      onSubmit={() => connect.mutate({ body: { fullName: readFullName(fullName) } })}
      onCancel={onClose}
      error={errors.form}
      loading={connect.isPending}
      disabled={!fullName.trim()}
    >
      <TextInput
        label="Repository"
        description="Owner and name, or its address on GitHub. An instance administrator confirms that it is yours."
        placeholder="northwind/portal"
        value={fullName}
        onChange={(event) => setFullName(event.currentTarget.value)}
        error={errors.fields.fullName}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  )
}

/** `https://github.com/northwind/portal.git` → `northwind/portal` */
const readFullName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/github\.com\/|git@github\.com:)/i, '')
    .replace(/(?:\.git|\/)$/, '')
