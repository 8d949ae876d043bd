import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formErrors, messageOf, patchCached, query, useCommand } from '../../api.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../shell/links.tsx'
import { isAdmin, useOrganization } from '../../shell/organization.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { useAccount } from '../../shell/session.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Properties } from '../../ui/Properties.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toast, toastError } from '../../ui/toast.ts'

type Organization = Output<'getOrganization'>['data']

export const GeneralPage = () => {
  const { id, role } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  return (
    <Page title="General" width="narrow">
      {organization.isPending && <ListSkeleton rows={3} />}
      {organization.isError && <QueryFailed error={organization.error} onRetry={() => void organization.refetch()} />}
      {organization.data && (
        <>
          <NameSection key={organization.data.data.name} organization={organization.data.data} />
          <SettingsSection organization={organization.data.data} />
          <LeaveSection isOwner={role === 'owner'} />
        </>
      )}
    </Page>
  )
}

const NameSection = ({ organization }: { organization: Organization }) => {
  const own = useOrganization()
  const [name, setName] = useState(organization.name)
  const rename = useCommand(organization.id, 'updateOrganization', {
    invalidates: [
      [organization.id, 'getOrganization'],
      [null, 'listOwnOrganizations'],
    ],
    onSuccess: () => toast('The organization was renamed.'),
  })
  const errors = rename.error ? formErrors(rename.error, ['name']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate({ body: { name } })
  }
  return (
    <Section title="Organization">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            value={name}
            maxLength={200}
            readOnly={!isAdmin(own)}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.fields.name}
          />
          <FormError message={errors.form} />
          {isAdmin(own) && (
            <Group>
              <Button type="submit" loading={rename.isPending} disabled={!name.trim() || name === organization.name}>
                Rename
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <Properties
        items={[
          ['Slug', <code key="slug">{organization.slug}</code>],
          ['Plan', organization.plan],
          ['Members', organization.memberCount],
          ['Created', <TimeAgo key="created" iso={organization.createdAt} />],
          ['Id', <code key="id">{organization.id}</code>],
        ]}
      />
      <Text size="xs" c="dimmed">
        The slug is part of every link to this organization, so it stays when the name changes.
      </Text>
    </Section>
  )
}

const SettingsSection = ({ organization }: { organization: Organization }) => {
  const own = useOrganization()
  const account = useAccount()
  const { settings } = organization
  const cache = useQueryClient()
  const change = useCommand(organization.id, 'updateOrganizationSettings', {
    invalidates: [[organization.id, 'getOrganization']],
    optimistic: (queries, { body }) =>
      patchCached(queries, organization.id, 'getOrganization', (output) => ({ data: { ...output.data, settings: { ...output.data.settings, ...body } } })),
    onSuccess: () => {
      toast('Saved.')
      return cache.invalidateQueries({ queryKey: [null, 'getAccount'] })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const lacksOwn = !account.secondFactor.enabled && !settings.requireTwoFactor
  return (
    <Section title="Security" description="What the organization demands of its members.">
      <Stack gap="lg">
        <Stack gap={6}>
          <Switch
            label="Require a second factor"
            description="A member without one can do nothing in this organization but set one up. API keys are not affected."
            checked={settings.requireTwoFactor}
            disabled={!isAdmin(own) || lacksOwn}
            onChange={(event) => change.mutate({ body: { requireTwoFactor: event.currentTarget.checked } })}
          />
          {isAdmin(own) && lacksOwn && (
            <Text size="xs" c="dimmed">
              To switch this on, <TextLink to={paths.secondFactor()}>set up your own second factor</TextLink> first.
            </Text>
          )}
        </Stack>
        <Switch
          label="Automatic joining by domain"
          description="People whose verified address lies in a domain that the organization has proved join as members when they sign in. It follows from the proof and cannot be switched here."
          checked={settings.domainAutoJoin}
          disabled
          readOnly
        />
        <Switch
          label="Single sign-on"
          description="Members sign in through the identity provider of this installation. It follows from the provider that the operator has set up."
          checked={settings.ssoEnabled}
          disabled
          readOnly
        />
      </Stack>
    </Section>
  )
}

const LeaveSection = ({ isOwner }: { isOwner: boolean }) => {
  const organization = useOrganization()
  const [asking, setAsking] = useState(false)
  const leave = useCommand(organization.id, 'leaveOrganization', { onSuccess: () => window.location.assign(paths.home()) })
  return (
    <Section
      title="Leave"
      description={
        isOwner ? 'The owner cannot leave: hand the organization to somebody else first.' : `You lose access to ${organization.name}; your account stays.`
      }
      actions={
        isOwner ? (
          <TextLink to={paths.ownership(organization.slug)}>Ownership</TextLink>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            Leave the organization
          </Button>
        )
      }
    >
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate({})}
        title={`Leave ${organization.name}?`}
        confirmLabel="Leave"
        loading={leave.isPending}
        error={leave.error ? messageOf(leave.error) : undefined}
      >
        You lose access at once. Coming back takes a new invitation.
      </ConfirmDialog>
    </Section>
  )
}
