import { useWindowEvent } from '@mantine/hooks'
import { useLayoutEffect, useRef } from 'react'

/** Open dialogs, in the order in which they opened. */
const opened: object[] = []

/**
 * Calls back when Escape belongs to this dialog: it has the focus, or no dialog has and it opened last. One press
 * reaches only one dialog.
 */
export const useEscape = (isOpened: boolean, surface: () => Element | null, onEscape: () => void): void => {
  const own = useRef({}).current
  useLayoutEffect(() => {
    if (!isOpened) return undefined
    opened.push(own)
    return () => {
      opened.splice(opened.indexOf(own), 1)
    }
  }, [isOpened, own])
  const listen = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !isOpened) return
    // An open list or menu inside it closes first.
    if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return
    const holder = document.activeElement?.closest('[role="dialog"]')
    if (holder ? holder !== surface() : opened.at(-1) !== own) return
    event.preventDefault()
    onEscape()
  }
  useWindowEvent('keydown', listen, { capture: true })
}
