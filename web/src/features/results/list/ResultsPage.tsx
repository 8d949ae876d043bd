import { Button, Menu } from '@mantine/core'
import { Suspense, useState } from 'react'
import { linkTo } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import {
  AllOutOfScope,
  OutOfScopeHidden,
  useHiddenCount,
  usuallyInScope,
} from '../../../shell/reads/OutOfScopeHidden.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { type FilterValues } from '../../../ui/filters/filters.ts'
import type { GridSelection } from '../../../ui/grid/rows/selection.ts'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconDownload, IconFlag, IconListSearch, IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconArrowsDiff } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { list as route } from '../results.routes.ts'
import { BulkTriage } from '../triage/BulkTriage.tsx'
import { TriageMenus } from '../triage/TriageMenus.tsx'
import { type BulkChange, type BulkSelection, useBulkChange } from '../triage/use-triage.ts'
import { COLUMNS } from './columns.tsx'
import { countBy, countsOf, type ResultFilters } from './filters.ts'
import { KindTabs } from './KindTabs.tsx'
import { FILTERS, toBody } from './result-filters.ts'

/** Loaded on demand: it contains Markdown and the fields of forms, which are large. */
const ResultPeek = lazyPart(() => import('../peek/ResultPeek.tsx'), 'ResultPeek')
const FindingDialog = lazyPart(() => import('../findings/FindingDialog.tsx'), 'FindingDialog')
const WriteDialog = lazyPart(() => import('../vulnerability/VulnerabilityDialog.tsx'), 'WriteDialog')

/** The inventory of an engagement: found by tools or written by hand. */
export const ResultsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { definitions: FILTERS, sort: 'severity', order: 'desc' })
  const { values, filter, peek, setPeek } = grid
  const { write = false, task } = search
  const [isSelecting, setSelecting] = useState(false)
  const [activeId, setActiveId] = useState<string>()
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...usuallyInScope(values), engagementId: engagement.id } as ResultFilters
  const hidden = useHiddenCount(grid.values, countBy(organization.id, 'verdict', filters))
  const list = useRows(rows(organization.id, 'listResults', { query: { ...filters, ...grid.ordered } }))
  const setWriting = (wanted: boolean) =>
    navigate({
      search: ({ write: _, task: __, ...rest }) => (wanted ? { ...rest, write: true as const } : rest),
      replace: true,
    })
  // Those of the selection and of the preview take their place.
  const target = list.rows.find(({ id }) => id === (peek ?? activeId))
  const change = useBulkChange({ ids: target ? [target.id] : [] })
  const triage = (set: BulkChange) => {
    if (!target) return toastError('No result is selected. Move to one with J and K.')
    if (set.status && target.kind !== 'vulnerability') return toastError('Only vulnerabilities have a status.')
    return change.set(set)
  }
  const [finding, setFinding] = useState<{ id: string; title: string }>()
  const addToFinding = () =>
    target ? setFinding(target) : toastError('No result is selected. Move to one with J and K.')
  useShortcuts(
    isArchived
      ? []
      : [
          {
            id: 'create',
            label: 'Add a vulnerability',
            group: 'This page',
            shortcut: 'c',
            run: () => void setWriting(true),
          },
          {
            id: 'add-to-finding',
            label: 'Add to a finding',
            group: 'Triage',
            icon: IconFlag,
            shortcut: 'n',
            run: addToFinding,
          },
        ],
  )
  const writeButton = !isArchived && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setWriting(true)}>
      New vulnerability
    </Button>
  )
  return (
    <Page
      title="Results"
      documentTitle={`Results · ${engagement.name}`}
      actions={
        <>
          <ButtonLink
            variant="default"
            to={paths.resultsDiff(organization.slug, engagement.id)}
            leftSection={<IconArrowsDiff size={14} aria-hidden />}
          >
            Compare
          </ButtonLink>
          <ExportMenu filters={filters} />
          {writeButton}
        </>
      }
      layout="full"
    >
      <KindTabs
        filters={filters}
        kind={values['kind']}
        onChange={(kind) => {
          const { kind: _, ...others } = values
          filter({ ...others, ...(kind && { kind }) })
        }}
      />
      {!isArchived && <TriageMenus set={triage} />}
      <GridView
        name="results"
        views="results"
        label="Results"
        nouns={['result', 'results']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        onActive={setActiveId}
        peek={{
          id: peek,
          onChange: setPeek,
          render: (id) => (
            <Suspense fallback={<ListSkeleton rows={8} height={24} />}>
              <ResultPeek key={id} resultId={id} hasKeys={!isSelecting} onGone={() => setPeek(undefined)} />
            </Suspense>
          ),
        }}
        {...(!isArchived && {
          bulk: (selection, clear) => (
            <BulkTriage
              selection={toSelection(selection, usuallyInScope(values), engagement.id)}
              clear={clear}
              onShown={setSelecting}
            />
          ),
        })}
        filters={
          <FilterBar {...grid.filtering} readCounts={(name) => countsOf(organization.id, name, filters)}>
            <OutOfScopeHidden {...grid.filtering} hidden={hidden} />
          </FilterBar>
        }
        isFiltered={grid.isFiltered || hidden !== 0}
        empty={
          hidden !== 0 ? (
            <AllOutOfScope noun="results" {...grid.filtering} />
          ) : grid.isFiltered ? (
            <NothingMatches onShowAll={() => filter({})} />
          ) : (
            <FirstResult />
          )
        }
      />
      <Suspense>
        {finding && (
          <FindingDialog
            selection={{ ids: [finding.id] }}
            title={finding.title}
            onClose={() => setFinding(undefined)}
          />
        )}
      </Suspense>
      <Suspense>
        {write && !isArchived && <WriteDialog taskId={task} onClose={() => setWriting(false)} onWritten={setPeek} />}
      </Suspense>
    </Page>
  )
}

const toSelection = (selection: GridSelection, values: FilterValues, engagementId: string): BulkSelection =>
  selection.kind === 'ids' ? { ids: [...selection.ids] } : { filter: { ...toBody(values), engagementId } }

/** Downloads the matching rows as a document. */
const ExportMenu = ({ filters }: { filters: ResultFilters }) => {
  const organization = useOrganization()
  const item = (format: 'csv' | 'json', label: string) => (
    <Menu.Item
      component="a"
      href={linkTo(organization.id, 'exportResults', { query: { ...filters, format } })}
      download
    >
      {label}
    </Menu.Item>
  )
  return (
    <DropdownMenu
      position="bottom-end"
      target={
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      }
    >
      {item('csv', 'CSV')}
      {item('json', 'JSON')}
    </DropdownMenu>
  )
}

const FirstResult = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  return (
    <EmptyState
      icon={<IconListSearch size={32} stroke={1.4} />}
      title="No results yet"
      action={
        !isArchived && (
          <ButtonLink to={paths.imports(organization.slug, engagement.id)}>Import files of scanners</ButtonLink>
        )
      }
    >
      Hosts, services, certificates, vulnerabilities: one inventory, filled by scanner files, scans and people. An open
      port is a service; a weakness in it is a vulnerability.
    </EmptyState>
  )
}

const NothingMatches = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    title="No result matches these filters"
    action={
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    }
  />
)
