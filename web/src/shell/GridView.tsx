import { useState } from 'react'
import { Grid, type GridProps } from '../ui/grid/Grid.tsx'
import { useHeldRows } from '../ui/grid/use-held-rows.ts'
import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import { Fill } from './Fill.tsx'
import { QueryView } from './QueryView.tsx'
import { SavedViews, type ViewList } from './views/SavedViews.tsx'

type GridViewProps<Row> = GridProps<Row> & {
  /** The list whose filters and sort can be saved as views. */
  views?: ViewList
}

/** A grid with its loading and error states. */
export const GridView = <Row,>({ views, ...props }: GridViewProps<Row>) => {
  const [viewId, setViewId] = useState<string>()
  const held = useHeldRows(props.list, props.rowKey)
  return (
    <Fill>
      <QueryView query={props.list.query} skeleton={<ListSkeleton rows={10} height={32} />}>
        {() => <Grid {...props} {...held} {...(views && { views: <SavedViews list={views} chosenId={viewId} onChoose={setViewId} /> })} />}
      </QueryView>
    </Fill>
  )
}
