import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { type Scope, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { lastOrganization, type OwnOrganization, OrganizationProvider } from '../../../shell/context/organization.tsx'
import { organizationsQuery, useAccount } from '../../../shell/context/session.tsx'
import { EngagementList } from '../../../shell/fields/EngagementChoice.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { CenteredPage } from '../../../ui/page/CenteredPage.tsx'
import { consent as route } from '../api-keys.routes.ts'
import { ScopeChoice } from '../ScopeChoice.tsx'
import { READ_ONLY } from '../scopes.ts'
import classes from './ConsentPage.module.css'
import { endOf, EXPIRIES, type Expiry } from './expiry.ts'

type Asked = Output<'getAuthorizationRequest'>['data']
type Answer = Output<'answerAuthorizationRequest'>['data']

/** How often a waiting approval is read again. */
const REREAD_MS = 3_000

/** Sends the browser back to the client. Other schemes than these would run in this page. */
const leaveTo = (address: string): void => {
  if (/^https?:\/\//.test(address)) window.location.assign(address)
}

/** An AI client asks for access by OAuth: shows who asks, and gives or refuses it the key of a new agent. */
export const ConsentPage = () => {
  const { request } = route.useSearch()
  return request === undefined ? (
    <NotPossible reason="The address of this page is incomplete: start again in the program." />
  ) : (
    <Inspect key={request} request={request} />
  )
}

const NotPossible = ({ reason }: { reason: string }) => (
  <CenteredPage title="This program cannot connect" description={reason} />
)

const Inspect = ({ request }: { request: string }) => {
  const read = useQuery({
    ...query(null, 'getAuthorizationRequest', { query: { request } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const organizations = useQuery(organizationsQuery())
  if (read.error) return <NotPossible reason={messageOf(read.error)} />
  if (read.isPending || organizations.isPending)
    return (
      <CenteredPage title="Connect a program">
        <ListSkeleton rows={3} />
      </CenteredPage>
    )
  const { data } = read.data
  if (data.refusal)
    return (
      <CenteredPage title="This program cannot connect" description={data.refusal.description}>
        <Button variant="default" onClick={() => leaveTo(data.refusal?.redirectTo ?? '')}>
          Back to {data.client.name}
        </Button>
      </CenteredPage>
    )
  return <Decide request={request} asked={data} organizations={organizations.data?.data ?? []} />
}

const Decide = ({
  request,
  asked,
  organizations,
}: {
  request: string
  asked: Asked
  organizations: readonly OwnOrganization[]
}) => {
  const [organization, setOrganization] = useState(() => lastOrganization(organizations))
  const [answer, setAnswer] = useState<Answer>()
  const account = useAccount()
  const { client, redirect } = asked
  if (answer && organization)
    return answer.redirectTo === null && answer.id !== null ? (
      <Waiting id={answer.id} organization={organization} client={client.name} />
    ) : (
      <Leaving client={client.name} to={answer.redirectTo} />
    )
  return (
    <CenteredPage title={`Connect ${client.name}?`} description="It works as an agent of yours, until you stop it.">
      <Stack gap="md" className={classes.form}>
        <dl className={classes.facts}>
          <dt>Program of</dt>
          <dd className="mono">{client.host}</dd>
          <dt>Returns to</dt>
          <dd>
            <span className="mono">{redirect.host}</span>
            {redirect.isLocal && ', a program on this computer'}
          </dd>
          <dt>Account</dt>
          <dd>{account.email}</dd>
          {organizations.length === 1 && (
            <>
              <dt>Organization</dt>
              <dd>{organization?.name}</dd>
            </>
          )}
        </dl>
        <Alert color="yellow" variant="light">
          Approve only what you started yourself. The host is checked; the program chose its name.
          {redirect.isLocal && ' Another program on this computer can use the same name.'}
        </Alert>
        {organizations.length > 1 && (
          <Choice
            label="Organization"
            value={organization?.id ?? ''}
            data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => setOrganization(organizations.find((one) => one.id === id))}
          />
        )}
        {organization ? (
          <OrganizationProvider value={organization}>
            <Approval
              key={organization.id}
              request={request}
              asked={asked}
              organization={organization}
              onAnswer={setAnswer}
            />
          </OrganizationProvider>
        ) : (
          <Text size="sm">You are in no organization.</Text>
        )}
      </Stack>
    </CenteredPage>
  )
}

const Approval = ({
  request,
  asked,
  organization,
  onAnswer,
}: {
  request: string
  asked: Asked
  organization: OwnOrganization
  onAnswer: (answer: Answer) => void
}) => {
  const offered = scopesOfRole(organization.role).filter((scope) => asked.scopes.includes(scope))
  const [name, setName] = useState(asked.client.name)
  const [scopes, setScopes] = useState<Scope[]>(() => offered.filter((scope) => READ_ONLY.includes(scope)))
  const [engagementIds, setEngagementIds] = useState<readonly string[]>([])
  const [days, setDays] = useState<Expiry>('30')
  const send = useApiMutation(organization.id, 'answerAuthorizationRequest', {
    onSuccess: ({ data }) => {
      onAnswer(data)
      if (data.redirectTo !== null) leaveTo(data.redirectTo)
    },
  })
  const isComplete = name.trim() !== '' && scopes.length > 0 && engagementIds.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isComplete) return
        send.mutate({
          body: {
            request,
            approve: true,
            name: name.trim(),
            scopes,
            engagementIds: [...engagementIds],
            expiresAt: endOf(days),
          },
        })
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name of the agent"
          description="What it writes is signed with this name."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
        />
        <Stack gap={4}>
          <EngagementList chosen={engagementIds} onChange={setEngagementIds} />
          <Text size="xs" c="dimmed">
            Choose at least one. The program sees nothing else.
          </Text>
        </Stack>
        <ScopeChoice chosen={scopes} offered={offered} onChange={setScopes} />
        <Choice label="Ends" value={days} data={EXPIRIES} onChange={setDays} />
        <Text size="xs" c="dimmed">
          The program never has more rights than you have, and loses them when you leave the organization.
        </Text>
        {send.error && (
          <Text size="sm" c="red" role="alert">
            {messageOf(send.error)}
          </Text>
        )}
        <Button type="submit" loading={send.isPending} disabled={!isComplete}>
          Approve
        </Button>
        <Button
          variant="default"
          disabled={send.isPending}
          onClick={() => send.mutate({ body: { request, approve: false } })}
        >
          Refuse
        </Button>
      </Stack>
    </form>
  )
}

const Leaving = ({ client, to }: { client: string; to: string | null }) => (
  <CenteredPage title={`Back to ${client}`} description="The program has your answer. You can close this page.">
    {to !== null && (
      <Button variant="default" onClick={() => leaveTo(to)}>
        Open {client} again
      </Button>
    )}
  </CenteredPage>
)

/** Until an owner or admin confirms the approval: then the browser goes on by itself. */
const Waiting = ({ id, organization, client }: { id: string; organization: OwnOrganization; client: string }) => {
  const read = useQuery({
    ...query(organization.id, 'getAuthorization', { params: { authorizationId: id } }),
    refetchInterval: ({ state }) => (state.error || state.data?.data.redirectTo ? false : REREAD_MS),
    refetchIntervalInBackground: true,
    retry: false,
  })
  const redirectTo = read.data?.data.redirectTo
  useEffect(() => {
    if (redirectTo) leaveTo(redirectTo)
  }, [redirectTo])
  if (read.error) return <NotPossible reason="No one confirmed it in time: start again in the program." />
  if (redirectTo) return <Leaving client={client} to={redirectTo} />
  return (
    <CenteredPage
      title="An admin has to confirm it"
      description={`Only the owner, admins and leads create agents. Ask an owner or admin of ${organization.name} to confirm it within ten minutes, under API keys in the settings. Keep this page open: it continues by itself.`}
    >
      <Text size="sm" c="dimmed" role="status">
        Waiting …
      </Text>
    </CenteredPage>
  )
}
