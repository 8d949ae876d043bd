import { Button, Group, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { atPage } from '../../search.ts'
import { PagedList } from '../../shell/reads/PagedList.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconPlus } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { CreateOrganizationDialog } from './CreateOrganizationDialog.tsx'
import { organizations as route } from './instance.routes.ts'
import { SearchField } from './SearchField.tsx'

type Organization = Output<'listInstanceOrganizations'>['data'][number]

const COLUMNS: Column<Organization>[] = [
  {
    header: 'Organization',
    cell: ({ name, slug }) => (
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
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
  { header: 'Plan', kind: 'secondary', cell: ({ plan }) => plan },
  { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

export const OrganizationsPage = () => {
  const { search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, setCreating] = useState(false)
  const list = useQuery({
    ...query(null, 'listInstanceOrganizations', { query: { page, perPage: 50, ...(search && { search }) } }),
    placeholderData: keepPrevious([null, 'listInstanceOrganizations']),
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
        columns={COLUMNS}
        rowKey={({ id }) => id}
        nouns={['organization', 'organizations']}
        empty={<EmptyState title="No organization matches" />}
      />
      <CreateOrganizationDialog opened={creating} onClose={() => setCreating(false)} />
    </Page>
  )
}
