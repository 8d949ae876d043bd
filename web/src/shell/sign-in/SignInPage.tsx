import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paths, safeReturn } from '../../paths.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import { TextLink } from '../routing/links.tsx'
import { QueryFailed } from '../routing/pages.tsx'
import { signIn as route } from '../routing/routes.ts'
import { signInModeQuery } from './mode.ts'
import { PasswordDoor } from './PasswordDoor.tsx'
import { ProviderButton } from './ProviderButton.tsx'

export const SignInPage = () => {
  const { next } = route.useSearch()
  const mode = useQuery(signInModeQuery())
  const [withPassword, setWithPassword] = useState(false)
  if (mode.isPending) return <SignIn content={<ListSkeleton rows={2} />} />
  if (mode.isError) return <SignIn content={<QueryFailed error={mode.error} onRetry={() => void mode.refetch()} />} />
  const { provider, passwordsFor } = mode.data.data
  if (provider === 'local') {
    return (
      <SignIn
        content={<PasswordDoor next={next} />}
        footer={<TextLink to={paths.passwordReset()}>Forgot password?</TextLink>}
      />
    )
  }
  if (withPassword)
    return (
      <SignIn
        content={<PasswordDoor next={next} />}
        description="Only instance administrators sign in with a password."
      />
    )
  const fallback = (
    <Anchor component="button" type="button" size="sm" onClick={() => setWithPassword(true)}>
      Sign in as an instance administrator
    </Anchor>
  )
  return (
    <SignIn
      content={<ProviderButton next={safeReturn(next)} />}
      footer={passwordsFor === 'administrators' ? fallback : undefined}
    />
  )
}

const SignIn = ({ content, description, footer }: { content: ReactNode; description?: string; footer?: ReactNode }) => (
  <CenteredPage title="Sign in to Sortie" description={description} footer={footer}>
    {content}
  </CenteredPage>
)
