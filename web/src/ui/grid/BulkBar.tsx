import { Button, CloseButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { capitalised } from '../text/capitalised.ts'
import { reachFromBottom, useMeasured } from '../use-measured.ts'
import classes from './BulkBar.module.css'
import type { GridSelection } from './rows/selection.ts'

interface BulkBarProps {
  selection: GridSelection
  total: number | null | undefined
  noun: string
  /** All loaded rows are selected, and there are more. */
  canSelectAll: boolean
  onSelectAll: () => void
  onClear: () => void
  children: ReactNode
}

const NUMBER = new Intl.NumberFormat('en')

/** Actions on the selected rows. */
export const BulkBar = ({ selection, total, noun, canSelectAll, onSelectAll, onClear, children }: BulkBarProps) => {
  const all =
    total === null || total === undefined ? `all ${noun} that match` : `all ${NUMBER.format(total)} ${noun} that match`
  const bar = useRef<HTMLDivElement>(null)
  useMeasured(bar, '--app-selection-reach', reachFromBottom)
  return (
    <div ref={bar} className={classes.bulk} role="toolbar" aria-label="Selection">
      <span role="status">
        {selection.kind === 'all'
          ? `${capitalised(all)} are selected`
          : `${NUMBER.format(selection.ids.size)} selected`}
      </span>
      {canSelectAll && (
        <Button variant="subtle" size="compact-sm" onClick={onSelectAll}>
          Select {all}
        </Button>
      )}
      {children}
      <CloseButton size="sm" aria-label="Clear selection" onClick={onClear} />
    </div>
  )
}
