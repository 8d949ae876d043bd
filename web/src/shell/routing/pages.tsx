import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { ApiError, ConnectionError } from '@sortie/client/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useEffect } from 'react'
import { isRefused, messageOf, reportFailure } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { LoadFailed, Notice } from '../../ui/feedback/Notice.tsx'
import { isPartMissing, lazyPart } from '../../ui/load-part.ts'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import { useIsInMain } from '../../ui/page/in-main.ts'
import { onConnectionBack } from '../banners/connection.tsx'
import { accountQuery } from '../context/session.tsx'
import { ShellSkeleton } from '../reads/skeletons.tsx'
import { ButtonLink } from './links.tsx'

interface MessageProps {
  title: string
  actions: ReactNode
  requestId?: string | undefined
  children: ReactNode
}

/** Replaces a page, next to the navigation if there is one. */
const Message = ({ title, actions, requestId, children }: MessageProps) => {
  const isInMain = useIsInMain()
  useDocumentTitle(`${title} · Sortie`)
  if (isInMain) {
    return (
      <Notice title={title} actions={actions} requestId={requestId}>
        {children}
      </Notice>
    )
  }
  return (
    <CenteredPage
      title={title}
      description={children}
      footer={requestId && `Request id for the operator: ${requestId}`}
    >
      {actions}
    </CenteredPage>
  )
}

const NothingHere = () => (
  <Message title="Page not found" actions={<ButtonLink to={paths.home()}>Go home</ButtonLink>}>
    The address may be mistyped, or the page no longer exists.
  </Message>
)

const PersonalLayout = lazyPart(() => import('../layout/PersonalLayout.tsx'), 'PersonalLayout')

/** Unknown address; includes the navigation for signed-in users. */
export const NotFoundPage = () => {
  const isInMain = useIsInMain()
  const account = useQuery({ ...accountQuery(), enabled: !isInMain })
  if (!isInMain && account.isPending) return <ShellSkeleton />
  if (isInMain || !account.data) return <NothingHere />
  return (
    <Suspense fallback={<ShellSkeleton />}>
      <PersonalLayout title="Sortie">
        <NothingHere />
      </PersonalLayout>
    </Suspense>
  )
}

/** Unknown organization, or one without membership; the two look the same. */
export const NoAccessPage = () => (
  <Suspense fallback={<ShellSkeleton />}>
    <PersonalLayout title="Sortie">
      <Message title="You have no access" actions={<ButtonLink to={paths.home()}>Go home</ButtonLink>}>
        There is no such organization, or you are not a member of it. If someone sent you this link, ask them to invite
        the address that you sign in with.
      </Message>
    </PersonalLayout>
  </Suspense>
)

/** Error while rendering a page. Disappears when the connection returns. */
export const ErrorPage = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  const isUnfetched = isPartMissing(error)
  useEffect(() => {
    if (isUnfetched) reportFailure(new ConnectionError(error))
  }, [isUnfetched, error])
  const again = useCallback(() => {
    // An open page does not refetch a module that failed to load once.
    if (isUnfetched) return window.location.reload()
    reset()
    return void router.invalidate()
  }, [isUnfetched, reset, router])
  useEffect(() => onConnectionBack(again), [again])
  return (
    <Message
      title={isUnfetched ? 'This page could not be loaded' : 'Something went wrong'}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      actions={
        <>
          <Button onClick={again}>Try again</Button>
          <ButtonLink to={paths.home()} variant="default">
            Go home
          </ButtonLink>
        </>
      }
    >
      {isUnfetched ? messageOf(new ConnectionError(error)) : messageOf(error)}
    </Message>
  )
}

/** In place of a list or part that could not be read. */
export const QueryFailed = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const home = <ButtonLink to={paths.home()}>Go home</ButtonLink>
  if (isRefused(error, 'NOT_FOUND')) {
    return (
      <Notice title="Page not found" actions={home}>
        It may have been deleted, or the address is mistyped.
      </Notice>
    )
  }
  if (isRefused(error, 'FORBIDDEN')) {
    return (
      <Notice title="You have no access" actions={home}>
        {error.message}
      </Notice>
    )
  }
  return (
    <LoadFailed
      message={messageOf(error)}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      onRetry={onRetry}
    />
  )
}
