import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { DangerItem, DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'
import { IconBell, IconPlus } from '../../ui/icons.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { IconDots, IconTrash } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { Deliveries } from './Deliveries.tsx'
import { CreateWebhookDialog } from './dialogs/CreateWebhookDialog.tsx'
import { DeleteWebhookDialog } from './dialogs/DeleteWebhookDialog.tsx'
import { EditWebhookDialog } from './dialogs/EditWebhookDialog.tsx'
import { RotateSecretDialog } from './dialogs/RotateSecretDialog.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import { FORMAT_LABELS, type Webhook } from './webhook.ts'
import { page as route } from './webhooks.routes.ts'

const MAX_WEBHOOKS = 50
/** While deliveries are shown, the state of their webhook is read again after this time. */
const REREAD_MS = 5_000

export const WebhooksPage = () => {
  const organization = useOrganization()
  const { create = false, endpoint } = route.useSearch()
  const navigate = route.useNavigate()
  const [deleting, setDeleting] = useState<Webhook>()
  const [editing, setEditing] = useState<Webhook>()
  const [rotating, setRotating] = useState<Webhook>()
  const list = useQuery({
    ...query(organization.id, 'listWebhookEndpoints', { query: { perPage: MAX_WEBHOOKS } }),
    // No event reports an attempt.
    refetchInterval: endpoint === undefined ? false : REREAD_MS,
  })
  const { test, setEnabled } = useWebhookActions()
  const show = (id: string) => void navigate({ search: { endpoint: id }, replace: true })
  const columns: Column<Webhook>[] = [
    { header: 'Name', cell: (webhook) => <NameCell webhook={webhook} /> },
    { header: 'Events', kind: 'secondary', cell: ({ events }) => <Text size="sm">{summarize(events)}</Text> },
    { header: 'Format', kind: 'secondary', cell: ({ format }) => <Text size="sm">{FORMAT_LABELS[format]}</Text> },
    { header: 'State', kind: 'secondary', cell: (webhook) => <StateCell webhook={webhook} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (webhook) => (
        <DropdownMenu
          position="bottom-end"
          target={
            <ActionIcon aria-label={`Actions for ${webhook.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
        >
          <Menu.Item onClick={() => show(webhook.id)}>Show deliveries</Menu.Item>
          <Menu.Item
            disabled={!webhook.enabled}
            onClick={() => test.mutate({ params: { endpointId: webhook.id } }, { onSuccess: () => show(webhook.id) })}
          >
            Send a test
          </Menu.Item>
          <Menu.Item onClick={() => setEditing(webhook)}>Edit</Menu.Item>
          <Menu.Item onClick={() => setRotating(webhook)}>Replace the secret</Menu.Item>
          <Menu.Item
            onClick={() =>
              setEnabled.mutate({ params: { endpointId: webhook.id }, body: { enabled: !webhook.enabled } })
            }
          >
            {webhook.enabled ? 'Disable' : 'Enable'}
          </Menu.Item>
          <DangerItem leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setDeleting(webhook)}>
            Delete
          </DangerItem>
        </DropdownMenu>
      ),
    },
  ]
  const createButton = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={() => void navigate({ search: { create: true }, replace: true })}
    >
      Create webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      description="Webhooks send events to other systems and to chat services. They have the rights of the person who creates them."
      actions={createButton}
    >
      <QueryView query={list}>
        {({ data }) => {
          const shown = data.find(({ id }) => id === endpoint)
          if (data.length === 0)
            return (
              <EmptyState icon={<IconBell size={32} stroke={1.4} />} title="No webhooks yet" action={createButton}>
                Create one for a ticket system or a chat service, choose its events, and copy its secret: it is shown
                once.
              </EmptyState>
            )
          return (
            <Stack gap="lg">
              <DataTable label="Webhooks" columns={columns} rows={data} rowKey={({ id }) => id} />
              {shown && <Deliveries webhook={shown} />}
            </Stack>
          )
        }}
      </QueryView>
      <CreateWebhookDialog
        opened={create}
        onClose={() => void navigate({ search: {}, replace: true, ignoreBlocker: true })}
      />
      {editing && <EditWebhookDialog webhook={editing} onClose={() => setEditing(undefined)} />}
      <RotateSecretDialog webhook={rotating} onClose={() => setRotating(undefined)} />
      <DeleteWebhookDialog webhook={deleting} onClose={() => setDeleting(undefined)} />
    </Page>
  )
}

const summarize = (events: Webhook['events']): string =>
  events.length <= 2 ? events.join(', ') : `${events.length} kinds of events`

const NameCell = ({ webhook }: { webhook: Webhook }) => (
  <Stack gap={2}>
    <Text size="sm" fw={500}>
      {webhook.name}
    </Text>
    <Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
      {webhook.url}
    </Text>
  </Stack>
)

const StateCell = ({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) => (
  <Stack gap={2}>
    <StatusLabel tone={enabled ? (failingSince === null ? 'good' : 'bad') : disabledReason === null ? 'quiet' : 'bad'}>
      {enabled ? (failingSince === null ? 'Enabled' : 'Failing') : 'Disabled'}
    </StatusLabel>
    {disabledReason !== null && <Text size="xs">{disabledReason}</Text>}
    {enabled && failingSince !== null && (
      <Text size="xs">
        No success since <TimeAgo iso={failingSince} />
      </Text>
    )}
  </Stack>
)
