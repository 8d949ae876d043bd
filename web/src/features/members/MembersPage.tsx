import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { atPage } from '../../search.ts'
import { isAdmin, useOrganization } from '../../shell/context/organization.tsx'
import { useAccount } from '../../shell/context/session.tsx'
import { PagedList } from '../../shell/reads/PagedList.tsx'
import { DangerItem, DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'
import { IconUserPlus } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { IconDots, IconShieldX, IconUserMinus } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { Person } from '../../ui/people/Person.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import type { Member } from './member.ts'
import { settingsPage as route } from './members.routes.ts'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { ResetSecondFactorDialog } from './ResetSecondFactorDialog.tsx'
import { RoleCell } from './RoleCell.tsx'

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admins' },
  { value: 'member', label: 'Members' },
] as const

export const MembersPage = () => {
  const organization = useOrganization()
  const account = useAccount()
  const { role, page = 1, invite = false } = route.useSearch()
  const navigate = route.useNavigate()
  const [removing, setRemoving] = useState<Member>()
  const [resetting, setResetting] = useState<Member>()
  const mayChange = isAdmin(organization)
  const shown = { query: { page, perPage: 50, ...(role && { role }) } }
  const list = useQuery({
    ...query(organization.id, 'listMembers', shown),
    placeholderData: keepPrevious([organization.id, 'listMembers']),
  })
  const factors = useQuery({
    ...query(organization.id, 'listMemberSecondFactors', shown),
    placeholderData: keepPrevious([organization.id, 'listMemberSecondFactors']),
    enabled: mayChange,
  })
  const factorOf = (member: Member) => factors.data?.data.find(({ userId }) => userId === member.id)?.enabled
  const setInviting = (wanted: boolean) =>
    void navigate({
      search: ({ invite: _, ...rest }) => (wanted ? { ...rest, invite: true as const } : rest),
      replace: true,
      ignoreBlocker: !wanted,
    })
  const columns: Column<Member>[] = [
    { header: 'Name', cell: (member) => <NameCell member={member} isSelf={member.id === account.id} /> },
    {
      header: 'Role',
      cell: (member) => <RoleCell member={member} mayChange={mayChange} isSelf={member.id === account.id} />,
    },
    ...(mayChange
      ? [
          {
            header: 'Two-factor authentication',
            kind: 'secondary' as const,
            cell: (member: Member) => <FactorCell enabled={factorOf(member)} />,
          },
        ]
      : []),
    { header: 'Last seen', kind: 'secondary', cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} never="not yet" /> },
    { header: 'Joined', kind: 'secondary', cell: ({ joinedAt }) => <TimeAgo iso={joinedAt} /> },
    ...(mayChange
      ? [
          {
            header: 'Actions',
            kind: 'actions' as const,
            cell: (member: Member) =>
              member.role !== 'owner' && (
                <MemberMenu
                  member={member}
                  mayReset={factorOf(member) === true && member.id !== account.id}
                  onReset={() => setResetting(member)}
                  onRemove={() => setRemoving(member)}
                />
              ),
          },
        ]
      : []),
  ]
  return (
    <Page
      title="Members"
      description="Everyone in this organization. Admins manage the organization and its people; members work on engagements."
      actions={
        mayChange && (
          <Button leftSection={<IconUserPlus size={14} aria-hidden />} onClick={() => setInviting(true)}>
            Invite people
          </Button>
        )
      }
    >
      <Group justify="space-between">
        <FilterTabs
          label="Role"
          value={role ?? 'all'}
          options={FILTERS}
          onChange={(value) =>
            void navigate({
              search: ({ page: _, role: __, ...rest }) => (value === 'all' ? rest : { ...rest, role: value }),
            })
          }
        />
      </Group>
      <PagedList
        label="Members"
        page={page}
        list={list}
        onPage={(next, options) => void navigate({ search: (rest) => atPage(rest, next), ...options })}
        columns={columns}
        rowKey={({ id }) => id}
        nouns={['person', 'people']}
        empty={<EmptyState title="No one has this role" />}
      />
      <InviteDialog opened={invite && mayChange} onClose={() => setInviting(false)} />
      <RemoveMemberDialog member={removing} onClose={() => setRemoving(undefined)} />
      <ResetSecondFactorDialog member={resetting} onClose={() => setResetting(undefined)} />
    </Page>
  )
}

const NameCell = ({ member, isSelf }: { member: Member; isSelf: boolean }) => (
  <div>
    <Group gap={6}>
      <Text size="sm" fw={500}>
        <Person name={member.name} />
      </Text>
      {isSelf && (
        <Badge size="xs" variant="default">
          you
        </Badge>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {member.email}
    </Text>
  </div>
)

const FactorCell = ({ enabled }: { enabled: boolean | undefined }) =>
  enabled === undefined ? null : enabled ? (
    <StatusLabel tone="good">On</StatusLabel>
  ) : (
    <StatusLabel tone="quiet">Off</StatusLabel>
  )

interface MemberMenuProps {
  member: Member
  mayReset: boolean
  onReset: () => void
  onRemove: () => void
}

const MemberMenu = ({ member, mayReset, onReset, onRemove }: MemberMenuProps) => (
  <DropdownMenu
    position="bottom-end"
    target={
      <ActionIcon aria-label={`Actions for ${member.name}`}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    }
  >
    {mayReset && (
      <Menu.Item leftSection={<IconShieldX size={15} aria-hidden />} onClick={onReset}>
        Reset two-factor authentication
      </Menu.Item>
    )}
    <DangerItem leftSection={<IconUserMinus size={15} aria-hidden />} onClick={onRemove}>
      Remove from the organization
    </DangerItem>
  </DropdownMenu>
)
