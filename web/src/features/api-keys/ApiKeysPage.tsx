import { ActionIcon, Anchor, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { DangerItem, DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconKey, IconPlus } from '../../ui/icons.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { IconAlertTriangle, IconCopyPlus, IconDots, IconTrash } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { adviceOn } from './advice.ts'
import type { ApiKey } from './api-key.ts'
import classes from './api-keys.module.css'
import { page as route } from './api-keys.routes.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import { Confirmations } from './device/Confirmations.tsx'
import { summarize } from './scopes.ts'

export const ApiKeysPage = () => {
  const organization = useOrganization()
  const { create = false, scopes, name, environment } = route.useSearch()
  const navigate = route.useNavigate()
  const [deleting, setDeleting] = useState<ApiKey>()
  const list = useQuery(query(organization.id, 'listApiKeys'))
  const columns: Column<ApiKey>[] = [
    { header: 'Name', cell: (key) => <NameCell apiKey={key} /> },
    {
      header: 'Scopes',
      kind: 'secondary',
      cell: (key) => <div className={classes.scopes}>{summarize(key.scopes)}</div>,
    },
    {
      header: 'Engagements',
      kind: 'secondary',
      cell: ({ engagementIds }) => <Text size="sm">{reachOf(engagementIds)}</Text>,
    },
    { header: 'Last used', kind: 'secondary', cell: ({ lastUsedAt }) => <TimeAgo iso={lastUsedAt} /> },
    { header: 'Created', kind: 'secondary', cell: (key) => <CreatedCell apiKey={key} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (key) => (
        <KeyMenu
          apiKey={key}
          onSuccessor={() =>
            void navigate({
              search: { create: true, scopes: key.scopes, name: successorName(key.name), environment: key.environment },
              replace: true,
            })
          }
          onDelete={() => setDeleting(key)}
        />
      ),
    },
  ]
  const createButton = (
    <Button
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={() => void navigate({ search: { create: true }, replace: true })}
    >
      Create API key
    </Button>
  )
  return (
    <Page
      title="API keys"
      description={
        <>
          Keys let programs use the{' '}
          <Anchor href={paths.apiReference} target="_blank" inherit underline="always">
            API
          </Anchor>
          . They belong to the organization: use one per integration, with as few scopes as it needs.
        </>
      }
      actions={createButton}
    >
      <Confirmations />
      <QueryView query={list}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable label="API keys" columns={columns} rows={data} rowKey={({ id }) => id} />
          ) : (
            <EmptyState icon={<IconKey size={32} stroke={1.4} />} title="No API keys yet" action={createButton}>
              Create one for a script or a CI job, give it the scopes it needs, and copy its value: it is shown once.
            </EmptyState>
          )
        }
      </QueryView>
      <CreateKeyDialog
        opened={create}
        onClose={() => void navigate({ search: {}, replace: true, ignoreBlocker: true })}
        start={{ scopes: scopes ?? [], name: name ?? '', environment: environment ?? 'live' }}
      />
      <DeleteKeyDialog apiKey={deleting} onClose={() => setDeleting(undefined)} />
    </Page>
  )
}

/** Short description of the engagements that a key can access. */
const reachOf = (engagementIds: ApiKey['engagementIds']): string => {
  if (engagementIds === null) return 'All'
  if (engagementIds === 'open') return 'Shared'
  return engagementIds.length === 1 ? 'One' : `${engagementIds.length}`
}

/** `ci` → `ci 2` → `ci 3` */
const successorName = (name: string): string => {
  const match = /^(.*) (\d+)$/.exec(name)
  return (match ? `${match[1]} ${Number(match[2]) + 1}` : `${name} 2`).slice(-100)
}

const NameCell = ({ apiKey }: { apiKey: ApiKey }) => (
  <Stack gap={2}>
    <Group gap={6}>
      <Text size="sm" fw={500}>
        {apiKey.name}
      </Text>
      <Badge size="xs" variant="default">
        {apiKey.environment}
      </Badge>
      {apiKey.kind !== 'key' && (
        <Badge size="xs" variant="default">
          {apiKey.kind}
        </Badge>
      )}
    </Group>
    {apiKey.expiresAt !== null && (
      <Text size="xs" c="dimmed">
        Ends <TimeAgo iso={apiKey.expiresAt} />
      </Text>
    )}
    {adviceOn(apiKey).map((advice) => (
      <Text key={advice} size="xs" className={classes.advice}>
        <IconAlertTriangle size={13} aria-hidden /> {advice}
      </Text>
    ))}
  </Stack>
)

const CreatedCell = ({ apiKey }: { apiKey: ApiKey }) => (
  <div>
    <TimeAgo iso={apiKey.createdAt} />
    {apiKey.createdBy && (
      <Text size="xs" c="dimmed">
        by {apiKey.createdBy}
        {!apiKey.createdByActive && ', who may no longer create keys'}
      </Text>
    )}
  </div>
)

const KeyMenu = ({
  apiKey,
  onSuccessor,
  onDelete,
}: {
  apiKey: ApiKey
  onSuccessor: () => void
  onDelete: () => void
}) => (
  <DropdownMenu
    position="bottom-end"
    target={
      <ActionIcon aria-label={`Actions for ${apiKey.name}`}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    }
  >
    <Menu.Item leftSection={<IconCopyPlus size={15} aria-hidden />} onClick={onSuccessor}>
      Create successor
    </Menu.Item>
    <DangerItem leftSection={<IconTrash size={15} aria-hidden />} onClick={onDelete}>
      Delete
    </DangerItem>
  </DropdownMenu>
)
