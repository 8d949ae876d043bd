import { Badge, Group, Switch, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { messageOf, patchCached, query, useCommand } from '../../api.ts'
import { QueryFailed } from '../../shell/pages.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toastError } from '../../ui/toast.ts'
import { SearchField } from './SearchField.tsx'

type Account = Output<'listAccounts'>['data'][number]

const route = getRouteApi('/signed-in/instance/accounts')

const COLUMNS: Column<Account>[] = [
  { header: 'Account', cell: (account) => <NameCell account={account} /> },
  { header: 'Organizations', kind: 'secondary', cell: ({ organizationCount }) => organizationCount },
  { header: 'Second factor', kind: 'secondary', cell: ({ secondFactorEnabled }) => (secondFactorEnabled ? 'On' : 'Off') },
  { header: 'Last seen', kind: 'secondary', cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} never="not lately" /> },
  { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
  { header: 'Administrator', cell: (account) => <AdminSwitch account={account} /> },
]

export const AccountsPage = () => {
  const { search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery({ ...query(null, 'listAccounts', { query: { page, perPage: 50, ...(search && { search }) } }), placeholderData: keepPreviousData })
  return (
    <Page title="Accounts" description="Everybody who can sign in here. An instance administrator makes organizations and sees these pages.">
      <Group>
        <SearchField label="Search accounts" value={search} onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })} />
      </Group>
      {list.isPending && <ListSkeleton />}
      {list.isError && <QueryFailed error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.meta.total > 0 && (
        <>
          <DataTable label="Accounts" columns={COLUMNS} rows={list.data.data} rowKey={({ id }) => id} />
          <Pager
            page={page}
            totalPages={list.data.meta.totalPages}
            total={list.data.meta.total}
            noun={list.data.meta.total === 1 ? 'account' : 'accounts'}
            onPage={(next) => void navigate({ search: (rest) => ({ ...rest, page: next }) })}
          />
        </>
      )}
      {list.data?.meta.total === 0 && <EmptyState title="No account matches" />}
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

const AdminSwitch = ({ account }: { account: Account }) => {
  const change = useCommand(null, 'setInstanceAdmin', {
    invalidates: [
      [null, 'listAccounts'],
      [null, 'getAccount'],
    ],
    optimistic: (cache, { params, body }) =>
      patchCached(cache, null, 'listAccounts', (output) => ({
        ...output,
        data: output.data.map((row) => (row.id === params.userId ? { ...row, isInstanceAdmin: body.isInstanceAdmin } : row)),
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Switch
      aria-label={`${account.name} is an instance administrator`}
      checked={account.isInstanceAdmin}
      onChange={(event) => change.mutate({ params: { userId: account.id }, body: { isInstanceAdmin: event.currentTarget.checked } })}
    />
  )
}
