import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconTarget } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { query } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { atPage } from '../../../search.ts'
import { ButtonLink, TextLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import { PagedList } from '../../../shell/PagedList.tsx'
import type { Column } from '../../../ui/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { excerptOf } from '../../../ui/excerpt.ts'
import { FilterTabs } from '../../../ui/Filters.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { Engagement } from '../engagement.tsx'
import { EngagementStatusLabel } from '../status.tsx'
import { CreateEngagementDialog } from './CreateEngagementDialog.tsx'
import classes from './engagements.module.css'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/engagements')

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
  { value: 'archived', label: 'Archived' },
] as const

/** Directions in which a column is usually wanted first. */
const FIRST_ORDER = { name: 'asc', status: 'asc', updatedAt: 'desc', createdAt: 'desc' } as const

export const EngagementsPage = () => {
  const organization = useOrganization()
  const { status, sort = 'createdAt', order = 'desc', page = 1, create = false } = route.useSearch()
  const navigate = route.useNavigate()
  const mayCreate = organization.permissions.changeEngagements
  const list = useQuery({
    ...query(organization.id, 'listEngagements', { query: { page, perPage: 25, sort, order, ...(status && { status }) } }),
    placeholderData: keepPreviousData,
  })
  const setCreating = (wanted: boolean) => navigate({ search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest), replace: true })
  const sortBy = (field: typeof sort) => ({
    sorted: sort === field ? (order === 'asc' ? ('ascending' as const) : ('descending' as const)) : undefined,
    onSort: () =>
      void navigate({
        search: ({ page: _, ...rest }) => ({ ...rest, sort: field, order: sort === field ? (order === 'asc' ? 'desc' : 'asc') : FIRST_ORDER[field] }),
      }),
  })
  const columns: Column<Engagement>[] = [
    { header: 'Name', ...sortBy('name'), cell: (row) => <NameCell engagement={row} slug={organization.slug} /> },
    { header: 'Status', ...sortBy('status'), cell: ({ status }) => <EngagementStatusLabel status={status} /> },
    { header: 'Changed', kind: 'secondary', ...sortBy('updatedAt'), cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} /> },
    { header: 'Created', kind: 'secondary', ...sortBy('createdAt'), cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
  ]
  const createButton = mayCreate && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      New engagement
    </Button>
  )
  return (
    <Page title="Engagements" actions={createButton}>
      <Group justify="space-between">
        <FilterTabs
          label="Status"
          value={status ?? 'all'}
          options={FILTERS}
          onChange={(value) => void navigate({ search: ({ page: _, status: __, ...rest }) => (value === 'all' ? rest : { ...rest, status: value }) })}
        />
      </Group>
      <PagedList
        label="Engagements"
        page={page}
        list={list}
        onPage={(next, options) => void navigate({ search: (rest) => atPage(rest, next), ...options })}
        columns={columns}
        rowKey={({ id }) => id}
        nouns={['engagement', 'engagements']}
        empty={status ? <NothingMatches slug={organization.slug} /> : <FirstEngagement action={createButton} mayCreate={mayCreate} />}
      />
      <CreateEngagementDialog opened={create && mayCreate} onClose={() => setCreating(false)} />
    </Page>
  )
}

const NameCell = ({ engagement, slug }: { engagement: Engagement; slug: string }) => (
  <div className={classes.nameCell}>
    <TextLink to={paths.engagement(slug, engagement.id)} className={classes.name as string}>
      {engagement.name}
    </TextLink>
    {engagement.description && (
      <Text size="xs" c="dimmed" truncate>
        {excerptOf(engagement.description)}
      </Text>
    )}
  </div>
)

const FirstEngagement = ({ action, mayCreate }: { action: React.ReactNode; mayCreate: boolean }) => (
  <EmptyState icon={<IconTarget size={32} stroke={1.4} />} title="No engagements yet" action={action}>
    {mayCreate
      ? 'An engagement is one piece of work for a client: what is tested, when, and by what rules. Create the first one with a name; the rest can follow.'
      : 'An engagement is one piece of work for a client. Somebody whose role allows it creates the first one: ask an admin of the organization.'}
  </EmptyState>
)

const NothingMatches = ({ slug }: { slug: string }) => (
  <EmptyState
    title="No engagement has this status"
    action={
      <ButtonLink variant="default" to={paths.engagements(slug)}>
        Show all
      </ButtonLink>
    }
  />
)
