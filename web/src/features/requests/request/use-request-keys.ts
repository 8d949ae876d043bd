import { useEffect, useRef } from 'react'

/** Ctrl+S and Ctrl+Enter anywhere on the page of a request, but not behind a dialog. */
export const useRequestKeys = (keys: { onSave: () => void; onSend: () => void }): void => {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || document.querySelector('[role="dialog"]')) return
      const act = event.key === 'Enter' ? latest.current.onSend : event.key.toLowerCase() === 's' ? latest.current.onSave : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
