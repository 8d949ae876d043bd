import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/routing/links.tsx'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'

export const RequestReset = () => {
  const [email, setEmail] = useState('')
  const request = useApiMutation(null, 'requestPasswordReset')
  const back = <TextLink to={paths.signIn()}>Back to sign-in</TextLink>
  if (request.isSuccess) {
    return (
      <CenteredPage
        title="Check your email"
        description={`If ${email.trim()} has an account here, a link for a new password is on its way. It works once, for an hour. If nothing arrives, check the spam folder, or ask the operator.`}
        footer={back}
      />
    )
  }
  const errors = request.error ? formErrors(request.error, ['email']) : { fields: {} }
  return (
    <CenteredPage title="Forgot password" description="We send you a link by email." footer={back}>
      <FormElement
        onSubmit={() => request.mutate({ body: { email: email.trim() } })}
        loading={request.isPending}
        barred={!email.trim()}
      >
        <Stack gap="sm">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={errors.fields.email}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one field
            autoFocus
          />
          <FormError message={errors.form} />
          <Button type="submit" size="sm" loading={request.isPending} aria-disabled={!email.trim() || undefined}>
            Send the link
          </Button>
        </Stack>
      </FormElement>
    </CenteredPage>
  )
}
