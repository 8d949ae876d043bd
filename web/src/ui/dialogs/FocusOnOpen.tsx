import { useLayoutEffect, useRef } from 'react'

interface FocusOnOpenProps {
  /** Returns the element to focus, given the one that opened it. */
  choose: (anchor: HTMLElement, openedBy: Element | null) => HTMLElement | null | undefined
}

/**
 * Inside an overlay: moves focus while it mounts, so that a key pressed right after the opening one is not lost, and
 * restores focus on close.
 */
export const FocusOnOpen = ({ choose }: FocusOnOpenProps) => {
  const anchor = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const surface = anchor.current?.parentElement
    if (!anchor.current || !surface) return undefined
    const openedBy = document.activeElement
    choose(anchor.current, openedBy)?.focus({ preventScroll: true })
    return () => {
      const isInside =
        document.activeElement === document.body || surface.closest('[role]')?.contains(document.activeElement)
      if (isInside && openedBy instanceof HTMLElement) openedBy.focus({ preventScroll: true })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  }, [])
  return <span ref={anchor} hidden />
}
