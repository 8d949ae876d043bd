import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { Suspense, useEffect } from 'react'
import { rows } from '../../../api/rows.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconClipboardList } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { BulkActions } from '../bulk/BulkActions.tsx'
import { selectedOf } from '../bulk/selected.ts'
import { PasteRulesDialog } from '../paste/PasteRulesDialog.tsx'
import { AddRuleDialog } from '../rule/AddRuleDialog.tsx'
import { page as route } from '../scope.routes.ts'
import { useMayChangeScope } from '../use-may-change-scope.ts'
import { COLUMNS } from './columns.tsx'
import { NoRules, NothingMatches } from './empty.tsx'
import { FILTERS } from './scope-filters.ts'
import { Tester } from './Tester.tsx'

/** Loaded on demand: it contains Markdown, which is large. */
const RulePeek = lazyPart(() => import('../rule/RulePeek.tsx'), 'RulePeek')

type Filters = NonNullable<Input<'listScopeRules'>['query']>

/** Scope rules of an engagement, with a field to test addresses against them. */
export const ScopePage = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const { mayChange, reason } = useMayChangeScope()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { definitions: FILTERS, sort: 'createdAt', order: 'desc' })
  const { values, peek, setPeek } = grid
  const { add } = search
  // The server validates filter values and answers an invalid address with the reason.
  const filters = { ...values, engagementId: engagement.id } as Filters
  const list = useRows(rows(organization.id, 'listScopeRules', { query: { ...filters, ...grid.ordered } }))
  // The preview uses the row of the list, so this reads on until the row is loaded. An engagement has 2,000 rules at
  // most.
  const isFurtherDown = peek !== undefined && list.hasMore && !list.rows.some(({ id }) => id === peek)
  const { readMore, isReading } = list
  useEffect(() => {
    if (isFurtherDown && !isReading) readMore()
  }, [isFurtherDown, isReading, readMore])
  const setAdd = (wanted: 'one' | 'many' | undefined) =>
    void navigate({ search: ({ add: _, ...rest }) => (wanted ? { ...rest, add: wanted } : rest), replace: true })
  useShortcuts(
    mayChange
      ? [
          { id: 'create', label: 'Add a rule', group: 'This page', shortcut: 'c', run: () => setAdd('one') },
          {
            id: 'paste',
            label: "Paste the client's list",
            group: 'This page',
            shortcut: 'p',
            run: () => setAdd('many'),
          },
        ]
      : [],
  )
  const adding = mayChange && (
    <>
      <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdd('one')}>
        Add a rule
      </Button>
      <Button leftSection={<IconClipboardList size={14} aria-hidden />} onClick={() => setAdd('many')}>
        Paste a list
      </Button>
    </>
  )
  return (
    <Page
      title="Scope"
      documentTitle={`Scope · ${engagement.name}`}
      description={`The most specific rule decides. At equal weight, out of scope beats caution, and caution beats in scope.${reason ? ` ${reason}` : ''}`}
      actions={adding}
      layout="full"
    >
      <Tester engagementId={engagement.id} onRule={(id) => void navigate({ search: { peek: id } })} />
      <GridView
        name="scope"
        views="scope-rules"
        label="Scope rules"
        nouns={['rule', 'rules']}
        columns={COLUMNS}
        list={list}
        rowKey={({ id }) => id}
        {...grid.sorting}
        peek={{
          id: peek,
          onChange: setPeek,
          render: (_, rule) =>
            rule && (
              <Suspense fallback={<ListSkeleton rows={5} height={24} />}>
                <RulePeek key={rule.id} rule={rule} onClose={() => setPeek(undefined)} />
              </Suspense>
            ),
        }}
        {...(mayChange && {
          bulk: (selection, clear) => (
            <BulkActions selection={selectedOf(selection, { ...values, engagementId: engagement.id })} onDone={clear} />
          ),
        })}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={grid.isFiltered ? <NothingMatches engagementId={engagement.id} /> : <NoRules action={adding} />}
      />
      {mayChange && add === 'one' && <AddRuleDialog engagementId={engagement.id} onClose={() => setAdd(undefined)} />}
      {mayChange && add === 'many' && (
        <PasteRulesDialog engagementId={engagement.id} onClose={() => setAdd(undefined)} />
      )}
    </Page>
  )
}
