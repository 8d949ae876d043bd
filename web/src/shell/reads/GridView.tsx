import { useState } from 'react'
import { isRefused, messageOf } from '../../api/api.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { FilterError } from '../../ui/filters/filter-error.ts'
import type { GridProps } from '../../ui/grid/grid-props.ts'
import { Grid } from '../../ui/grid/Grid.tsx'
import { useHeldRows } from '../../ui/grid/rows/use-held-rows.ts'
import { Fill } from '../../ui/page/Fill.tsx'
import { SavedViews } from '../views/SavedViews.tsx'
import type { ViewList } from '../views/view-list.ts'
import { QueryView } from './QueryView.tsx'
import { usePreviewHref } from './use-grid-page.ts'

type GridViewProps<Row> = GridProps<Row> & {
  /** The list whose filters and sort can be saved as views. */
  views?: ViewList
}

/** Shown instead of rows if the filters are refused. */
const NOTHING = {}

/** A grid, or its replacement while no rows are loaded or can be. */
export const GridView = <Row,>({ views, ...props }: GridViewProps<Row>) => {
  const [viewId, setViewId] = useState<string>()
  const held = useHeldRows(props.list, props.rowKey)
  const { query } = props.list
  const hrefOf = usePreviewHref()
  // A filter with a typing error is corrected in place: the list around it stays.
  const refused =
    props.filters && query.data === undefined && isRefused(query.error, 'BAD_REQUEST', 'VALIDATION_ERROR')
      ? messageOf(query.error)
      : undefined
  return (
    <Fill>
      <FilterError value={refused}>
        <QueryView
          query={refused === undefined ? query : { ...query, data: NOTHING, error: null }}
          skeleton={<ListSkeleton rows={10} height={32} />}
        >
          {() => (
            <Grid
              {...props}
              {...held}
              {...(props.peek && { hrefOf })}
              {...(refused !== undefined && {
                empty: <EmptyState title="The filter is not valid">{refused}</EmptyState>,
              })}
              {...(views && { views: <SavedViews list={views} chosenId={viewId} onChoose={setViewId} /> })}
            />
          )}
        </QueryView>
      </FilterError>
    </Fill>
  )
}
