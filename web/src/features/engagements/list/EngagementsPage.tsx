import { Button, Group } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense } from 'react'
import { query } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useFieldColumns, useFieldFilters } from '../../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus, IconTarget } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { list as route } from '../engagements.routes.ts'
import { COLUMNS } from './columns.tsx'
import { FILTERS } from './list-search.ts'

/** Loaded on demand: it contains Markdown, which is large. */
const EngagementPeek = lazyPart(() => import('./EngagementPeek.tsx'), 'EngagementPeek')

const OfferDemonstration = lazyPart(() => import('../demonstration/OfferDemonstration.tsx'), 'OfferDemonstration')

/** With the fields and drafts of forms. */
const CreateEngagementDialog = lazyPart(() => import('./CreateEngagementDialog.tsx'), 'CreateEngagementDialog')

type Filters = NonNullable<Input<'listEngagementSummaries'>['query']>

export const EngagementsPage = () => {
  const organization = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const definitions = useFieldFilters('engagement', FILTERS)
  const columns = useFieldColumns('engagement', COLUMNS)
  const grid = useGridPage(search, navigate, { definitions, sort: 'createdAt', order: 'desc' })
  const { create = false } = search
  const mayCreate = organization.permissions.createEngagements
  // The server validates filter values and answers an invalid address with the reason.
  const filters = withFieldQuery(grid.values, splitsBy(definitions)) as Filters
  const list = useRows(rows(organization.id, 'listEngagementSummaries', { query: { ...filters, ...grid.ordered } }))
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  useShortcuts(
    mayCreate
      ? [
          {
            id: 'create',
            label: 'Create an engagement',
            group: 'This page',
            shortcut: 'c',
            run: () => void setCreating(true),
          },
        ]
      : [],
  )
  const createButton = mayCreate && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      New engagement
    </Button>
  )
  return (
    <Page title="Engagements" actions={createButton} layout="full">
      <GridView
        name="engagements"
        views="engagements"
        label="Engagements"
        nouns={['engagement', 'engagements']}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        onOpen={({ id }) => void navigate({ href: paths.engagement(organization.slug, id) })}
        peek={{
          id: grid.peek,
          onChange: grid.setPeek,
          render: (id) => (
            <Suspense fallback={<ListSkeleton rows={5} height={24} />}>
              <EngagementPeek engagementId={id} />
            </Suspense>
          ),
        }}
        filters={<FilterBar {...grid.filtering} readCounts={(name) => countsOf(organization.id, name, filters)} />}
        isFiltered={grid.isFiltered}
        empty={
          grid.isFiltered ? (
            <NothingMatches slug={organization.slug} />
          ) : (
            <FirstEngagement action={createButton} mayCreate={mayCreate} mayDelete={isAdmin(organization)} />
          )
        }
      />
      <Suspense>{create && mayCreate && <CreateEngagementDialog opened onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

/** Filters whose values the server counts. */
const FACETS = ['status', 'kind', 'leadId'] as const
type Facet = (typeof FACETS)[number]

const isFacet = (name: string): name is Facet => (FACETS as readonly string[]).includes(name)

/** Counts for one filter, with the other filters applied. */
const countsOf = (organizationId: string, name: string, filters: Filters) => {
  if (!isFacet(name)) return undefined
  const { [name]: _, ...others } = filters
  return {
    ...query(organizationId, 'countEngagementSummaries', { query: { ...others, by: [name] } }),
    select: ({ data }: { data: { [F in Facet]?: Record<string, number | null> | null } }) => data[name] ?? null,
  }
}

/** The demonstration is offered to those who can also remove it. */
const FirstEngagement = ({
  action,
  mayCreate,
  mayDelete,
}: {
  action: React.ReactNode
  mayCreate: boolean
  mayDelete: boolean
}) => (
  <EmptyState
    icon={<IconTarget size={32} stroke={1.4} />}
    title="No engagements yet"
    action={
      <Group gap="xs" justify="center">
        {action}
        <Suspense>{mayCreate && mayDelete && <OfferDemonstration />}</Suspense>
      </Group>
    }
  >
    {mayCreate
      ? 'An engagement is one piece of work for a client: what is tested, when, and by what rules. Create the first one with a name; the rest can follow.'
      : 'An engagement is one piece of work for a client. Ask an admin of the organization to create the first one.'}
  </EmptyState>
)

const NothingMatches = ({ slug }: { slug: string }) => (
  <EmptyState
    title="No engagement matches these filters"
    action={
      <ButtonLink variant="default" to={paths.engagements(slug)}>
        Show all
      </ButtonLink>
    }
  />
)
