import { Skeleton } from '@mantine/core'
import { TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { STATUS_LABELS } from '../labels.tsx'
import classes from './board.module.css'

/** Placeholder of the columns while they load. */
export const BoardSkeleton = () => (
  <div className={classes.board}>
    {TASK_STATUSES.map((status) => (
      <section key={status} className={classes.column} aria-label={STATUS_LABELS[status]} aria-busy>
        <h2 className={classes.heading}>{STATUS_LABELS[status]}</h2>
        <Skeleton height={78} mx={8} my={3} width="auto" role="status" aria-label="Loading" />
      </section>
    ))}
  </div>
)
