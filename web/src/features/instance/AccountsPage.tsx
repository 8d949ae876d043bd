import { ActionIcon, Badge, Group, Menu, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { atPage } from '../../search.ts'
import { PagedList } from '../../shell/reads/PagedList.tsx'
import { DangerItem, DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'
import { IconMail, IconUserPlus } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { IconDots, IconTrash, IconUserMinus } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { type Account, AccountDialogs, type AccountQuestion } from './administration/AccountDialogs.tsx'
import { accounts as route } from './instance.routes.ts'
import { InstanceAdminDialog } from './InstanceAdminDialog.tsx'
import { SearchField } from './SearchField.tsx'

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
] as const

const columns = (
  onAdmin: (account: Account) => void,
  onAsk: (question: AccountQuestion) => void,
): Column<Account>[] => [
  { header: 'Account', cell: (account) => <NameCell account={account} /> },
  {
    header: 'State',
    kind: 'secondary',
    cell: ({ disabledAt }) =>
      disabledAt === null ? (
        <StatusLabel tone="good">Active</StatusLabel>
      ) : (
        <StatusLabel tone="bad">Disabled</StatusLabel>
      ),
  },
  { header: 'Organizations', kind: 'secondary', cell: (account) => <OrganizationsCell account={account} /> },
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
    cell: (account) => <AdminSwitch account={account} onAsk={() => onAdmin(account)} />,
  },
  { header: 'Actions', kind: 'actions', cell: (account) => <AccountMenu account={account} onAsk={onAsk} /> },
]

export const AccountsPage = () => {
  const { search = '', state = 'all', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [asking, setAsking] = useState<Account>()
  const [question, setQuestion] = useState<AccountQuestion>()
  const list = useQuery({
    ...query(null, 'listAccounts', {
      query: {
        page,
        perPage: 50,
        ...(search && { search }),
        ...(state !== 'all' && { isDisabled: state === 'disabled' ? ('true' as const) : ('false' as const) }),
      },
    }),
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
          onChange={(text) =>
            void navigate({
              search: { ...(text && { search: text }), ...(state !== 'all' && { state }) },
              replace: true,
            })
          }
        />
        <FilterTabs
          label="State"
          value={state}
          options={STATES}
          onChange={(next) =>
            void navigate({
              search: { ...(search && { search }), ...(next !== 'all' && { state: next }) },
              replace: true,
            })
          }
        />
      </Group>
      <PagedList
        label="Accounts"
        page={page}
        list={list}
        onPage={(next, options) => void navigate({ search: (rest) => atPage(rest, next), ...options })}
        columns={columns(setAsking, setQuestion)}
        rowKey={({ id }) => id}
        nouns={['account', 'accounts']}
        empty={<EmptyState title="No account matches" />}
      />
      <InstanceAdminDialog account={asking} onClose={() => setAsking(undefined)} />
      <AccountDialogs question={question} onClose={() => setQuestion(undefined)} />
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

const OrganizationsCell = ({ account: { organizations, organizationCount } }: { account: Account }) => {
  if (organizationCount === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    )
  const more = organizationCount - organizations.length
  return (
    <Text size="sm">
      {organizations.map(({ name, role }) => (role === 'member' ? name : `${name} (${role})`)).join(', ')}
      {more > 0 && ` and ${more} more`}
    </Text>
  )
}

/** An instance administrator is neither disabled nor deleted before they are removed as one. */
const AccountMenu = ({ account, onAsk }: { account: Account; onAsk: (question: AccountQuestion) => void }) => (
  <DropdownMenu
    position="bottom-end"
    target={
      <ActionIcon aria-label={`Actions for ${account.name}`}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    }
  >
    <Menu.Item
      leftSection={<IconMail size={15} aria-hidden />}
      onClick={() => onAsk({ about: 'change-address', account })}
    >
      Change address
    </Menu.Item>
    {account.disabledAt !== null && (
      <Menu.Item
        leftSection={<IconUserPlus size={15} aria-hidden />}
        onClick={() => onAsk({ about: 'enable', account })}
      >
        Enable
      </Menu.Item>
    )}
    {account.isInstanceAdmin && <Menu.Label>Remove as administrator to disable or delete</Menu.Label>}
    {!account.isInstanceAdmin && account.disabledAt === null && (
      <DangerItem
        leftSection={<IconUserMinus size={15} aria-hidden />}
        onClick={() => onAsk({ about: 'disable', account })}
      >
        Disable
      </DangerItem>
    )}
    {!account.isInstanceAdmin && (
      <DangerItem leftSection={<IconTrash size={15} aria-hidden />} onClick={() => onAsk({ about: 'delete', account })}>
        Delete
      </DangerItem>
    )}
  </DropdownMenu>
)
