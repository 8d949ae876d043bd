import { useLayoutEffect, useRef } from 'react'

interface FocusOnOpenProps {
  /** Finds what takes the focus, from what it was opened by. */
  choose: (anchor: HTMLElement, openedBy: Element | null) => HTMLElement | null | undefined
}

/**
 * Inside of something that opens over the page: takes the focus while that is put on the page, so that a key pressed right after
 * the one that opened it is never lost, and gives it back when it closes.
 */
export const FocusOnOpen = ({ choose }: FocusOnOpenProps) => {
  const anchor = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const surface = anchor.current?.parentElement
    if (!anchor.current || !surface) return undefined
    const openedBy = document.activeElement
    choose(anchor.current, openedBy)?.focus({ preventScroll: true })
    return () => {
      const isInside = document.activeElement === document.body || surface.closest('[role]')?.contains(document.activeElement)
      if (isInside && openedBy instanceof HTMLElement) openedBy.focus({ preventScroll: true })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  }, [])
  return <span ref={anchor} hidden />
}
