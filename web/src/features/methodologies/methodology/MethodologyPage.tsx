import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { usePreviewHref } from '../../../shell/reads/use-grid-page.ts'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Grid } from '../../../ui/grid/Grid.tsx'
import type { GridRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconListDetails, IconPlus } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import classes from '../methodologies.module.css'
import { methodology as route } from '../methodologies.routes.ts'
import { fullName, type Item, type Methodology } from '../reads.ts'
import { Actions } from './Actions.tsx'
import { DetailsDialog } from './DetailsDialog.tsx'
import { ItemDialog } from './ItemDialog.tsx'
import { ItemPeek } from './ItemPeek.tsx'
import { useChangeItems } from './use-change-items.ts'

export const MethodologyPage = () => {
  const { id, slug } = useOrganization()
  const { methodologyId } = route.useParams()
  const methodology = useQuery(query(id, 'getMethodology', { params: { methodologyId } }))
  return (
    <WithCrumbs crumbs={[{ label: 'Methodologies', to: paths.methodologies(slug) }]}>
      <QueryView query={methodology} skeleton={<PageSkeleton />}>
        {({ data }) => <OneMethodology key={data.id} methodology={data} />}
      </QueryView>
    </WithCrumbs>
  )
}

const OneMethodology = ({ methodology }: { methodology: Methodology }) => {
  const { items, builtIn } = methodology
  const { peek, dialog } = route.useSearch()
  const hrefOf = usePreviewHref()
  const navigate = route.useNavigate()
  const show = (search: { peek?: string | undefined; dialog?: 'details' | 'item' | undefined }) =>
    void navigate({
      search: {
        ...(search.peek !== undefined && { peek: search.peek }),
        ...(search.dialog && { dialog: search.dialog }),
      },
      replace: true,
    })
  const change = useChangeItems(methodology)
  const [deleted, setDeleted] = useState<string>()
  const add = () => show({ dialog: 'item' })
  useShortcuts(builtIn ? [] : [{ id: 'create', label: 'Add an item', group: 'This page', shortcut: 'c', run: add }])
  const list = useMemo(() => rowsOf(items), [items])
  const addButton = !builtIn && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
      Add an item
    </Button>
  )
  return (
    <Page
      title={fullName(methodology)}
      layout="full"
      actions={<Actions methodology={methodology} onEdit={() => show({ peek, dialog: 'details' })} add={addButton} />}
    >
      {methodology.description && (
        // Scrollable regions must be reachable by keyboard.
        <div className={classes.description} tabIndex={0} role="region" aria-label="Description">
          <Markdown text={methodology.description} />
        </div>
      )}
      <Grid
        name="methodology-items"
        label="Items"
        hrefOf={hrefOf}
        nouns={['item', 'items']}
        columns={COLUMNS}
        list={list}
        rowKey={({ key }) => key}
        sort={{ by: '', order: 'asc' }}
        onSort={() => undefined}
        peek={{
          id: peek,
          onChange: (key) => show({ peek: key }),
          render: (_, item) =>
            item && (
              <ItemPeek
                item={item}
                onEdit={builtIn ? undefined : () => show({ peek: item.key, dialog: 'item' })}
                onMove={(by) => change.move(item.key, by)}
                onDelete={() => setDeleted(item.key)}
              />
            ),
        }}
        empty={
          <EmptyState icon={<IconListDetails size={32} stroke={1.4} />} title="No items yet" action={addButton}>
            An item is one check, with the kinds of targets it applies to. Add them one by one, or import a CSV with the
            columns key and title.
          </EmptyState>
        }
      />
      {dialog === 'details' && !builtIn && <DetailsDialog methodology={methodology} onClose={() => show({ peek })} />}
      {dialog === 'item' && !builtIn && (
        <ItemDialog
          key={peek ?? ''}
          methodology={methodology}
          item={items.find(({ key }) => key === peek)}
          onClose={() => show({ peek })}
          onSaved={(key) => show({ peek: key })}
        />
      )}
      <ConfirmDialog
        opened={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={`Delete ${deleted}?`}
        confirmLabel="Delete item"
        onConfirm={() => {
          change.remove(new Set(deleted === undefined ? [] : [deleted]))
          setDeleted(undefined)
          show({})
        }}
      >
        Tasks created from it stay.
      </ConfirmDialog>
    </Page>
  )
}

/** Complete list, in the order of the methodology. */
const rowsOf = (rows: readonly Item[]): GridRows<Item> => ({
  rows,
  total: rows.length,
  hasMore: false,
  key: '',
  isLive: false,
  isPending: false,
  isStale: false,
  isReading: false,
  readMore: () => undefined,
  query: { data: rows, error: null, isFetching: false, refetch: () => undefined },
})

const COLUMNS: GridColumn<Item>[] = [
  { id: 'title', header: 'Title', width: 420, line: 1, cell: ({ title }) => title },
  { id: 'key', header: 'Key', width: 150, line: 2, cell: ({ key }) => key },
  { id: 'group', header: 'Group', width: 260, line: 2, cell: ({ group }) => group },
  { id: 'appliesTo', header: 'Applies to', width: 200, cell: ({ appliesTo }) => appliesTo.join(', ') || 'Engagement' },
]
