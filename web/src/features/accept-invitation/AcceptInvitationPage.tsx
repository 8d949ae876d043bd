import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isRefused, messageOf, query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOtherTabs } from '../../shell/context/other-tabs.ts'
import { accountQuery, signOut } from '../../shell/context/session.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { mailedFragment, useMailedToken } from '../../shell/routing/mailed-token.ts'
import { signInModeQuery } from '../../shell/sign-in/mode.ts'
import { ProviderButton } from '../../shell/sign-in/ProviderButton.tsx'
import { SignInForm } from '../../shell/sign-in/SignInForm.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import type { Invited } from './invited.ts'
import { JoinAsMyself } from './JoinAsMyself.tsx'
import { JoinAsNew } from './JoinAsNew.tsx'

/** Opened from an e-mail link. Joins the organization, or explains what prevents it and how to fix it. */
export const AcceptInvitationPage = () => {
  const token = useMailedToken()
  if (!token) return <UnknownLink />
  return <Inspect key={token} token={token} />
}

const Inspect = ({ token }: { token: string }) => {
  const invitation = useQuery({
    ...query(null, 'inspectInvitation', { body: { token } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const account = useQuery(accountQuery())
  const cache = useQueryClient()
  useOtherTabs(
    account.data?.data.id,
    useCallback(() => void cache.resetQueries(accountQuery()), [cache]),
  )
  const mode = useQuery(signInModeQuery())
  if (invitation.isPending || account.isPending || mode.isPending) {
    return (
      <CenteredPage title="Invitation">
        <ListSkeleton rows={3} />
      </CenteredPage>
    )
  }
  if (isRefused(invitation.error, 'NOT_FOUND', 'BAD_REQUEST', 'VALIDATION_ERROR')) return <UnknownLink />
  if (invitation.error) {
    return (
      <CenteredPage title="This did not work" description={messageOf(invitation.error)}>
        <Button size="sm" onClick={() => void invitation.refetch()}>
          Try again
        </Button>
      </CenteredPage>
    )
  }
  const { data } = invitation.data
  if (data.status !== 'pending') return <Ended invitation={data} />
  if (account.data) {
    const isInvited = account.data.data.email.toLowerCase() === data.email.toLowerCase()
    return isInvited ? (
      <JoinAsMyself token={token} invitation={data} />
    ) : (
      <OtherAccount invitation={data} signedInAs={account.data.data.email} token={token} />
    )
  }
  if (mode.data && mode.data.data.provider !== 'local') return <ProviderFirst invitation={data} token={token} />
  if (data.accountExists) return <SignInFirst invitation={data} />
  return <JoinAsNew token={token} invitation={data} />
}

const UnknownLink = () => (
  <CenteredPage
    title="This link does not work"
    description="Open the complete link from the newest email: some mail programs break long links. If that fails, ask the person who invited you to send the invitation again."
  >
    <ButtonLink to={paths.home()} size="sm" variant="default">
      Go home
    </ButtonLink>
  </CenteredPage>
)

const ENDED: Record<Exclude<Invited['status'], 'pending'>, { title: string; text: string }> = {
  expired: {
    title: 'This invitation has expired',
    text: 'Invitations work for 7 days. Ask the person who invited you to send a new one.',
  },
  revoked: {
    title: 'This invitation was withdrawn',
    text: 'If you think that this is a mistake, ask the person who invited you for a new one.',
  },
  accepted: {
    title: 'This invitation has already been used',
    text: 'Each works once. If it was you, sign in: you are a member.',
  },
}

const Ended = ({ invitation }: { invitation: Invited }) => {
  const { title, text } = ENDED[invitation.status as keyof typeof ENDED]
  return (
    <CenteredPage
      title={title}
      description={`${text} It was for ${invitation.email}, to join ${invitation.organizationName}.`}
    >
      <ButtonLink to={paths.home()} size="sm" variant={invitation.status === 'accepted' ? 'filled' : 'default'}>
        {invitation.status === 'accepted' ? 'Sign in' : 'Go home'}
      </ButtonLink>
    </CenteredPage>
  )
}

/**
 * Reopens the page with its token after sign-out. The query forces a page load; a change of only the fragment does not.
 */
const OtherAccount = ({
  invitation,
  signedInAs,
  token,
}: {
  invitation: Invited
  signedInAs: string
  token: string
}) => {
  const cache = useQueryClient()
  return (
    <CenteredPage
      title="This invitation is for another address"
      description={`It is for ${invitation.email}, to join ${invitation.organizationName}. You are signed in as ${signedInAs}: sign out here, then continue as ${invitation.email}.`}
    >
      <Button
        size="sm"
        onClick={() => void signOut(cache, `${paths.acceptInvitation()}?signed-out${mailedFragment(token)}`)}
      >
        Sign out and continue
      </Button>
      <ButtonLink to={paths.home()} size="sm" variant="default">
        Stay signed in as {signedInAs}
      </ButtonLink>
    </CenteredPage>
  )
}

/** Keeps the mailed token, so that the page reopens after sign-in. */
const ProviderFirst = ({ invitation, token }: { invitation: Invited; token: string }) => (
  <CenteredPage
    title={`Join ${invitation.organizationName}`}
    description={`Sign in as ${invitation.email}, then accept.`}
  >
    <ProviderButton next={paths.acceptInvitation() + mailedFragment(token)} />
  </CenteredPage>
)

const SignInFirst = ({ invitation }: { invitation: Invited }) => {
  const cache = useQueryClient()
  return (
    <CenteredPage
      title={`Join ${invitation.organizationName}`}
      description={`${invitation.email} has an account here: sign in with it, then accept.`}
    >
      <SignInForm email={invitation.email} onSignedIn={() => void cache.resetQueries(accountQuery())} />
    </CenteredPage>
  )
}
