import { Button } from '@mantine/core'
import { ApiError } from '@sortie/client/errors.ts'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isRefused, messageOf } from '../api.ts'
import { paths } from '../paths.ts'
import { CenteredPage } from '../ui/CenteredPage.tsx'
import { LoadFailed, Notice } from '../ui/Notice.tsx'
import { ButtonLink } from './links.tsx'

/** For an address that leads nowhere. */
export const NotFoundPage = () => (
  <CenteredPage title="There is nothing here" description="The address may be mistyped, or what it led to is gone.">
    <ButtonLink to={paths.home()} size="sm">
      Go to the start
    </ButtonLink>
  </CenteredPage>
)

/** For an organization that does not exist or that the person is no member of: the two are not told apart. */
export const NoAccessPage = () => (
  <CenteredPage
    title="You have no access"
    description="There is no such organization, or you are not a member of it. If somebody sent you this link, ask them for an invitation to the address that you sign in with."
  >
    <ButtonLink to={paths.home()} size="sm">
      Go to your organizations
    </ButtonLink>
  </CenteredPage>
)

/** For what went wrong while a page was made. */
export const ErrorPage = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <CenteredPage title="Something went wrong" description={messageOf(error)} footer={requestId && `Request id for the operator: ${requestId}`}>
      <Button
        size="sm"
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        Try again
      </Button>
    </CenteredPage>
  )
}

/** In place of a list or part that could not be read. */
export const QueryFailed = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  if (isRefused(error, 'NOT_FOUND')) return <Notice title="There is nothing here">It may have been deleted, or the address is mistyped.</Notice>
  if (isRefused(error, 'FORBIDDEN')) return <Notice title="You have no access">{error.message}</Notice>
  return <LoadFailed message={messageOf(error)} requestId={error instanceof ApiError ? error.requestId : undefined} onRetry={onRetry} />
}
