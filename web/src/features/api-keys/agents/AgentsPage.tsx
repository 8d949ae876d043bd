import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { IconKey, IconPlus } from '../../../ui/icons.tsx'
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx'
import { IconDots, IconTrash } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../api-keys.module.css'
import { summarize } from '../scopes.ts'
import { DeleteAgentDialog, StopAgentDialog } from './agent-dialogs.tsx'
import { CreateAgentDialog } from './CreateAgentDialog.tsx'

export type Agent = Output<'listAgents'>['data'][number]

export const AgentsPage = () => {
  const organization = useOrganization()
  const [isCreating, setCreating] = useState(false)
  const [stopping, setStopping] = useState<Agent>()
  const [deleting, setDeleting] = useState<Agent>()
  const list = useQuery(query(organization.id, 'listAgents'))
  const start = useApiMutation(organization.id, 'startAgent', { invalidates: [[organization.id, 'listAgents']] })
  const columns: Column<Agent>[] = [
    { header: 'Name', cell: (agent) => <NameCell agent={agent} /> },
    { header: 'State', cell: (agent) => <StateCell agent={agent} /> },
    { header: 'Owner', kind: 'secondary', cell: ({ owner }) => <Text size="sm">{owner.name}</Text> },
    {
      header: 'Scopes',
      kind: 'secondary',
      cell: ({ scopes }) => <div className={classes.scopes}>{summarize(scopes)}</div>,
    },
    {
      header: 'Engagements',
      kind: 'secondary',
      cell: ({ engagementIds }) => <Text size="sm">{engagementIds.length}</Text>,
    },
    { header: 'Last seen', kind: 'secondary', cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (agent) => (
        <DropdownMenu
          position="bottom-end"
          target={
            <ActionIcon aria-label={`Actions for ${agent.name}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
        >
          {agent.state === 'active' ? (
            <Menu.Item onClick={() => setStopping(agent)}>Stop</Menu.Item>
          ) : (
            <Menu.Item onClick={() => start.mutate({ params: { agentId: agent.id } })}>Start</Menu.Item>
          )}
          <DangerItem leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setDeleting(agent)}>
            Delete
          </DangerItem>
        </DropdownMenu>
      ),
    },
  ]
  const createButton = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      Create agent
    </Button>
  )
  return (
    <Page
      title="Agents"
      description="Agents are programs that test on their own. Each has a key of its own, never more rights than its owner, and signs what it writes."
      actions={createButton}
    >
      <QueryView query={list}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable label="Agents" columns={columns} rows={data} rowKey={({ id }) => id} />
          ) : (
            <EmptyState icon={<IconKey size={32} stroke={1.4} />} title="No agents yet" action={createButton}>
              Create one for an engagement, give it the scopes it needs, and copy its key: it is shown once.
            </EmptyState>
          )
        }
      </QueryView>
      <CreateAgentDialog opened={isCreating} onClose={() => setCreating(false)} />
      <StopAgentDialog agent={stopping} onClose={() => setStopping(undefined)} />
      <DeleteAgentDialog agent={deleting} onClose={() => setDeleting(undefined)} />
    </Page>
  )
}

const NameCell = ({ agent: { name, model, description, expiresAt } }: { agent: Agent }) => (
  <Stack gap={2}>
    <Group gap={6}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {model && (
        <Badge size="xs" variant="default" tt="none">
          {model}
        </Badge>
      )}
    </Group>
    {description && (
      <Text size="xs" c="dimmed" lineClamp={2}>
        {description}
      </Text>
    )}
    <Text size="xs" c="dimmed">
      Ends <TimeAgo iso={expiresAt} />
    </Text>
  </Stack>
)

const StateCell = ({ agent: { state, stoppedBy, stopReason } }: { agent: Agent }) => (
  <Stack gap={2}>
    <StatusLabel tone={state === 'active' ? 'good' : 'bad'}>{state === 'active' ? 'Active' : 'Stopped'}</StatusLabel>
    {stopReason !== null && (
      <Text size="xs">
        {stopReason}
        {stoppedBy && ` (${stoppedBy.name})`}
      </Text>
    )}
  </Stack>
)
