import { Button, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { PageForm } from '../../forms/Form.tsx'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { paths } from '../../paths.ts'
import { isAdmin, useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ButtonLink, TextLink } from '../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../ui/lists/Properties.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { CopyId } from '../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Organization = Output<'getOrganization'>['data']

export const GeneralPage = () => {
  const { id, role } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  return (
    <Page title="General" layout="form">
      <QueryView key={id} query={organization} skeleton={<ListSkeleton rows={3} />}>
        {({ data }) => (
          <>
            <NameSection organization={data} />
            <SettingsSection organization={data} />
            <LeaveSection isOwner={role === 'owner'} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

const NameSection = ({ organization }: { organization: Organization }) => {
  const own = useOrganization()
  const send = useSend(organization.id, 'updateOrganization', [
    [organization.id, 'getOrganization'],
    [null, 'listOwnOrganizations'],
  ])
  const form = useDraftForm({
    draft: `organization/${organization.id}/name`,
    saved: { values: { name: organization.name } },
    send: ({ name }) => send({ body: { name } }),
    onSaved: () => toast('Renamed.'),
  })
  return (
    <Section title="Organization">
      {isAdmin(own) ? (
        <PageForm form={form} submitLabel="Rename" disabled={!form.values.name.trim() || !form.hasChanges}>
          <TextInput label="Name" maxLength={200} {...form.getInputProps('name')} />
        </PageForm>
      ) : (
        <TextInput label="Name" value={organization.name} readOnly />
      )}
      <Properties
        items={[
          ['Slug', <code key="slug">{organization.slug}</code>],
          ['Plan', organization.plan],
          ['Members', organization.memberCount],
          ['Created', <TimeAgo key="created" iso={organization.createdAt} />],
          ['Id', <CopyId key="id" id={organization.id} />],
        ]}
      />
      <Text size="xs" c="dimmed">
        The slug is part of every link to this organization, so it stays when the name changes.
      </Text>
    </Section>
  )
}

/** Visible to all members; changed on its own page. */
const SettingsSection = ({ organization: { settings } }: { organization: Organization }) => {
  const own = useOrganization()
  return (
    <Section
      title="Security"
      description="What the organization requires of its members, and how people join."
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
          ['Two-factor authentication', settings.requireTwoFactor ? 'Required of every member' : 'Not required'],
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
  const leave = useApiMutation(organization.id, 'leaveOrganization', { onSuccess: () => redirectAway(paths.home()) })
  return (
    <Section
      title="Leave"
      description={
        isOwner
          ? "The owner can't leave: transfer the organization first."
          : `You lose access to ${organization.name}; your account stays.`
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
        You lose access immediately. Rejoining needs a new invitation.
      </ConfirmDialog>
    </Section>
  )
}
