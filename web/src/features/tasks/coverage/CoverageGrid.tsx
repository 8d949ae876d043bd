import { Text } from '@mantine/core'
import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Peek } from '../../../ui/grid/Peek.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import type { CheckOutcome } from '../labels.tsx'
import classes from './coverage.module.css'
import { CoverageMatrix } from './matrix/CoverageMatrix.tsx'
import { type Check, type Coverage, type Matrix, matrixOf, type Row, rowsOf, totalOf } from './matrix/matrix.ts'
import { type Cursor, useCursor } from './matrix/use-cursor.ts'
import { OutcomeBar, UnsavedOutcomes } from './outcomes/OutcomeBar.tsx'
import { useOutcomes } from './outcomes/use-outcomes.ts'

/** Loaded on demand: it contains Markdown and the fields of forms, which are large. */
const CheckPanel = lazyPart(() => import('./CheckPanel.tsx'), 'CheckPanel')

/** A pause of the cursor after which the panel follows, so that a held arrow key opens no panel for each cell. */
const FOLLOW_MS = 120

const NUMBER = new Intl.NumberFormat('en')

const KEYS = [
  ['pass', 'Pass', 'p'],
  ['fail', 'Fail', 'f'],
  ['not-applicable', 'Not applicable', 'n'],
  ['untested', 'Untested', 'u'],
  ['range', 'Select a range', 'Shift'],
  ['undo', 'Undo', 'Ctrl+Z'],
  ['redo', 'Redo', 'Ctrl+Shift+Z'],
] as const

interface CoverageGridProps {
  coverage: Coverage
  filter: string
  isReadOnly: boolean
  peek: string | undefined
  /** @param isFollowing the open panel moves to another check */
  onPeek: (taskId: string | undefined, isFollowing: boolean) => void
}

/** The matrix with its outcomes, set by key or button, and the panel of a check. */
export const CoverageGrid = ({ coverage, filter, isReadOnly, peek, onPeek }: CoverageGridProps) => {
  const grid = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const opened = coverage.cells.find(({ taskId }) => taskId === peek)
  const [undone, setUndone] = useState<readonly string[]>()
  const outcomes = useOutcomes(setUndone)
  const { unsaved } = outcomes
  const matrix = useMemo(() => matrixOf(coverage, unsaved.outcomes), [coverage, unsaved.outcomes])
  const rows = useMemo(() => rowsOf(coverage.items, folded, filter), [coverage.items, folded, filter])
  const cursor = useCursor(rows, matrix.columns, opened && { rowKey: opened.itemKey, columnId: opened.targetId ?? '' })
  const checks = selectedChecks(matrix, rows, cursor)
  const row = rows[cursor.at.row]
  const isSingle = !cursor.isRange && row?.kind === 'item'
  const current = isSingle ? checks[0] : undefined
  const currentId = current?.taskId
  const showUndone = useRef<(taskIds: readonly string[]) => void>(undefined)
  showUndone.current = ([taskId]) => {
    const cell = coverage.cells.find((each) => each.taskId === taskId)
    const place = {
      row: rows.findIndex(({ key }) => key === cell?.itemKey),
      column: matrix.columns.findIndex(({ id }) => id === (cell?.targetId ?? '')),
    }
    if (place.row >= 0 && place.column >= 0) cursor.move(place, false)
  }
  useEffect(() => {
    if (undone) showUndone.current?.(undone)
  }, [undone])

  useShortcuts(KEYS.map(([id, label, shortcut]) => ({ id: `matrix-${id}`, label, group: 'In the matrix', shortcut })))
  useEffect(() => {
    // Keys work at once, unless the focus is in a field or dialog already.
    if (document.activeElement === document.body || document.activeElement?.tagName === 'MAIN')
      grid.current?.focus({ preventScroll: true })
  }, [])
  const follow = useRef(onPeek)
  follow.current = onPeek
  useEffect(() => {
    if (peek === undefined || currentId === undefined || currentId === peek) return undefined
    const timer = setTimeout(() => follow.current(currentId, true), FOLLOW_MS)
    return () => clearTimeout(timer)
  }, [peek, currentId])

  const set = (outcome: CheckOutcome) => {
    outcomes.set(checks, outcome)
    const next = isSingle ? nextCheck(matrix, rows, cursor) : undefined
    if (next) cursor.move(next, false)
  }
  const open = () => {
    if (currentId !== undefined) onPeek(currentId, peek !== undefined)
  }
  const fold = ({ name, items }: Row & { kind: 'group' }) => {
    const group = items[0]?.group ?? name
    setFolded((before) => {
      const after = new Set(before)
      if (!after.delete(group)) after.add(group)
      return after
    })
  }
  return (
    <>
      <Status matrix={matrix} missing={coverage.missing} />
      <div className={classes.panes}>
        <div className={classes.frame}>
          <CoverageMatrix
            ref={grid}
            matrix={matrix}
            rows={rows}
            cursor={cursor}
            failed={unsaved.failed}
            isReadOnly={isReadOnly}
            onSet={set}
            onFold={fold}
            onOpen={open}
            onEscape={() => {
              if (peek === undefined) return false
              onPeek(undefined, false)
              return true
            }}
          />
          <UnsavedOutcomes {...outcomes} />
          {!isReadOnly && (
            <OutcomeBar
              selected={nameSelection(matrix, row, cursor, checks.length)}
              isDisabled={checks.length === 0}
              onSet={set}
              onOpen={current && open}
              outcomes={outcomes}
            />
          )}
        </div>
        {peek !== undefined && (
          <Peek onClose={() => onPeek(undefined, false)}>
            <Suspense fallback={<ListSkeleton rows={8} height={24} />}>
              <CheckPanel key={peek} taskId={peek} mayChange={!isReadOnly} />
            </Suspense>
          </Peek>
        )}
      </div>
    </>
  )
}

