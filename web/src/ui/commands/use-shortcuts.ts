import { useEffect, useRef } from 'react'
import { isWithin } from './is-within.ts'

/** Time limit for the second key of `g t`. */
const SEQUENCE_MS = 1_200

/** Letters, digits and signs: Escape, Enter, Tab and the arrows end a sequence and keep their own meaning. */
const IN_SEQUENCE = /^\S$/u

/** Keys that move: only these repeat while they are held. */
const MOVES = new Set(['j', 'k'])

/** Where letters are typed, or where something else takes them. */
export const TYPING =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]'

/**
 * Runs the command of a key, or of two keys in sequence; never while the user types, nor with Ctrl, Alt or Meta. The
 * second key of a sequence means nothing but the sequence: where there is no such one, nothing happens.
 */
export const useKeyBindings = (shortcuts: ReadonlyMap<string, () => void>): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const isMeant = (event: KeyboardEvent): boolean =>
      !(
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.isComposing ||
        event.key === 'Shift'
      ) && !isWithin(event, TYPING)
    // Before every other listener: a list takes X and J for itself.
    const onSecond = (event: KeyboardEvent) => {
      const begun = first
      if (begun === undefined || event.key === 'Shift') return
      first = undefined
      if (event.timeStamp - begun.at >= SEQUENCE_MS || !isMeant(event) || !IN_SEQUENCE.test(event.key)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      latest.current.get(`${begun.key} ${event.key.toLowerCase()}`)?.()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isMeant(event)) return
      const key = event.key.toLowerCase()
      if (event.repeat && !MOVES.has(key)) return
      if ([...latest.current.keys()].some((shortcut) => shortcut.startsWith(`${key} `)))
        first = { key, at: event.timeStamp }
      const run = latest.current.get(key)
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onSecond, { capture: true })
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onSecond, { capture: true })
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
