import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconListDetails, IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../methodologies.module.css'
import { list as route } from '../methodologies.routes.ts'
import type { MethodologyHead } from '../reads.ts'
import { ImportButton } from './ImportButton.tsx'

/** With the fields and drafts of forms. */
const CreateDialog = lazyPart(() => import('./CreateDialog.tsx'), 'CreateDialog')

/** The organization's methodologies and the built-in ones. */
export const MethodologiesPage = () => {
  const { id, slug } = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { sort: 'name', order: 'asc' })
  const { create = false } = search
  const list = useRows(rows(id, 'listMethodologies', { query: { ...grid.values, ...grid.ordered } }))
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  const open = (methodologyId: string) => navigate({ href: paths.methodology(slug, methodologyId) })
  useShortcuts([
    {
      id: 'create',
      label: 'Create a methodology',
      group: 'This page',
      shortcut: 'c',
      run: () => void setCreating(true),
    },
  ])
  return (
    <Page
      title="Methodologies"
      description="Lists of checks. Under Coverage, an engagement creates tasks from one: one task for each item and target."
      layout="full"
      actions={
        <>
          <ImportButton onImported={(imported) => void open(imported)} />
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
            New methodology
          </Button>
        </>
      }
    >
      <GridView
        name="methodologies"
        label="Methodologies"
        nouns={['methodology', 'methodologies']}
        columns={COLUMNS}
        list={list}
        rowKey={(row) => row.id}
        {...grid.sorting}
        onOpen={(row) => void open(row.id)}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={<EmptyState icon={<IconListDetails size={32} stroke={1.4} />} title="No methodology matches" />}
      />
      <Suspense>
        {create && (
          <CreateDialog
            onClose={() => void setCreating(false)}
            onCreated={async (created) => {
              await setCreating(false)
              await open(created)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

const COLUMNS: GridColumn<MethodologyHead>[] = [
  { id: 'name', header: 'Name', width: 360, sort: 'name', line: 1, cell: (row) => <Name methodology={row} /> },
  { id: 'version', header: 'Version', width: 100, line: 2, cell: ({ version }) => version },
  { id: 'items', header: 'Items', width: 90, align: 'end', line: 1, cell: ({ itemCount }) => itemCount },
  {
    id: 'origin',
    header: 'Origin',
    width: 150,
    line: 2,
    cell: ({ builtIn }) => (builtIn ? 'Built in' : 'Your organization'),
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 140,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: (row) => !row.builtIn && <TimeAgo iso={row.updatedAt} />,
  },
]

const Name = ({ methodology }: { methodology: MethodologyHead }) => (
  <PlainLink to={paths.methodology(useOrganization().slug, methodology.id)} className={classes.name}>
    {methodology.name}
  </PlainLink>
)
