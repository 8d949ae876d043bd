import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { definedParams } from '../../../search.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { MomentField } from '../../../shell/fields/MomentField.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconArrowsDiff } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { toMoment } from '../../../ui/values/moments.ts'
import { KIND_PLURALS, KINDS } from '../labels.ts'
import classes from '../results.module.css'
import { diff as route } from '../results.routes.ts'
import { COLUMNS } from './columns.tsx'
import { DiffPeek } from './DiffPeek.tsx'
import { describeSummary, type Summary } from './labels.ts'

/** Compares the inventory at two moments; the later one defaults to now. */
export const DiffPage = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const { from = 'yesterday', to, kind, peek } = route.useSearch()
  const navigate = route.useNavigate()
  const compared = {
    engagementId: engagement.id,
    from: toMoment(from),
    ...(to !== undefined && { to: toMoment(to) }),
    ...(kind !== undefined && { kind: [kind] }),
  }
  const list = useRows(rows(organizationId, 'diffResults', { query: compared }))
  const setPeek = (id: string | undefined) =>
    void navigate({
      search: ({ peek: _, ...rest }) => (id === undefined ? rest : { ...rest, peek: id }),
      replace: peek !== undefined,
    })
  const compare = (changes: { from?: string; to?: string | undefined; kind?: typeof kind | undefined }) =>
    void navigate({ search: ({ peek: _, ...rest }) => definedParams({ ...rest, ...changes }), replace: true })
  const summary = summaryOf(list.query.data)
  return (
    <WithCrumbs crumbs={[{ label: 'Results', to: paths.results(slug, engagement.id) }]}>
      <Page
        title="Changes"
        documentTitle={`Changes · ${engagement.name}`}
        layout="full"
        actions={
          !isArchived &&
          to === undefined && (
            <ButtonLink variant="default" to={`${paths.newScan(slug, engagement.id)}?from=${from}`}>
              Scan new targets
            </ButtonLink>
          )
        }
      >
        <div className={classes.moments}>
          <MomentField
            label="From"
            engagementId={engagement.id}
            value={from}
            onChange={(moment) => compare({ from: moment })}
          />
          <MomentField
            label="To"
            engagementId={engagement.id}
            value={to ?? ''}
            allowsNow
            onChange={(moment) => compare({ to: moment || undefined })}
          />
          <Choice
            label="Kind"
            value={kind ?? ''}
            onChange={(chosen) => compare({ kind: KINDS.find((candidate) => candidate === chosen) })}
            data={[{ value: '', label: 'All' }, ...KINDS.map((value) => ({ value, label: KIND_PLURALS[value] }))]}
          />
        </div>
        <Text size="sm" role="status">
          {summary ? describeSummary(summary, kind) : '…'}
        </Text>
        <GridView
          name="results-diff"
          label="Differences"
          nouns={['difference', 'differences']}
          columns={COLUMNS}
          list={summary ? { ...list, total: totalOf(summary) } : list}
          rowKey={({ result }) => result.id}
          sort={UNSORTED}
          onSort={() => undefined}
          peek={{ id: peek, onChange: setPeek, render: (_, row) => row && <DiffPeek row={row} /> }}
          empty={
            <EmptyState icon={<IconArrowsDiff size={32} stroke={1.4} />} title="Nothing changed">
              No scan or import between these two moments found anything new, changed or gone. Choose another start,
              such as an earlier scan.
            </EmptyState>
          }
        />
      </Page>
    </WithCrumbs>
  )
}

/** Rows of the list, those that are not read yet included. */
const totalOf = (summary: Summary): number => Object.values(summary).reduce((sum, count) => sum + count, 0)

/** The server has one order for differences. */
const UNSORTED = { by: '', order: 'asc' } as const

/** Every page of the list has the totals; the first is available soonest. */
const summaryOf = (data: unknown) => (data as { pages: Output<'diffResults'>[] } | undefined)?.pages[0]?.meta.summary
