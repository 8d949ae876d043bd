import { Button, Stack, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formErrors, isRefused, messageOf, query, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { NewPassword } from '../../ui/fields/NewPassword.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'

type Inspected = Output<'inspectPasswordReset'>['data']

export const SetPassword = ({ token }: { token: string }) => {
  const link = useQuery({
    ...query(null, 'inspectPasswordReset', { body: { token } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  if (link.isPending) {
    return (
      <CenteredPage title="New password">
        <ListSkeleton rows={3} />
      </CenteredPage>
    )
  }
  if (isRefused(link.error, 'NOT_FOUND', 'BAD_REQUEST', 'VALIDATION_ERROR')) return <DeadLink />
  if (link.error) {
    return (
      <CenteredPage title="This did not work" description={messageOf(link.error)}>
        <Button size="sm" onClick={() => void link.refetch()}>
          Try again
        </Button>
      </CenteredPage>
    )
  }
  return <PasswordForm token={token} link={link.data.data} />
}

const DeadLink = () => (
  <CenteredPage title="This link no longer works" description="It works once, for an hour. Request another by email.">
    {/* Reloads this page without its token. */}
    <Button component="a" href={paths.passwordReset()} size="sm">
      Get a new link
    </Button>
  </CenteredPage>
)

const PasswordForm = ({ token, link }: { token: string; link: Inspected }) => {
  const [name, setName] = useState(link.purpose === 'welcome' ? '' : link.name)
  const [password, setPassword] = useState('')
  const [barredByPassword, setBarred] = useState<boolean | string>(true)
  const reset = useApiMutation(null, 'resetPassword')
  if (reset.isSuccess) {
    return (
      <CenteredPage
        title="Your password is set"
        description="Every session of the account was ended. Sign in with the new password."
      >
        <ButtonLink to={paths.signIn()} size="sm">
          Sign in
        </ButtonLink>
      </CenteredPage>
    )
  }
  if (isRefused(reset.error, 'NOT_FOUND')) return <DeadLink />
  const isWelcome = link.purpose === 'welcome'
  const barred = (isWelcome && !name.trim()) || barredByPassword
  const errors = reset.error ? formErrors(reset.error, ['password', 'name']) : { fields: {} }
  return (
    <CenteredPage title={isWelcome ? 'Welcome to Sortie' : 'New password'} description={`For ${link.email}.`}>
      <FormElement
        onSubmit={() => reset.mutate({ body: { token, password, ...(isWelcome && name.trim() && { name }) } })}
        loading={reset.isPending}
        barred={barred}
      >
        <Stack gap="sm">
          <input type="email" name="username" autoComplete="username" value={link.email} readOnly hidden />
          {isWelcome && (
            <TextInput
              label="Your name"
              autoComplete="name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={errors.fields.name}
            />
          )}
          <NewPassword
            error={errors.fields.password}
            onChange={(value, isBarred) => {
              setPassword(value)
              setBarred(isBarred)
            }}
          />
          <FormError message={errors.form} />
          <Button type="submit" size="sm" loading={reset.isPending} aria-disabled={barred !== false || undefined}>
            Set password
          </Button>
        </Stack>
      </FormElement>
    </CenteredPage>
  )
}
