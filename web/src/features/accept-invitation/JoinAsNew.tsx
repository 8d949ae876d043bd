import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors } from '../../api/api.ts'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { NewPassword } from '../../ui/fields/NewPassword.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import type { Invited } from './invited.ts'
import { asRole, useAccept } from './use-accept.ts'

export const JoinAsNew = ({ token, invitation }: { token: string; invitation: Invited }) => {
  const accept = useAccept()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [barredByPassword, setBarred] = useState<boolean | string>(true)
  const barred = !name.trim() || barredByPassword
  const errors = accept.error ? formErrors(accept.error, ['name', 'password']) : { fields: {} }
  return (
    <CenteredPage
      title={`Join ${invitation.organizationName}`}
      description={`You are invited as ${asRole(invitation.role)}. Choose a name and a password for your account.`}
    >
      <FormElement
        onSubmit={() => accept.mutate({ body: { token, name, password } })}
        loading={accept.isPending}
        barred={barred}
      >
        <Stack gap="sm">
          <TextInput label="Email" type="email" autoComplete="username" value={invitation.email} readOnly />
          <TextInput
            label="Your name"
            autoComplete="name"
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.fields.name}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose
            autoFocus
          />
          <NewPassword
            error={errors.fields.password}
            onChange={(value, isBarred) => {
              setPassword(value)
              setBarred(isBarred)
            }}
          />
          <FormError message={errors.form} />
          <Button type="submit" size="sm" loading={accept.isPending} aria-disabled={barred !== false || undefined}>
            Create account and join
          </Button>
        </Stack>
      </FormElement>
    </CenteredPage>
  )
}
