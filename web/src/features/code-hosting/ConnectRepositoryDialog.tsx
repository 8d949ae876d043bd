import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate({ body: { fullName: readFullName(fullName) } })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
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
        <FormError message={errors.form} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={connect.isPending} disabled={!fullName.trim()}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** `https://github.com/northwind/portal.git` → `northwind/portal` */
const readFullName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/github\.com\/|git@github\.com:)/i, '')
    .replace(/(?:\.git|\/)$/, '')
