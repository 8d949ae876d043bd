import { Button } from '@mantine/core'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { SeverityLabel } from '../../../../domain/SeverityLabel.tsx'
import { useShortcuts } from '../../../../ui/commands/commands.ts'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import type { GridRows } from '../../../../ui/grid/rows/use-rows.ts'
import { OutcomeLabel, type Retest, type RetestItem } from '../retest-words.tsx'
import classes from '../retests.module.css'
import { one as route } from '../retests.routes.ts'
import { ItemDetail } from './ItemDetail.tsx'
import type { Started } from './proof/run-item.ts'

interface WorkListProps {
  retest: Retest
  list: GridRows<RetestItem>
  /** Only items without an outcome are listed. */
  isLeftOnly: boolean
  mayChange: boolean
}

/** The next window is read before the last loaded item is reached. */
const READ_AHEAD = 20

/** The items by finding, and the open one next to them. */
export const WorkList = ({ retest, list, isLeftOnly, mayChange }: WorkListProps) => {
  const navigate = route.useNavigate()
  const { item: wanted } = route.useSearch()
  const [runs, setRuns] = useState<ReadonlyMap<string, Started>>(new Map())
  const items = list.rows
  const found = items.findIndex(({ id }) => id === wanted)
  // With only those to do, an item leaves the list with its outcome: the next one has its place.
  const place = useRef(0)
  const index = found >= 0 ? found : Math.min(place.current, items.length - 1)
  place.current = Math.max(0, index)
  const active = items[index]
  const { hasMore, readMore } = list
  useEffect(() => {
    if (hasMore && index >= items.length - READ_AHEAD) readMore()
  }, [hasMore, index, items.length, readMore])
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // No return value: Chromium returns a promise, and React would call it as a cleanup.
    frame.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [index])
  const open = (item: RetestItem | undefined) => {
    if (item) void navigate({ search: (before) => ({ ...before, item: item.id }), replace: true })
  }
  const move = (by: number) => open(items[Math.max(0, Math.min(items.length - 1, index + by))])
  /** The next item to do below, or from the top. */
  const openNext = () =>
    open(items.slice(index + 1).find(isToDo) ?? items.slice(0, index).find(isToDo) ?? items[index + 1])
  useShortcuts([
    { id: 'item-next', label: 'Next item', group: 'This page', shortcut: 'j', run: () => move(1) },
    { id: 'item-before', label: 'Previous item', group: 'This page', shortcut: 'k', run: () => move(-1) },
  ])
  return (
    <div className={classes.work}>
      <div className={classes.side} ref={frame}>
        <Button.Group aria-label="Items shown">
          <Choice isChosen={!isLeftOnly} onClick={() => void navigate({ search: {}, replace: true })}>
            All items
          </Choice>
          <Choice
            isChosen={isLeftOnly}
            onClick={() => void navigate({ search: { left: true as const }, replace: true })}
          >
            To do ({retest.counts.none.toLocaleString('en')})
          </Choice>
        </Button.Group>
        <Items items={items} activeId={active?.id} onOpen={open} />
        {hasMore && (
          <Button variant="default" size="xs" loading={list.isReading} onClick={readMore}>
            Show more
          </Button>
        )}
      </div>
      {active ? (
        <ItemDetail
          key={active.id}
          retest={retest}
          item={active}
          mayChange={mayChange}
          started={runs.get(active.id)}
          onStarted={(started) => setRuns((before) => new Map(before).set(active.id, started))}
          onOutcome={isLeftOnly ? () => undefined : openNext}
          onReturn={() => open(active)}
        />
      ) : (
        <EmptyState title="Nothing left to do">Every item has an outcome.</EmptyState>
      )}
    </div>
  )
}

/** Not a radio: in one, letters would not be commands. */
const Choice = ({ isChosen, onClick, children }: { isChosen: boolean; onClick: () => void; children: ReactNode }) => (
  <Button
    fullWidth
    size="compact-sm"
    variant={isChosen ? 'light' : 'default'}
    aria-pressed={isChosen}
    onClick={onClick}
  >
    {children}
  </Button>
)

const isToDo = ({ outcome, finding }: RetestItem): boolean => outcome === null && finding.trashedAt === null

interface ItemsProps {
  items: readonly RetestItem[]
  activeId: string | undefined
  onOpen: (item: RetestItem) => void
}

const Items = ({ items, activeId, onOpen }: ItemsProps) => (
  <ul className={classes.items} aria-label="Items">
    {items.map((item, index) => (
      <Fragment key={item.id}>
        {item.findingId !== items[index - 1]?.findingId && (
          <li className={classes.finding}>
            <SeverityLabel severity={item.finding.severity} />
            <span className={classes.cut} title={item.finding.title}>
              {item.finding.number} {item.finding.title}
            </span>
          </li>
        )}
        <li>
          <button
            type="button"
            className={classes.item}
            {...(item.id === activeId && { 'aria-current': true })}
            onClick={() => onOpen(item)}
          >
            <span className={`${classes.place} mono`}>{item.asset ?? 'The whole finding'}</span>
            <OutcomeLabel outcome={item.outcome} />
          </button>
        </li>
      </Fragment>
    ))}
  </ul>
)
