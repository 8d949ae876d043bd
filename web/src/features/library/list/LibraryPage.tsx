import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense } from 'react'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { splitsBy, withFieldQuery } from '../../../shell/fields/custom/field-filters.ts'
import { useFieldColumns, useFieldFilters } from '../../../shell/fields/custom/use-field-list.ts'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconUpload } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { list as route } from '../library.routes.ts'
import { COLUMNS } from './columns.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { FILTERS } from './library-filters.ts'

/** With Markdown, which is large. */
const EntryPeek = lazyPart(() => import('./EntryPeek.tsx'), 'EntryPeek')
/** With the fields and drafts of forms. */
const NewEntryDialog = lazyPart(() => import('./NewEntryDialog.tsx'), 'NewEntryDialog')
const ImportDialog = lazyPart(() => import('./ImportDialog.tsx'), 'ImportDialog')

type Filters = NonNullable<Input<'listLibraryEntries'>['query']>
type Opened = 'create' | 'import'

/** The library of the organization with the built-in entries. */
export const LibraryPage = () => {
  const { id, slug } = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const definitions = useFieldFilters('library_entry', FILTERS)
  const columns = useFieldColumns('library_entry', COLUMNS)
  const grid = useGridPage(search, navigate, { definitions, sort: 'title', order: 'asc' })
  // The server validates filter values and answers an invalid address with the reason.
  const filters = withFieldQuery(grid.values, splitsBy(definitions)) as Filters
  const list = useRows(rows(id, 'listLibraryEntries', { query: { ...filters, ...grid.ordered } }))
  const show = (opened: Opened | undefined) =>
    navigate({
      search: ({ create: _, import: __, ...rest }) => (opened ? { ...rest, [opened]: true as const } : rest),
      replace: true,
    })
  const open = (entryId: string, view = '') => navigate({ href: `${paths.libraryEntry(slug, entryId)}${view}` })
  useShortcuts([
    { id: 'create', label: 'New entry', group: 'This page', shortcut: 'c', run: () => void show('create') },
  ])
  return (
    <Page
      title="Library"
      description="Reusable texts of findings. Findings copy them; suggestions use approved entries that name the rule of a tool."
      layout="full"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={14} aria-hidden />}
            onClick={() => void show('import')}
          >
            Import
          </Button>
          <ExportMenu />
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void show('create')}>
            New entry
          </Button>
        </>
      }
    >
      <GridView
        name="library-entries"
        views="library-entries"
        label="Library entries"
        nouns={['entry', 'entries']}
        columns={columns}
        list={list}
        rowKey={(row) => row.id}
        {...grid.sorting}
        onOpen={(row) => void open(row.id)}
        peek={{
          id: grid.peek,
          onChange: grid.setPeek,
          render: (entryId) => (
            <Suspense fallback={<ListSkeleton rows={8} height={24} />}>
              <EntryPeek key={entryId} entryId={entryId} />
            </Suspense>
          ),
        }}
        filters={
          <FilterBar {...grid.filtering} readCounts={() => ({ queryKey: ['no counts'], queryFn: () => null })} />
        }
        isFiltered={grid.isFiltered}
        empty={
          <EmptyState
            title="No entry matches these filters"
            action={
              <Button variant="default" onClick={() => grid.filter({})}>
                Show all
              </Button>
            }
          />
        }
      />
      <Suspense>
        {search.create && (
          <NewEntryDialog
            onClose={() => void show(undefined)}
            onCreated={async (created) => {
              await show(undefined)
              await open(created, '?view=edit')
            }}
          />
        )}
        {search.import && <ImportDialog onClose={() => void show(undefined)} />}
      </Suspense>
    </Page>
  )
}
