import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef } from 'react'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { levelsOf, type PageSummary, useWiki } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import { useDragPage } from './use-drag-page.ts'

interface PageTreeProps {
  /** Depth first. */
  pages: readonly PageSummary[]
  /** The open page: a long tree scrolls to it. */
  openId: string | undefined
}

/** Longer trees render only the pages in view, to keep the page fast. */
const MAX_WHOLE = 300
const MAX_LEVEL = 8
const ENTRY_PX = 32

/** Pages of a wiki as links, indented by level. */
export const PageTree = memo(({ pages, openId }: PageTreeProps) => {
  if (pages.length > MAX_WHOLE) return <LongTree pages={pages} openId={openId} />
  const levels = levelsOf(pages)
  return (
    <ul className={classes.entries}>
      {pages.map((page) => (
        <li key={page.id} className={classes.entry} data-level={levelOf(levels, page)}>
          <Entry page={page} pages={pages} />
        </li>
      ))}
    </ul>
  )
})

const LongTree = ({ pages, openId }: PageTreeProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ENTRY_PX,
    getItemKey: (index) => pages[index]?.id ?? index,
    overscan: 10,
  })
  const levels = levelsOf(pages)
  useEffect(() => {
    const place = pages.findIndex(({ id }) => id === openId)
    if (place >= 0) virtual.scrollToIndex(place)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- keeps the user's scroll position when others add pages
  }, [openId])
  return (
    // Scrollable regions must be reachable by keyboard.
    <div ref={scroller} className={classes.longTree} role="region" aria-label={`${pages.length} pages`} tabIndex={0}>
      <ul className={classes.entries} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const page = pages[index]
          return (
            page && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.entry}
                data-level={levelOf(levels, page)}
                aria-setsize={pages.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Entry page={page} pages={pages} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

const Entry = ({ page, pages }: { page: PageSummary; pages: readonly PageSummary[] }) => {
  const { addressOf } = useWiki()
  const element = useRef<HTMLDivElement>(null)
  const { place, isDragged } = useDragPage(element, page, pages)
  return (
    <div ref={element} className={classes.place} data-place={place} data-dragged={isDragged || undefined}>
      <PlainLink to={addressOf(page.id)} className={classes.entryLink} isExact>
        {page.title}
      </PlainLink>
    </div>
  )
}

const levelOf = (levels: ReadonlyMap<string, number>, { id }: PageSummary): number =>
  Math.min(levels.get(id) ?? 1, MAX_LEVEL)
