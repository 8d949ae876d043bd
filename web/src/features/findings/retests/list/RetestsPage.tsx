import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense } from 'react'
import { rows } from '../../../../api/rows.ts'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { GridView } from '../../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../../ui/commands/commands.ts'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../../ui/grid/rows/use-rows.ts'
import { IconPlus, IconRefresh } from '../../../../ui/icons.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { Page } from '../../../../ui/page/Page.tsx'
import { RETEST_FILTERS } from '../retest-filters.ts'
import { list as route } from '../retests.routes.ts'
import { COLUMNS } from './columns.tsx'

/** With the fields and drafts of forms. */
const PlanRetestDialog = lazyPart(() => import('../PlanRetestDialog.tsx'), 'PlanRetestDialog')

type Filters = Omit<NonNullable<Input<'listRetests'>['query']>, 'engagementId'>

/** The retests of an engagement: planned, running and done. */
export const RetestsPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, {
    definitions: RETEST_FILTERS,
    sort: 'createdAt',
    order: 'desc',
    hasOneSort: true,
  })
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...(grid.values as Filters), engagementId: engagement.id }
  const list = useRows(rows(organizationId, 'listRetests', { query: { ...filters, order: grid.ordered.order } }))
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  useShortcuts(
    isArchived
      ? []
      : [
          {
            id: 'create',
            label: 'Plan a retest',
            group: 'This page',
            shortcut: 'c',
            run: () => void setCreating(true),
          },
        ],
  )
  const planButton = !isArchived && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      Plan a retest
    </Button>
  )
  return (
    <Page
      title="Retests"
      documentTitle={`Retests · ${engagement.name}`}
      description="A retest lists the affected assets to test again. The outcome of each sets its status. While a retest runs, its dates count as testing dates."
      layout="full"
      actions={planButton}
    >
      <GridView
        name="retests"
        label="Retests"
        nouns={['retest', 'retests']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        onOpen={({ id }) => void navigate({ href: paths.retest(slug, engagement.id, id) })}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={
          grid.isFiltered ? <NothingMatches onShowAll={() => grid.filter({})} /> : <FirstRetest action={planButton} />
        }
      />
      <Suspense>
        {search.create && !isArchived && (
          <PlanRetestDialog engagementId={engagement.id} onClose={() => setCreating(false)} />
        )}
      </Suspense>
    </Page>
  )
}

const FirstRetest = ({ action }: { action: React.ReactNode }) => (
  <EmptyState icon={<IconRefresh size={32} stroke={1.4} />} title="No retests yet" action={action}>
    A retest is a list to work through: every affected asset of the findings that you choose, with its recorded proof
    one key away from running again.
  </EmptyState>
)

const NothingMatches = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    title="No retest matches these filters"
    action={
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    }
  />
)
