import { Button } from '@mantine/core'
import { messageOf, useApiMutation, type WebCall } from '../../api/api.ts'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { GridView } from '../../shell/reads/GridView.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import type { GridColumn } from '../../ui/grid/columns/columns.ts'
import type { GridSelection } from '../../ui/grid/rows/selection.ts'
import type { GridRows } from '../../ui/grid/rows/use-rows.ts'
import { IconTrash } from '../../ui/page-icons.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import type { DeletedListProps } from './kinds.ts'

type Restore = 'restoreTasks' | 'restoreResults' | 'restoreTargets' | 'restoreScopeRules'

interface DeletedGridProps<Row> extends DeletedListProps {
  restore: Restore
  /** Reads that a restore changes. */
  stale: readonly WebCall[]
  nouns: readonly [one: string, many: string]
  columns: readonly GridColumn<Row>[]
  list: GridRows<Row>
}

/** Deleted rows of one kind; the selected ones are restored. */
export const DeletedGrid = <Row extends { id: string }>({
  q,
  onFilter,
  restore,
  stale,
  nouns,
  columns,
  list,
}: DeletedGridProps<Row>) => {
  const { isArchived } = useEngagement()
  const [, many] = nouns
  return (
    <GridView
      name={`deleted-${restore}`}
      label={`Deleted ${many}`}
      nouns={nouns}
      columns={columns}
      list={list}
      rowKey={({ id }) => id}
      sort={NO_SORT}
      onSort={() => undefined}
      {...(!isArchived && {
        bulk: (selection, clear) => (
          <RestoreButton name={restore} stale={stale} nouns={nouns} selection={selection} q={q} onDone={clear} />
        ),
      })}
      filters={<FilterBar definitions={[]} values={q ? { q } : {}} onChange={({ q: next }) => onFilter(next)} />}
      isFiltered={q !== undefined}
      empty={
        q === undefined ? (
          <EmptyState icon={<IconTrash size={32} stroke={1.4} />} title={`No deleted ${many}`}>
            Deleted {many} stay here for 30 days.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing matches" action={<Button onClick={() => onFilter(undefined)}>Show all</Button>}>
            No deleted {many} contain “{q}”.
          </EmptyState>
        )
      }
    />
  )
}

/** No column of the trash can be sorted by: it has the usual order of its list. */
const NO_SORT = { by: '', order: 'desc' } as const

interface RestoreButtonProps extends Pick<DeletedGridProps<never>, 'stale' | 'nouns' | 'q'> {
  name: Restore
  selection: GridSelection
  onDone: () => void
}

const RestoreButton = ({ name, stale, nouns: [one, many], selection, q, onDone }: RestoreButtonProps) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const restore = useApiMutation(organization.id, name, {
    invalidates: [...stale, 'getEngagementOverview' as const, 'listEngagementActivity' as const].map(
      (read) => [organization.id, read] as const,
    ),
    onSuccess: ({ data: { restored, skipped } }) => {
      const rest = skipped === 0 ? '' : ` ${skipped.toLocaleString('en')} exist again, or are not in the trash.`
      toast(`${restored === 1 ? `1 ${one}` : `${restored.toLocaleString('en')} ${many}`} restored.${rest}`)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const body =
    selection.kind === 'ids'
      ? { ids: [...selection.ids] }
      : { filter: { engagementId: engagement.id, ...(q && { q }) } }
  return (
    <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ body })}>
      Restore
    </Button>
  )
}
