import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { paths, safeReturn } from '../../paths.ts'
import { CenteredPage } from '../../ui/CenteredPage.tsx'
import { TextLink } from '../links.tsx'
import { SignInForm } from './SignInForm.tsx'

const route = getRouteApi('/sign-in')

export const SignInPage = () => {
  const { next } = route.useSearch()
  const router = useRouter()
  const cache = useQueryClient()
  return (
    <CenteredPage title="Sign in to Sortie" footer={<TextLink to={paths.passwordReset()}>Forgotten password?</TextLink>}>
      <SignInForm
        onSignedIn={() => {
          cache.clear()
          void router.navigate({ href: safeReturn(next), replace: true })
        }}
      />
    </CenteredPage>
  )
}
