import { useEffect, useRef } from 'react'
import { isWithin } from './is-within.ts'

/** How long after the first key of `g t` the second may come. */
const SEQUENCE_MS = 1_200

/** Where letters are typed, or where something else takes them. */
const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]'

/** Runs what a key, or two keys one after the other, stand for; never while somebody types, nor with Ctrl, Alt or Meta. */
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
      // What ended no sequence may begin one: Enter, and `g n` right after it.
      first = ofBoth ? undefined : { key, at: event.timeStamp }
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
