import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { useAccount } from '../../shell/session.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { toast } from '../../ui/toast.ts'

export const RemoveSecondFactorDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Switch the second factor off?">
    <RemoveForm onClose={onClose} />
  </Dialog>
)

const RemoveForm = ({ onClose }: { onClose: () => void }) => {
  const { secondFactor } = useAccount()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const remove = useCommand(null, 'removeSecondFactor', {
    invalidates: [
      [null, 'getAccount'],
      [null, 'listSessions'],
    ],
    onSuccess: () => {
      toast('The second factor is off.')
      onClose()
    },
  })
  const errors = remove.error ? formErrors(remove.error, ['password', 'code']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate({ body: { password, code: code.trim() } })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          From then on the password alone opens this account.
          {secondFactor.requiredBy.length > 0 &&
            ` You lose access to ${secondFactor.requiredBy.map(({ name }) => name).join(', ')} until you set one up again.`}
        </Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errors.fields.password}
          data-autofocus
        />
        <TextInput
          label="Code"
          description="Of the app, or a recovery code."
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={errors.fields.code}
        />
        <FormError message={errors.form} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={remove.isPending} disabled={!password || code.trim().length < 6}>
            Switch off
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
