import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense, useMemo } from 'react'
import { query } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { UnscopedNotice } from '../../../shell/banners/UnscopedNotice.tsx'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useFieldColumns, useFieldFilters } from '../../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../../shell/reads/GridView.tsx'
import {
  AllOutOfScope,
  OutOfScopeHidden,
  useHiddenCount,
  usuallyInScope,
} from '../../../shell/reads/OutOfScopeHidden.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconClipboardList } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { AddTargetDialog } from '../add/AddTargetDialog.tsx'
import { PasteTargetsDialog } from '../add/PasteTargetsDialog.tsx'
import { BulkActions } from '../bulk/BulkActions.tsx'
import { selectedOf } from '../bulk/selected.ts'
import { useTags } from '../tags.ts'
import { list as route } from '../targets.routes.ts'
import { COLUMNS } from './columns.tsx'
import { NoTargets, NothingMatches } from './empty.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { filtersOf } from './target-filters.ts'

/** Loaded on demand: it contains Markdown, which is large. */
const TargetPeek = lazyPart(() => import('../peek/TargetPeek.tsx'), 'TargetPeek')

type Filters = NonNullable<Input<'listTargets'>['query']> & { engagementId: string }

/** Targets of an engagement. */
export const TargetsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { add } = search
  const tags = useTags(engagement.id)
  const definitions = useFieldFilters(
    'target',
    useMemo(() => filtersOf(tags), [tags]),
  )
  const columns = useFieldColumns('target', COLUMNS)
  const grid = useGridPage(search, navigate, { definitions, sort: 'canonical', order: 'asc' })
  const { peek, setPeek } = grid
  // The server validates filter values and answers an invalid address with the reason.
  const filters = {
    ...withFieldQuery(usuallyInScope(grid.values), splitsBy(definitions)),
    engagementId: engagement.id,
  } as Filters
  const hidden = useHiddenCount(grid.values, countsOf(organization.id, 'verdict', filters))
  const list = useRows(rows(organization.id, 'listTargets', { query: { ...filters, ...grid.ordered } }))
  const setAdd = (wanted: 'one' | 'many' | undefined) =>
    void navigate({ search: ({ add: _, ...rest }) => (wanted ? { ...rest, add: wanted } : rest), replace: true })
  useShortcuts(
    isArchived
      ? []
      : [
          { id: 'create', label: 'Add a target', group: 'This page', shortcut: 'c', run: () => setAdd('one') },
          { id: 'paste', label: 'Paste targets', group: 'This page', shortcut: 'p', run: () => setAdd('many') },
        ],
  )
  const adding = !isArchived && (
    <>
      <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdd('one')}>
        Add a target
      </Button>
      <Button leftSection={<IconClipboardList size={14} aria-hidden />} onClick={() => setAdd('many')}>
        Paste targets
      </Button>
    </>
  )
  return (
    <Page
      title="Targets"
      documentTitle={`Targets · ${engagement.name}`}
      layout="full"
      actions={
        <>
          <ExportMenu filters={filters} />
          {adding}
        </>
      }
    >
      <UnscopedNotice engagementId={engagement.id} />
      <GridView
        name="targets"
        views="targets"
        label="Targets"
        nouns={['target', 'targets']}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        peek={{
          id: peek,
          onChange: setPeek,
          render: (id) => (
            <Suspense fallback={<ListSkeleton rows={5} height={24} />}>
              <TargetPeek targetId={id} tags={tags} onClose={() => setPeek(undefined)} />
            </Suspense>
          ),
        }}
        {...(!isArchived && {
          bulk: (selection, clear) => (
            <BulkActions selection={selectedOf(selection, filters)} tags={tags} onDone={clear} />
          ),
        })}
        filters={
          <FilterBar {...grid.filtering} readCounts={(name) => countsOf(organization.id, name as Facet, filters)}>
            <OutOfScopeHidden {...grid.filtering} hidden={hidden} />
          </FilterBar>
        }
        isFiltered={grid.isFiltered || hidden !== 0}
        empty={
          hidden !== 0 ? (
            <AllOutOfScope noun="targets" {...grid.filtering} />
          ) : grid.isFiltered ? (
            <NothingMatches engagementId={engagement.id} />
          ) : (
            <NoTargets action={adding} isArchived={isArchived} />
          )
        }
      />
      {!isArchived && add === 'one' && (
        <AddTargetDialog engagementId={engagement.id} tags={tags} onClose={() => setAdd(undefined)} />
      )}
      {!isArchived && add === 'many' && (
        <PasteTargetsDialog engagementId={engagement.id} tags={tags} onClose={() => setAdd(undefined)} />
      )}
    </Page>
  )
}

type Facet = 'kind' | 'verdict' | 'tag' | 'criticality' | 'source'

/** Counts for one filter, with the other filters applied. */
const countsOf = (organizationId: string, name: Facet, { [name]: _, ...others }: Filters) => ({
  ...query(organizationId, 'countTargets', { query: { ...others, by: [name] } }),
  select: ({ data }: { data: { [K in Facet]?: Record<string, number | null> | null } }) => data[name] ?? null,
})
