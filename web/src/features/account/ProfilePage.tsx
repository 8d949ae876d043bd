import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { useAccount } from '../../shell/session.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toast.ts'
import { LinkedIdentity } from './LinkedIdentity.tsx'

export const ProfilePage = () => {
  const account = useAccount()
  const [name, setName] = useState(account.name)
  const save = useCommand(null, 'updateAccount', { invalidates: [[null, 'getAccount']], onSuccess: () => toast('Saved.') })
  const errors = save.error ? formErrors(save.error, ['name']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { name } })
  }
  return (
    <Page title="Profile" layout="form" description="How others see you, in every organization that you belong to.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            autoComplete="name"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.fields.name}
          />
          <TextInput label="Email" description="You sign in with it. It cannot be changed." value={account.email} readOnly />
          <FormError message={errors.form} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!name.trim() || name === account.name}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <LinkedIdentity />
    </Page>
  )
}
