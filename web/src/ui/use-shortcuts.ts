import { useEffect, useRef } from 'react'
import { isWithin } from './is-within.ts'

/** Time limit for the second key of `g t`. */
const SEQUENCE_MS = 1_200

/** Text fields, and elements that handle keys themselves. */
const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]'

/** Runs the action of a key or a two-key sequence; never while the user types, nor with Ctrl, Alt or Meta. */
export const useShortcuts = (shortcuts: ReadonlyMap<string, () => void>): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key === 'Shift' || isWithin(event, TYPING)) return
      const key = event.key.toLowerCase()
      const isSecond = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS
      const ofBoth = isSecond ? latest.current.get(`${first?.key} ${key}`) : undefined
      const run = ofBoth ?? latest.current.get(key)
      // A key that completed no sequence can start one: Enter, then `g n`.
      first = ofBoth ? undefined : { key, at: event.timeStamp }
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
