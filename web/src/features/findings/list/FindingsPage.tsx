import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense, useMemo, useState } from 'react'
import { query } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import type { FindingRow } from '../../../domain/finding-words.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useFieldColumns, useFieldFilters } from '../../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { GridSelection } from '../../../ui/grid/rows/selection.ts'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconArrowLeft, IconListSearch, IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconTrash } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { list as route } from '../findings.routes.ts'
import { BulkActions } from '../triage/BulkActions.tsx'
import { FindingMenus } from '../triage/FindingMenus.tsx'
import { type FindingChange, type FindingSelection, useFindingChange } from '../use-finding-change.ts'
import { COLUMNS } from './columns.tsx'
import { EmptyTrash, FirstFinding, NothingMatches } from './empty.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { FILTERS, toBody } from './finding-filters.ts'
import { Reordering } from './OrderHandle.tsx'
import { RestoreButton } from './trash.tsx'
import { useReorder } from './use-reorder.ts'

/** Loaded on demand: it contains Markdown, which is large. */
const FindingPeek = lazyPart(() => import('../peek/FindingPeek.tsx'), 'FindingPeek')
/** With the fields and drafts of forms. */
const NewFindingDialog = lazyPart(() => import('./NewFindingDialog.tsx'), 'NewFindingDialog')

type Filters = NonNullable<Input<'listFindings'>['query']> & { engagementId: string }

/** The findings of an engagement, and its trash. */
export const FindingsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const definitions = useFieldFilters('finding', useDefinitions())
  const columns = useFieldColumns('finding', COLUMNS)
  const grid = useGridPage(search, navigate, { definitions, sort: 'severity', order: 'desc' })
  const { values, filter, peek, setPeek } = grid
  const { create = false, trashed = false } = search
  const [activeId, setActiveId] = useState<string>()
  // The server validates filter values and answers an invalid address with the reason.
  const filters = {
    ...withFieldQuery(values, splitsBy(definitions)),
    engagementId: engagement.id,
    ...(trashed && { trashed }),
  } as Filters
  const reorder = useReorder(engagement.id)
  const list = reorder.arrange(
    useRows(rows(organization.id, 'listFindings', { query: { ...filters, ...grid.ordered } })),
  )
  const mayChange = !isArchived && !trashed
  const mayReorder = mayChange && grid.ordered.sort === 'position' && grid.ordered.order === 'asc'
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  const home = paths.findings(organization.slug, engagement.id)
  const open = ({ id }: FindingRow) => void navigate({ href: paths.finding(organization.slug, engagement.id, id) })
  // Those of the selection and of the preview take their place.
  const target = list.rows.find(({ id }) => id === (peek ?? activeId))
  const change = useFindingChange({ ids: target ? [target.id] : [] })
  const set = (wanted: FindingChange) =>
    target ? change.set(wanted) : toastError('No finding is selected. Move to one with J and K.')
  const suggestions = paths.findingSuggestions(organization.slug, engagement.id)
  useShortcuts(
    mayChange
      ? [
          { id: 'create', label: 'New finding', group: 'This page', shortcut: 'c', run: () => void setCreating(true) },
          {
            id: 'suggestions',
            label: 'Work through the suggestions',
            group: 'This page',
            shortcut: 'q',
            run: () => void navigate({ href: suggestions }),
          },
        ]
      : [],
  )
  const createButton = mayChange && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      New finding
    </Button>
  )
  return (
    <Page
      title={trashed ? 'Deleted findings' : 'Findings'}
      documentTitle={`${trashed ? 'Deleted findings' : 'Findings'} · ${engagement.name}`}
      description={
        trashed
          ? 'Deleted findings stay here for 30 days.'
          : 'What the client reads: one finding for each root cause, with every affected asset.'
      }
      actions={
        trashed ? (
          <ButtonLink variant="default" to={home} leftSection={<IconArrowLeft size={14} aria-hidden />}>
            All findings
          </ButtonLink>
        ) : (
          <>
            {!isArchived && (
              <ButtonLink variant="default" to={suggestions} leftSection={<IconListSearch size={14} aria-hidden />}>
                Suggestions
              </ButtonLink>
            )}
            <ButtonLink variant="default" to={`${home}?trashed=true`} leftSection={<IconTrash size={14} aria-hidden />}>
              Trash
            </ButtonLink>
            <ExportMenu engagementId={engagement.id} />
            {createButton}
          </>
        )
      }
      layout="full"
    >
      {mayChange && <FindingMenus set={set} />}
      <Reordering value={mayReorder ? reorder.move : undefined}>
        <GridView
          name="findings"
          {...(!trashed && { views: 'findings' as const })}
          label="Findings"
          nouns={['finding', 'findings']}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          {...grid.sorting}
          onActive={setActiveId}
          {...(mayReorder && { onReorder: reorder.move })}
          {...(!trashed && { onOpen: open })}
          peek={{
            id: peek,
            onChange: setPeek,
            render: (id) => (
              <Suspense fallback={<ListSkeleton rows={8} height={24} />}>
                <FindingPeek key={id} findingId={id} onGone={() => setPeek(undefined)} />
              </Suspense>
            ),
          }}
          {...(!isArchived && {
            bulk: (selection, clear) =>
              trashed ? (
                <RestoreButton
                  ids={selection.kind === 'ids' ? [...selection.ids] : list.rows.map(({ id }) => id)}
                  onDone={clear}
                />
              ) : (
                <BulkActions
                  selection={toSelection(selection, filters)}
                  count={selection.kind === 'ids' ? selection.ids.size : list.total}
                  engagementId={engagement.id}
                />
              ),
          })}
          filters={<FilterBar {...grid.filtering} readCounts={(name) => countsOf(organization.id, name, filters)} />}
          isFiltered={grid.isFiltered}
          empty={
            grid.isFiltered ? (
              <NothingMatches onShowAll={() => filter({})} />
            ) : trashed ? (
              <EmptyTrash />
            ) : (
              <FirstFinding action={createButton} />
            )
          }
        />
      </Reordering>
      <div role="status" className="visually-hidden">
        {reorder.announced}
      </div>
      <Suspense>
        {create && mayChange && <NewFindingDialog engagementId={engagement.id} onClose={() => setCreating(false)} />}
      </Suspense>
    </Page>
  )
}

