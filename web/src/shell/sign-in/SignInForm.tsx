import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { FormElement } from '../../ui/FormElement.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { tellOtherTabs } from '../other-tabs.ts'
import { SecondStep } from './SecondStep.tsx'

export type SecondFactors = Output<'signIn'>['data']['secondFactors']
export type SignedIn = Output<'signInWithSecondFactor'>['data']['user']

interface SignInFormProps {
  /** Address that is already known, and stays. */
  email?: string
  onSignedIn: (user: SignedIn) => void
}

/** Address and password, then the second factor where there is one. */
export const SignInForm = ({ email: fixedEmail, onSignedIn }: SignInFormProps) => {
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<SecondFactors>()
  const finish = (user: SignedIn) => {
    tellOtherTabs(user.id)
    onSignedIn(user)
  }
  const signIn = useCommand(null, 'signIn', {
    onSuccess: ({ data }) => {
      setPassword('')
      if (data.secondFactorRequired) setMissing(data.secondFactors)
      else if (data.user) finish(data.user)
    },
  })
  if (missing) return <SecondStep secondFactors={missing} onSignedIn={finish} onRestart={() => setMissing(undefined)} />
  const errors = signIn.error ? formErrors(signIn.error, ['email', 'password']) : { fields: {} }
  return (
    <FormElement onSubmit={() => signIn.mutate({ body: { email: email.trim(), password } })} loading={signIn.isPending}>
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={errors.fields.email}
          readOnly={fixedEmail !== undefined}
          data-autofocus={fixedEmail === undefined || undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose
          autoFocus={fixedEmail === undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errors.fields.password}
          data-autofocus={fixedEmail !== undefined || undefined}
        />
        <FormError message={errors.form} />
        <Button type="submit" size="sm" loading={signIn.isPending} disabled={!email.trim() || !password}>
          Sign in
        </Button>
      </Stack>
    </FormElement>
  )
}