/** Totals, in words and as a bar. */
const Status = ({ matrix, missing }: { matrix: Matrix; missing: number }) => {
  const { sums } = matrix
  const total = totalOf(sums)
  return (
    <div className={classes.status}>
      <span className={classes.share} aria-hidden>
        {OUTCOMES.filter((outcome) => outcome !== 'untested').map((outcome) => (
          <span
            key={outcome}
            data-outcome={outcome}
            style={{ width: `${(100 * sums[outcome]) / Math.max(1, total)}%` }}
          />
        ))}
      </span>
      <Text size="sm" span className={classes.counts}>
        {sums.untested} untested, {sums.pass} passed, {sums.fail} failed, {sums.not_applicable} not applicable
        {missing > 0 && `; ${NUMBER.format(missing)} in scope without a task`}
      </Text>
    </div>
  )
}

/** On the row of a group, its checks in that column; in a range, only the visible checks. */
const selectedChecks = (matrix: Matrix, rows: readonly Row[], { at, range, isRange }: Cursor): Check[] => {
  const only = rows[at.row]
  const columns = matrix.columns.slice(range.from.column, range.to.column + 1)
  const items =
    !isRange && only?.kind === 'group'
      ? only.items
      : rows.slice(range.from.row, range.to.row + 1).flatMap((row) => (row.kind === 'item' ? row.item : []))
  return items.flatMap(({ key }) => columns.flatMap(({ id }) => matrix.checkAt(key, id) ?? []))
}

/** The check below; after the last one of a column, the first of the next. */
const nextCheck = (matrix: Matrix, rows: readonly Row[], { at }: Cursor) => {
  for (let column = at.column; column < matrix.columns.length; column++) {
    const id = matrix.columns[column]?.id ?? ''
    const from = column === at.column ? at.row + 1 : 0
    const row = rows.findIndex(
      (each, index) => index >= from && each.kind === 'item' && matrix.checkAt(each.key, id) !== undefined,
    )
    if (row >= 0) return { row, column }
  }
  return undefined
}

const nameSelection = (matrix: Matrix, row: Row | undefined, { at, isRange }: Cursor, count: number): string => {
  if (!row) return 'No check matches the filter'
  const column = matrix.columns[at.column]?.label ?? ''
  if (isRange || row.kind === 'group')
    return `${count === 1 ? '1 check' : `${count} checks`} selected${isRange ? '' : `: ${row.kind === 'group' ? row.name : ''} · ${column}`}`
  return count === 0 ? `${row.item.key} does not apply to ${column}` : `${row.item.key} ${row.item.title} · ${column}`
}
