import { Button, Group, Text, Tooltip } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { IconMailForward } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { settingsPage as route } from './invitations.routes.ts'

type Invitation = Output<'listInvitations'>['data'][number]

const FILTERS = [
  { value: 'pending', label: 'Pending' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'all', label: 'All' },
] as const

/** Poll interval while an e-mail is queued, in milliseconds. */
const QUEUED_POLL_MS = 3_000

export const InvitationsPage = () => {
  const organization = useOrganization()
  const { status = 'pending' } = route.useSearch()
  const navigate = route.useNavigate()
  const [revoking, setRevoking] = useState<Invitation>()
  const columns: Column<Invitation>[] = [
    { header: 'Address', cell: (row) => <AddressCell invitation={row} /> },
    { header: 'Mail', kind: 'secondary', cell: (row) => <MailState invitation={row} /> },
    {
      header: 'Expires',
      kind: 'secondary',
      cell: ({ status, expiresAt }) => (status === 'pending' ? <TimeAgo iso={expiresAt} /> : ''),
    },
    { header: 'Invited', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (row) => row.status === 'pending' && <Actions invitation={row} onRevoke={() => setRevoking(row)} />,
    },
  ]
  return (
    <Page
      title="Invitations"
      description="The link in an invitation works once, for 7 days."
      actions={
        <ButtonLink to={paths.members(organization.slug)} variant="default">
          Members
        </ButtonLink>
      }
    >
      <Group>
        <FilterTabs
          label="Status"
          value={status}
          options={FILTERS}
          onChange={(value) => void navigate({ search: value === 'pending' ? {} : { status: value } })}
        />
      </Group>
      <CursorList
        label="Invitations"
        {...rows(organization.id, 'listInvitations', { query: { ...(status !== 'all' && { status }) } })}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconMailForward size={32} stroke={1.4} />}
            title={status === 'pending' ? 'No pending invitations' : 'No such invitations'}
            action={
              status === 'pending' && <ButtonLink to={paths.members(organization.slug)}>Go to the members</ButtonLink>
            }
          >
            {status === 'pending' && 'People join by an invitation: send one from the list of members.'}
          </EmptyState>
        }
        more="Show older invitations"
        refreshAfter={(rows) => (rows.some(isWaiting) ? QUEUED_POLL_MS : false)}
      />
      <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  )
}

const isWaiting = ({ status, mail }: Invitation): boolean => status === 'pending' && mail.status === 'queued'

const AddressCell = ({ invitation }: { invitation: Invitation }) => (
  <div>
    <Text size="sm" fw={500}>
      {invitation.email}
    </Text>
    <Text size="xs" c="dimmed">
      as {invitation.role === 'admin' ? 'admin' : 'member'}
      {invitation.invitedBy && `, by ${invitation.invitedBy}`}
    </Text>
  </div>
)

const MAIL_TONES: Record<Invitation['mail']['status'], Tone> = {
  queued: 'busy',
  sent: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}
const MAIL_WORDS: Record<Invitation['mail']['status'], string> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Not delivered',
  cancelled: 'Not sent',
}
const ENDED_WORDS: Record<Exclude<Invitation['status'], 'pending'>, string> = {
  accepted: 'Accepted',
  expired: 'Expired',
  revoked: 'Revoked',
}

/** Delivery state of the e-mail; after the invitation has ended, how it ended. */
const MailState = ({ invitation: { status, mail } }: { invitation: Invitation }) => {
  if (status !== 'pending')
    return <StatusLabel tone={status === 'accepted' ? 'good' : 'quiet'}>{ENDED_WORDS[status]}</StatusLabel>
  const label = (
    <StatusLabel tone={MAIL_TONES[mail.status]}>
      {mail.error && mail.status === 'queued' ? 'Retrying' : MAIL_WORDS[mail.status]}
    </StatusLabel>
  )
  if (!mail.error) return label
  return (
    <div>
      <Tooltip label={mail.error} multiline maw={360}>
        <span>{label}</span>
      </Tooltip>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {mail.error}
      </Text>
    </div>
  )
}

const Actions = ({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) => {
  const organization = useOrganization()
  const resend = useApiMutation(organization.id, 'resendInvitation', {
    invalidates: [[organization.id, 'listInvitations']],
    onSuccess: () => toast(`A new link is on its way to ${invitation.email}. The old one no longer works.`),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        loading={resend.isPending}
        aria-label={`Resend the invitation of ${invitation.email}`}
        onClick={() => resend.mutate({ params: { invitationId: invitation.id } })}
      >
        Resend
      </Button>
      <Button variant="default" aria-label={`Revoke the invitation of ${invitation.email}`} onClick={onRevoke}>
        Revoke
      </Button>
    </Group>
  )
}

const RevokeDialog = ({ invitation, onClose }: { invitation: Invitation | undefined; onClose: () => void }) => {
  const organization = useOrganization()
  const revoke = useApiMutation(organization.id, 'revokeInvitation', {
    invalidates: [[organization.id, 'listInvitations']],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      opened={invitation !== undefined}
      onClose={onClose}
      onConfirm={() => invitation && revoke.mutate({ params: { invitationId: invitation.id } })}
      title="Revoke this invitation?"
      confirmLabel="Revoke"
      loading={revoke.isPending}
      error={revoke.error ? messageOf(revoke.error) : undefined}
    >
      The link that {invitation?.email} got stops working immediately. You can invite the address again at any time.
    </ConfirmDialog>
  )
}
