import { ApiError } from '@sortie/client/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { paths, safeReturn } from '../../paths.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import { ButtonLink } from '../routing/links.tsx'
import { SecondStep } from './SecondStep.tsx'
import type { SecondFactors } from './signed-in.ts'

/**
 * The provider's response. Removed from the address bar once read: it works once, and must not appear in history or
 * bookmarks.
 */
const consumeResponse = (): string => {
  const { pathname, search } = window.location
  if (search) window.history.replaceState(window.history.state, '', pathname)
  return search.slice(1)
}

/** Callback of the identity provider: signs in, or explains what prevents it. */
export const CallbackPage = () => {
  const router = useRouter()
  const cache = useQueryClient()
  const [answer] = useState(consumeResponse)
  const [missing, setMissing] = useState<{ secondFactors: SecondFactors; next: string }>()
  const goOn = (to: string) => {
    cache.clear()
    void router.navigate({ href: safeReturn(to), replace: true })
  }
  const { mutate, error } = useApiMutation(null, 'finishSingleSignOn', {
    onSuccess: ({ data }) => (data.outcome === 'second-factor' ? setMissing(data) : goOn(data.next)),
  })
  useEffect(() => {
    if (answer) mutate({ body: { query: answer } })
  }, [answer, mutate])
  if (!answer) return <Refused title="No sign-in in progress" message="Start from the sign-in page." />
  if (error) return <Refused title={titleOf(error)} message={messageOf(error)} />
  if (missing) {
    return (
      <CenteredPage title="One more step">
        <SecondStep
          secondFactors={missing.secondFactors}
          onSignedIn={() => goOn(missing.next)}
          onRestart={() => void router.navigate({ href: paths.signIn() })}
        />
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title="Signing in">
      <ListSkeleton rows={2} />
    </CenteredPage>
  )
}

const TITLES: Partial<Record<number, string>> = {
  400: 'Sign-in failed',
  401: 'Your session has ended',
  403: 'Access denied',
  409: 'This account has to be linked first',
  503: 'The identity provider does not respond',
}

const titleOf = (error: Error): string =>
  (error instanceof ApiError ? TITLES[error.statusCode] : undefined) ?? 'This did not work'

const Refused = ({ title, message }: { title: string; message: string }) => (
  <CenteredPage title={title} description={message}>
    <ButtonLink to={paths.signIn()} size="sm">
      Go to the sign-in page
    </ButtonLink>
  </CenteredPage>
)
