import { useEffect, useRef } from 'react'
import { isWithin } from '../commands/is-within.ts'

interface GridKeys {
  /** Moves by this many rows; `extend` selects the rows in between. */
  onMove: (by: number, extend: boolean) => void
  onFirst: () => void
  onLast: () => void
  /** Space: toggles the preview. */
  onPeek: () => void
  onOpen: () => void
  onToggle: () => void
  /** Alt with an arrow: moves the row itself. */
  onReorder: ((by: -1 | 1) => void) | undefined
  onEscape: () => boolean
}

/** Elements in which keys have another meaning. */
const ELSEWHERE =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"], [role="combobox"]'
/** Elements that handle Enter and Space themselves. */
const PRESSED = 'button, a, summary, [role="checkbox"], [role="separator"]'

const PAGE = 15

/** Grid keys work on the whole page, unless another element handles them: J and K, arrows, Space, Enter, X, Escape. */
export const useGridKeys = (keys: GridKeys): void => {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
      if (event.altKey && !current.current.onReorder) return
      if (isWithin(event, ELSEWHERE) || document.querySelector('[data-app-dialog] [role="dialog"]')) return
      if ((event.key === 'Enter' || event.key === ' ') && isWithin(event, PRESSED)) return
      if (handle(current.current, event)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** @returns true if the grid handled the key */
const handle = (keys: GridKeys, { key, shiftKey, altKey }: KeyboardEvent): boolean => {
  if (altKey) {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    keys.onReorder?.(key === 'ArrowUp' ? -1 : 1)
    return true
  }
  const step = STEPS[key]
  if (step !== undefined) keys.onMove(step, shiftKey)
  else if (key === 'Home') keys.onFirst()
  else if (key === 'End') keys.onLast()
  else if (key === ' ') keys.onPeek()
  else if (key === 'Enter') keys.onOpen()
  else if (key === 'x') keys.onToggle()
  else return key === 'Escape' && keys.onEscape()
  return true
}

const STEPS: Record<string, number> = {
  j: 1,
  J: 1,
  ArrowDown: 1,
  k: -1,
  K: -1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
}
