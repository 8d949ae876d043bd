import { Grid, type GridProps } from '../ui/grid/Grid.tsx'
import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import classes from './GridView.module.css'
import { QueryView } from './QueryView.tsx'

/** A grid with what stands in its place while nothing has been read, or nothing can be. */
export const GridView = <Row,>(props: GridProps<Row>) => (
  <div className={classes.fill}>
    <QueryView query={props.list.query} skeleton={<ListSkeleton rows={10} height={32} />}>
      {() => <Grid {...props} />}
    </QueryView>
  </div>
)
