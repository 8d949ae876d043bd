import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { rows } from '../../api/rows.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../shell/fields/custom/field-filters.ts'
import { useFieldColumns, useFieldFilters } from '../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../shell/reads/GridView.tsx'
import { useGridPage } from '../../shell/reads/use-grid-page.ts'
import { TextLink } from '../../shell/routing/links.tsx'
import { useShortcuts } from '../../ui/commands/commands.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import type { FilterDefinition } from '../../ui/filters/filters.ts'
import type { GridColumn } from '../../ui/grid/columns/columns.ts'
import { useRows } from '../../ui/grid/rows/use-rows.ts'
import { IconBuilding, IconPlus } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import type { Client } from './client.ts'
import classes from './clients.module.css'
import { list as route } from './clients.routes.ts'

const NewClientDialog = lazyPart(() => import('./NewClientDialog.tsx'), 'NewClientDialog')

const COLUMNS: GridColumn<Client>[] = [
  { id: 'name', header: 'Name', width: 300, sort: 'name', line: 1, cell: (client) => <Name client={client} /> },
  { id: 'shortName', header: 'Short name', width: 130, line: 1, cell: ({ shortName }) => shortName },
  {
    id: 'domains',
    header: 'Domains',
    width: 240,
    line: 2,
    cell: ({ domains }) => <span className="mono">{domains.join(', ')}</span>,
  },
  {
    id: 'contacts',
    header: 'Contacts',
    width: 220,
    line: 2,
    cell: ({ contacts }) => contacts.map(({ name }) => name).join(', '),
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 130,
    sort: 'createdAt',
    firstOrder: 'desc',
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

const Name = ({ client }: { client: Client }) => (
  <TextLink to={paths.client(useOrganization().slug, client.id)} className={classes.name as string}>
    {client.name}
  </TextLink>
)

const NONE: readonly FilterDefinition[] = []

/** The clients that the user may see. */
export const ClientsPage = () => {
  const organization = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const definitions = useFieldFilters('client', NONE)
  const columns = useFieldColumns('client', COLUMNS)
  const grid = useGridPage(search, navigate, { definitions, sort: 'name', order: 'asc' })
  const { create = false } = search
  const mayCreate = organization.permissions.changeEngagements
  const list = useRows(
    rows(organization.id, 'listClients', {
      query: { ...withFieldQuery(grid.values, splitsBy(definitions)), ...grid.ordered },
    }),
  )
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  useShortcuts(
    mayCreate
      ? [{ id: 'create', label: 'New client', group: 'This page', shortcut: 'c', run: () => void setCreating(true) }]
      : [],
  )
  const createButton = mayCreate && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      New client
    </Button>
  )
  return (
    <Page title="Clients" actions={createButton} layout="full">
      <GridView
        name="clients"
        views="clients"
        label="Clients"
        nouns={['client', 'clients']}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        onOpen={({ id }) => void navigate({ href: paths.client(organization.slug, id) })}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={
          grid.isFiltered ? (
            <EmptyState title="No client matches these words" />
          ) : (
            <EmptyState icon={<IconBuilding size={32} stroke={1.4} />} title="No clients yet" action={createButton}>
              A client has contacts, domains and all its engagements over time. Naming one in an engagement creates it,
              too.
            </EmptyState>
          )
        }
      />
      <Suspense>{create && mayCreate && <NewClientDialog onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}
