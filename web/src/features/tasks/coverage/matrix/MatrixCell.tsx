import { memo } from 'react'
import { type CheckOutcome, OUTCOME_LABELS } from '../../labels.tsx'
import classes from './matrix.module.css'
import { SIGNS } from './Sums.tsx'

interface MatrixCellProps {
  row: number
  column: number
  /** Grid column and `aria-colindex`. */
  place: number
  /** Undefined: the item does not apply to the target. */
  outcome: CheckOutcome | undefined
  isFailed: boolean
  isActive: boolean
  isSelected: boolean
}

export const cellId = (row: number, column: number) => `check-${row}-${column}`

/** One check. Only the cells that change are rendered again. */
export const MatrixCell = memo(({ row, column, place, outcome, isFailed, isActive, isSelected }: MatrixCellProps) => (
  <span
    role="gridcell"
    id={cellId(row, column)}
    aria-colindex={place}
    aria-selected={isSelected}
    className={classes.cell}
    style={{ gridColumnStart: place }}
    data-row={row}
    data-column={column}
    data-active={isActive || undefined}
    data-failed={isFailed || undefined}
    title={isFailed ? 'Not saved' : undefined}
  >
    {outcome && (
      <span className={classes.outcome} data-outcome={outcome}>
        <span aria-hidden>{outcome === 'untested' ? '' : SIGNS[outcome]}</span>
        <span className="visually-hidden">
          {OUTCOME_LABELS[outcome]}
          {isFailed && ', not saved'}
        </span>
      </span>
    )}
  </span>
))
