import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { type ReactNode, Suspense } from 'react'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconFileText, IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { REPORT_FILTERS } from '../report-filters.ts'
import { list as route } from '../reports.routes.ts'
import { COLUMNS } from './columns.tsx'

/** With the fields and drafts of forms. */
const NewReportDialog = lazyPart(() => import('./NewReportDialog.tsx'), 'NewReportDialog')

type Filters = Omit<NonNullable<Input<'listReports'>['query']>, 'engagementId'>

/** The reports of an engagement. */
export const ReportsPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { definitions: REPORT_FILTERS, sort: 'updatedAt', order: 'desc' })
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...(grid.values as Filters), engagementId: engagement.id }
  const list = useRows(rows(organizationId, 'listReports', { query: { ...filters, ...grid.ordered } }))
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
            label: 'New report',
            group: 'This page',
            shortcut: 'c',
            run: () => void setCreating(true),
          },
        ],
  )
  const createButton = !isArchived && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
      New report
    </Button>
  )
  return (
    <Page
      title="Reports"
      documentTitle={`Reports · ${engagement.name}`}
      description="A report is written once and rendered as PDF, Word, HTML and more. Each delivery is an edition, whose files never change."
      layout="full"
      actions={createButton}
    >
      <GridView
        name="reports"
        views="reports"
        label="Reports"
        nouns={['report', 'reports']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        onOpen={({ id }) => void navigate({ href: paths.report(slug, engagement.id, id) })}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={
          grid.isFiltered ? <NothingMatches onShowAll={() => grid.filter({})} /> : <FirstReport action={createButton} />
        }
      />
      <Suspense>{search.create && !isArchived && <NewReportDialog onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

const FirstReport = ({ action }: { action: ReactNode }) => (
  <EmptyState icon={<IconFileText size={32} stroke={1.4} />} title="No reports yet" action={action}>
    A report starts with the sections of a template. Findings, scope, coverage and team fill themselves in; you write
    the rest, check it, and deliver it as PDF or Word.
  </EmptyState>
)

const NothingMatches = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    title="No report matches these filters"
    action={
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    }
  />
)
