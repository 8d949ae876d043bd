import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formErrors, messageOf, query, useCommand } from '../../api.ts'
import { paths } from '../../paths.ts'
import { ButtonLink, TextLink } from '../../shell/links.tsx'
import { isAdmin, useOrganization } from '../../shell/organization.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Properties } from '../../ui/Properties.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toast } from '../../ui/toast.ts'

type Organization = Output<'getOrganization'>['data']

export const GeneralPage = () => {
  const { id, role } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  return (
    <Page title="General" layout="form">
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

/** For everybody to see; switched on a page of its own. */
const SettingsSection = ({ organization: { settings } }: { organization: Organization }) => {
  const own = useOrganization()
  return (
    <Section
      title="Security"
      description="What the organization demands of its members, and how people get in."
      actions={
        isAdmin(own) && (
          <ButtonLink to={paths.security(own.slug)} variant="default">
            Change
          </ButtonLink>
        )
      }
    >
      <Properties
        items={[
          ['Second factor', settings.requireTwoFactor ? 'Required of every member' : 'Not required'],
          ['Joining by domain', settings.domainAutoJoin ? 'On' : 'Off'],
          ['Single sign-on', settings.ssoEnabled ? 'Required of every member' : 'Not required'],
        ]}
      />
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
