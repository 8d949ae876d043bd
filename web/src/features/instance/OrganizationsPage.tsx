import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { atPage } from '../../search.ts'
import { PagedList } from '../../shell/reads/PagedList.tsx'
import { DangerItem, DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconCrown, IconPlus } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { IconDots, IconTrash } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { formatBytes } from '../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import {
  type Organization,
  OrganizationDialogs,
  type OrganizationQuestion,
} from './administration/OrganizationDialogs.tsx'
import { CreateOrganizationDialog } from './CreateOrganizationDialog.tsx'
import { organizations as route } from './instance.routes.ts'
import { SearchField } from './SearchField.tsx'

/** Until an organization that is being removed has left the list. */
const REMOVAL_INTERVAL_MS = 3_000

const columns = (onAsk: (question: OrganizationQuestion) => void): Column<Organization>[] => [
  {
    header: 'Organization',
    cell: ({ name, slug, removedAt }) => (
      <div>
        <Group gap={6}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {removedAt !== null && (
            <Badge size="xs" variant="default">
              being removed
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </div>
    ),
  },
  {
    header: 'Owner',
    kind: 'secondary',
    cell: ({ owner }) =>
      owner && (
        <div>
          <Text size="sm">{owner.name}</Text>
          <Text size="xs" c="dimmed">
            {owner.email}
          </Text>
        </div>
      ),
  },
  { header: 'Members', kind: 'secondary', cell: ({ memberCount }) => memberCount },
  { header: 'Size', kind: 'secondary', nowrap: true, cell: ({ storedBytes }) => formatBytes(storedBytes) },
  { header: 'Plan', kind: 'secondary', cell: ({ plan }) => plan },
  { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
  {
    header: 'Actions',
    kind: 'actions',
    cell: (organization) =>
      organization.removedAt === null && <OrganizationMenu organization={organization} onAsk={onAsk} />,
  },
]

export const OrganizationsPage = () => {
  const { search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, setCreating] = useState(false)
  const [question, setQuestion] = useState<OrganizationQuestion>()
  const list = useQuery({
    ...query(null, 'listInstanceOrganizations', { query: { page, perPage: 50, ...(search && { search }) } }),
    placeholderData: keepPrevious([null, 'listInstanceOrganizations']),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ removedAt }) => removedAt !== null) ? REMOVAL_INTERVAL_MS : false,
  })
  return (
    <Page
      title="Organizations"
      description="Every organization of this installation. Creating one does not make you a member."
      actions={
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setCreating(true)}>
          New organization
        </Button>
      }
    >
      <Group>
        <SearchField
          label="Search organizations"
          value={search}
          onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
        />
      </Group>
      <PagedList
        label="Organizations"
        page={page}
        list={list}
        onPage={(next, options) => void navigate({ search: (rest) => atPage(rest, next), ...options })}
        columns={columns(setQuestion)}
        rowKey={({ id }) => id}
        nouns={['organization', 'organizations']}
        empty={<EmptyState title="No organization matches" />}
      />
      <CreateOrganizationDialog opened={creating} onClose={() => setCreating(false)} />
      <OrganizationDialogs question={question} onClose={() => setQuestion(undefined)} />
    </Page>
  )
}

const OrganizationMenu = ({
  organization,
  onAsk,
}: {
  organization: Organization
  onAsk: (question: OrganizationQuestion) => void
}) => (
  <DropdownMenu
    position="bottom-end"
    target={
      <ActionIcon aria-label={`Actions for ${organization.name}`}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    }
  >
    <Menu.Item
      leftSection={<IconCrown size={15} aria-hidden />}
      onClick={() => onAsk({ about: 'transfer', organization })}
    >
      Transfer ownership
    </Menu.Item>
    <DangerItem
      leftSection={<IconTrash size={15} aria-hidden />}
      onClick={() => onAsk({ about: 'remove', organization })}
    >
      Remove
    </DangerItem>
  </DropdownMenu>
)
