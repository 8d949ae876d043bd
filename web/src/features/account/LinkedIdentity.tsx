import { Button } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../api/api.ts'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { identityQuery } from '../../shell/context/session.tsx'
import { PasswordStep } from '../../shell/proof/PasswordStep.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Properties } from '../../ui/lists/Properties.tsx'
import { Section } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Identity = NonNullable<Output<'getIdentity'>['data']['identity']>

/** The account's identity at the provider. Empty when users sign in with passwords. */
export const LinkedIdentity = () => {
  const found = useQuery(identityQuery())
  return (
    <QueryView query={found} skeleton={null}>
      {({ data: { providerName, identity } }) => {
        if (providerName === null) return null
        return identity ? (
          <Linked providerName={providerName} identity={identity} />
        ) : (
          <NotLinked providerName={providerName} />
        )
      }}
    </QueryView>
  )
}

const Linked = ({ providerName, identity }: { providerName: string; identity: Identity }) => (
  <Section title={`Sign-in with ${providerName}`} description="Signing in there signs you in to this account.">
    <Properties
      items={[
        ['Email at the provider', identity.email],
        ['Id at the provider', identity.subject],
        ['Linked', <TimeAgo key="linked" iso={identity.linkedAt} />],
        ['Last used', <TimeAgo key="used" iso={identity.lastUsedAt} />],
      ]}
    />
  </Section>
)

const NotLinked = ({ providerName }: { providerName: string }) => {
  const [linking, setLinking] = useState(false)
  return (
    <Section
      title={`Sign-in with ${providerName}`}
      description={`This account is not linked to ${providerName} yet. Without the link you can't sign in to it after this session ends.`}
      actions={<Button onClick={() => setLinking(true)}>Link this account</Button>}
    >
      <LinkDialog provider={providerName} opened={linking} onClose={() => setLinking(false)} />
    </Section>
  )
}

const LinkDialog = ({ provider, opened, onClose }: { provider: string; opened: boolean; onClose: () => void }) => {
  const start = useApiMutation(null, 'startLinking', { onSuccess: ({ data }) => redirectAway(data.url) })
  return (
    <Dialog opened={opened} onClose={onClose} title={`Link this account to ${provider}`}>
      <PasswordStep
        label={`Continue to ${provider}`}
        error={start.error}
        loading={start.isPending || start.isSuccess}
        onSubmit={(password) => start.mutate({ body: { password } })}
        onClose={onClose}
      >
        Enter your password to confirm that it is you, then sign in there as yourself. Your other sessions here end.
      </PasswordStep>
    </Dialog>
  )
}
