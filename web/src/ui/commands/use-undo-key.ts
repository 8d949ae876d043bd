import { useEffect } from 'react'
import { undoLast } from '../toasts/toast-with-undo.tsx'
import { isWithin } from './is-within.ts'
import { TYPING } from './use-shortcuts.ts'

/** Ctrl+Z and Cmd+Z undo the newest change, except where text is edited: there the browser undoes what was typed. */
export const useUndoKey = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
      if (!isUndo || event.repeat || event.defaultPrevented || isWithin(event, TYPING)) return
      if (undoLast()) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
