import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { Suspense, useState } from 'react'
import { formErrors, isRefused, messageOf, useApiMutation } from '../../api/api.ts'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { tellOtherTabs } from '../context/other-tabs.ts'
import type { SecondFactors, SignedIn } from './signed-in.ts'

/**
 * Few sign in over a page that is open, and fewer need more than a password: the code of these steps loads when they
 * begin.
 */
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep')
const ConfirmByMail = lazyPart(() => import('./ConfirmByMail.tsx'), 'ConfirmByMail')

interface SignInFormProps {
  /** Known e-mail address; not editable. */
  email?: string
  onSignedIn: (user: SignedIn) => void
}

/** E-mail address and password, then the second factor, if any. After too many failures: an e-mail link. */
export const SignInForm = ({ email: fixedEmail, onSignedIn }: SignInFormProps) => {
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<SecondFactors>()
  const finish = (user: SignedIn) => {
    tellOtherTabs(user.id)
    onSignedIn(user)
  }
  const [isLinkSent, setLinkSent] = useState(false)
  const link = useApiMutation(null, 'requestBrowserConfirmation')
  const linkInput = () => ({ body: { email: email.trim() } })
  const signIn = useApiMutation(null, 'signIn', {
    onSuccess: ({ data }) => {
      setPassword('')
      if (data.secondFactorRequired) setMissing(data.secondFactors)
      else if (data.user) finish(data.user)
    },
    onError: (error) => {
      if (isRefused(error, 'RATE_LIMITED')) link.mutate(linkInput(), { onSuccess: () => setLinkSent(true) })
    },
  })
  if (missing) {
    return (
      <Suspense>
        <SecondStep secondFactors={missing} onSignedIn={finish} onRestart={() => setMissing(undefined)} />
      </Suspense>
    )
  }
  if (isLinkSent) {
    return (
      <Suspense>
        <ConfirmByMail
          email={email.trim()}
          waitSeconds={isRefused(signIn.error, 'RATE_LIMITED') ? signIn.error.retryAfterSeconds : undefined}
          error={link.error ? messageOf(link.error) : undefined}
          isSending={link.isPending}
          // The answer may arrive after the user went back: it changes nothing then.
          onSendAgain={() => link.mutate(linkInput())}
          onBack={() => {
            setLinkSent(false)
            signIn.reset()
          }}
        />
      </Suspense>
    )
  }
  const isIncomplete = !email.trim() || !password
  const errors = signIn.error ? formErrors(signIn.error, ['email', 'password']) : { fields: {} }
  return (
    <FormElement
      onSubmit={() => signIn.mutate({ body: { email: email.trim(), password } })}
      loading={signIn.isPending || link.isPending}
      barred={isIncomplete}
    >
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
        <Button
          type="submit"
          size="sm"
          loading={signIn.isPending || link.isPending}
          aria-disabled={isIncomplete || undefined}
        >
          Sign in
        </Button>
      </Stack>
    </FormElement>
  )
}
