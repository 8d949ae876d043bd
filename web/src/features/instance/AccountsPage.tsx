import { Badge, Group, Switch, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { atPage } from '../../search.ts'
import { PagedList } from '../../shell/reads/PagedList.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { accounts as route } from './instance.routes.ts'
import { InstanceAdminDialog } from './InstanceAdminDialog.tsx'
import { SearchField } from './SearchField.tsx'

type Account = Output<'listAccounts'>['data'][number]

const columns = (onAsk: (account: Account) => void): Column<Account>[] => [
  { header: 'Account', cell: (account) => <NameCell account={account} /> },
  { header: 'Organizations', kind: 'secondary', cell: ({ organizationCount }) => organizationCount },
  {
    header: 'Two-factor authentication',
    kind: 'secondary',
    cell: ({ secondFactorEnabled }) => (secondFactorEnabled ? 'On' : 'Off'),
  },
  {
    header: 'Last seen',
    kind: 'secondary',
    cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} never="not recently" />,
  },
  { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
  {
    header: 'Administrator',
    kind: 'secondary',
    cell: (account) => <AdminSwitch account={account} onAsk={() => onAsk(account)} />,
  },
]

export const AccountsPage = () => {
  const { search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [asking, setAsking] = useState<Account>()
  const list = useQuery({
    ...query(null, 'listAccounts', { query: { page, perPage: 50, ...(search && { search }) } }),
    placeholderData: keepPrevious([null, 'listAccounts']),
  })
  return (
    <Page
      title="Accounts"
      description="Everyone who can sign in here. Instance administrators create organizations and see these pages."
    >
      <Group>
        <SearchField
          label="Search accounts"
          value={search}
          onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
        />
      </Group>
      <PagedList
        label="Accounts"
        page={page}
        list={list}
        onPage={(next, options) => void navigate({ search: (rest) => atPage(rest, next), ...options })}
        columns={columns(setAsking)}
        rowKey={({ id }) => id}
        nouns={['account', 'accounts']}
        empty={<EmptyState title="No account matches" />}
      />
      <InstanceAdminDialog account={asking} onClose={() => setAsking(undefined)} />
    </Page>
  )
}

const NameCell = ({ account }: { account: Account }) => (
  <div>
    <Group gap={6}>
      <Text size="sm" fw={500}>
        {account.name}
      </Text>
      {!account.hasPassword && (
        <Badge size="xs" variant="default">
          no password yet
        </Badge>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {account.email}
    </Text>
  </div>
)

const AdminSwitch = ({ account, onAsk }: { account: Account; onAsk: () => void }) => (
  <Switch
    aria-label={`${account.name} is an instance administrator`}
    checked={account.isInstanceAdmin}
    onChange={onAsk}
  />
)
