import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { type Scope, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefused, messageOf, query, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { lastOrganization, type OwnOrganization, OrganizationProvider } from '../../../shell/context/organization.tsx'
import { organizationsQuery } from '../../../shell/context/session.tsx'
import { type ChosenEngagements, EngagementChoice } from '../../../shell/fields/EngagementChoice.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { CenteredPage } from '../../../ui/page/CenteredPage.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { device as route } from '../api-keys.routes.ts'
import { ScopeChoice } from '../ScopeChoice.tsx'
import { endOf, EXPIRIES, type Expiry } from './expiry.ts'

type Authorization = Output<'getDeviceAuthorization'>['data']

/** Opened from a terminal that signs in: shows what waits for the code, and gives or refuses it a key. */
export const DevicePage = () => {
  const { code } = route.useSearch()
  return code === undefined ? <EnterCode /> : <Inspect key={code} code={code} />
}

const EnterCode = ({ problem }: { problem?: string }) => {
  const navigate = route.useNavigate()
  const [code, setCode] = useState('')
  const letters = code.replaceAll(/[^A-Za-z]/g, '')
  return (
    <CenteredPage title="Sign in a terminal" description="Enter the code that the terminal shows.">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (letters.length === 8) void navigate({ search: { code: code.trim() } })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Code"
            placeholder="ABCD-EFGH"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={problem}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one field
            autoFocus
            maxLength={20}
          />
          <Button type="submit" disabled={letters.length !== 8}>
            Continue
          </Button>
        </Stack>
      </form>
    </CenteredPage>
  )
}

const Inspect = ({ code }: { code: string }) => {
  const read = useQuery({
    ...query(null, 'getDeviceAuthorization', { params: { userCode: code } }),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const organizations = useQuery(organizationsQuery())
  if (isRefused(read.error, 'NOT_FOUND', 'VALIDATION_ERROR', 'BAD_REQUEST'))
    return <EnterCode problem="This code does not work. It may have expired: start again in the terminal." />
  if (read.error) return <CenteredPage title="This did not work" description={messageOf(read.error)} />
  if (read.isPending || organizations.isPending)
    return (
      <CenteredPage title="Sign in a terminal">
        <ListSkeleton rows={3} />
      </CenteredPage>
    )
  const { data } = read.data
  if (data.state !== 'pending') return <Answered state={data.state} />
  return <Decide code={code} authorization={data} organizations={organizations.data?.data ?? []} />
}

const ANSWERS: Record<Authorization['state'], { title: string; text: string }> = {
  pending: { title: '', text: '' },
  approved: { title: 'Approved', text: 'The terminal is signed in within a few seconds. You can close this page.' },
  waiting: {
    title: 'An admin has to confirm it',
    text: 'Only the owner and admins make keys. Ask one of them to confirm this sign-in under API keys in the settings, within ten minutes of its start. The terminal waits.',
  },
  denied: { title: 'Refused', text: 'The terminal gets no key. You can close this page.' },
}

const Answered = ({ state }: { state: Authorization['state'] }) => (
  <CenteredPage title={ANSWERS[state].title} description={ANSWERS[state].text}>
    <ButtonLink to={paths.home()} size="sm" variant="default">
      Go home
    </ButtonLink>
  </CenteredPage>
)

const Decide = ({
  code,
  authorization,
  organizations,
}: {
  code: string
  authorization: Authorization
  organizations: readonly OwnOrganization[]
}) => {
  const [organization, setOrganization] = useState(() => lastOrganization(organizations))
  const [answer, setAnswer] = useState<Authorization['state']>()
  const deny = useApiMutation(null, 'denyDeviceAuthorization', { onSuccess: ({ data }) => setAnswer(data.state) })
  if (answer) return <Answered state={answer} />
  const { client, device, address, createdAt } = authorization
  return (
    <CenteredPage
      title="Sign in a terminal?"
      description={
        <>
          <b>{client}</b> ({device}) at <span className="mono">{address}</span> asked for a key{' '}
          <TimeAgo iso={createdAt} />.
        </>
      }
    >
      <Stack gap="md" style={{ width: '100%' }}>
        <Alert color="yellow" variant="light">
          Approve only what you started yourself, with a terminal that shows the code <b>{code.toUpperCase()}</b>. No
          one has checked the name of the program.
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
              code={code}
              authorization={authorization}
              organization={organization}
              onAnswer={setAnswer}
            />
          </OrganizationProvider>
        ) : (
          <Text size="sm">You are in no organization.</Text>
        )}
        <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate({ params: { userCode: code } })}>
          Refuse
        </Button>
        {deny.error && (
          <Text size="sm" c="red" role="alert">
            {messageOf(deny.error)}
          </Text>
        )}
      </Stack>
    </CenteredPage>
  )
}

const Approval = ({
  code,
  authorization,
  organization,
  onAnswer,
}: {
  code: string
  authorization: Authorization
  organization: OwnOrganization
  onAnswer: (state: Authorization['state']) => void
}) => {
  const offered = scopesOfRole(organization.role).filter((scope) => authorization.scopes.includes(scope))
  const [name, setName] = useState(authorization.client)
  const [scopes, setScopes] = useState<Scope[]>(() => offered.filter((scope) => scope !== 'organizations:write'))
  const [engagementIds, setEngagementIds] = useState<ChosenEngagements>('open')
  const [days, setDays] = useState<Expiry>('30')
  const approve = useApiMutation(organization.id, 'approveDeviceAuthorization', {
    onSuccess: ({ data }) => onAnswer(data.state),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        approve.mutate({
          params: { userCode: code },
          body: {
            name: name.trim(),
            scopes,
            expiresAt: endOf(days),
            ...(engagementIds !== undefined && {
              engagementIds: engagementIds === 'open' ? 'open' : [...engagementIds],
            }),
          },
        })
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name of the key"
          description="So that you know later which terminal it belongs to."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
        />
        <ScopeChoice chosen={scopes} offered={offered} onChange={setScopes} />
        <EngagementChoice
          value={engagementIds}
          onChange={setEngagementIds}
          listedHint="The terminal sees nothing else of the organization’s work."
          error={undefined}
        />
        <Choice label="Ends" value={days} data={EXPIRIES} onChange={setDays} />
        <Text size="xs" c="dimmed">
          The key never has more rights than you have, and ends when you leave the organization.
        </Text>
        {approve.error && (
          <Text size="sm" c="red" role="alert">
            {messageOf(approve.error)}
          </Text>
        )}
        <Button
          type="submit"
          loading={approve.isPending}
          disabled={!name.trim() || scopes.length === 0 || engagementIds?.length === 0}
        >
          Approve
        </Button>
      </Stack>
    </form>
  )
}