const toSelection = (selection: GridSelection, filters: Filters): FindingSelection =>
  selection.kind === 'ids'
    ? { ids: [...selection.ids] }
    : { filter: { ...toBody(filters), engagementId: filters.engagementId } }

/** The filters with the members of the organization as authors and reviewers. */
const useDefinitions = () => {
  const members = useMembers().data
  return useMemo(() => {
    const people = (members ?? []).map(({ id, name }) => ({ value: id, label: name }))
    return FILTERS.map((definition) =>
      definition.kind === 'words' && (definition.name === 'authorId' || definition.name === 'reviewerId')
        ? { ...definition, options: [...definition.options, ...people] }
        : definition,
    )
  }, [members])
}

/** Filters whose values the server counts. */
const FACETS = ['severity', 'state', 'status', 'verification', 'authorId', 'reviewerId', 'tag'] as const
type Facet = (typeof FACETS)[number]

const isFacet = (name: string): name is Facet => (FACETS as readonly string[]).includes(name)

/** Counts for one filter, with the other filters applied. */
const countsOf = (organizationId: string, name: string, filters: Filters) => {
  if (!isFacet(name)) return undefined
  const { [name]: _, ...others } = filters
  return {
    ...query(organizationId, 'countFindings', { query: { ...others, by: [name] } }),
    select: ({ data }: { data: { [F in Facet]?: Record<string, number | null> | null } }) => data[name] ?? null,
  }
}
