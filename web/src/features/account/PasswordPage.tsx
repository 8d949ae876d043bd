import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { formErrors, useApiMutation } from '../../api/api.ts'
import { useAccount } from '../../shell/context/session.tsx'
import { useSignInMode } from '../../shell/sign-in/mode.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { NewPassword } from '../../ui/fields/NewPassword.tsx'
import { IconLock } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'

export const PasswordPage = () => {
  const [changes, setChanges] = useState(0)
  const { passwordsFor, providerName } = useSignInMode()
  const { isInstanceAdmin } = useAccount()
  if (passwordsFor === 'nobody' || (passwordsFor === 'administrators' && !isInstanceAdmin)) {
    return (
      <Page title="Password" layout="form">
        <EmptyState icon={<IconLock size={32} stroke={1.4} />} title="There is no password to change">
          You sign in here with {providerName}, and that is where your password is kept.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title="Password" layout="form" description="Changing it ends every other session of this account.">
      <ChangeForm key={changes} onChanged={() => setChanges(changes + 1)} />
    </Page>
  )
}

const ChangeForm = ({ onChanged }: { onChanged: () => void }) => {
  const account = useAccount()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [barredByNew, setBarred] = useState<boolean | string>(true)
  const barred = !currentPassword || barredByNew
  const change = useApiMutation(null, 'changePassword', {
    invalidates: [[null, 'listSessions']],
    onSuccess: ({ data: { endedSessions } }) => {
      const others = endedSessions === 1 ? 'One other session was' : `${endedSessions} other sessions were`
      toast(endedSessions > 0 ? `Password changed. ${others} ended.` : 'Password changed.')
      onChanged()
    },
  })
  const errors = change.error ? formErrors(change.error, ['currentPassword', 'newPassword']) : { fields: {} }
  return (
    <FormElement
      onSubmit={() => change.mutate({ body: { currentPassword, newPassword } })}
      loading={change.isPending}
      barred={barred}
    >
      <Stack gap="md">
        <input type="email" name="username" autoComplete="username" value={account.email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={errors.fields.currentPassword}
        />
        <NewPassword
          label="New password"
          error={errors.fields.newPassword}
          onChange={(value, isBarred) => {
            setNew(value)
            setBarred(isBarred)
          }}
        />
        <FormError message={errors.form} />
        <Group>
          <Button type="submit" loading={change.isPending} aria-disabled={barred !== false || undefined}>
            Change password
          </Button>
        </Group>
      </Stack>
    </FormElement>
  )
}
