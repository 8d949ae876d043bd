import { useEffect, useRef } from 'react'

/** Handles Ctrl+S and Ctrl+Enter on the whole request page, but not while a dialog is open. */
export const useRequestKeys = (keys: { onSave: () => void; onSend: () => void }): void => {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || document.querySelector('[role="dialog"]'))
        return
      const act =
        event.key === 'Enter'
          ? latest.current.onSend
          : event.key.toLowerCase() === 's'
            ? latest.current.onSave
            : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
