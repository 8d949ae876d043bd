import { type KeyboardEvent, useRef } from 'react'

/** Up and Down move focus between the field and the hits. */
export const useArrowKeys = <E extends HTMLElement>() => {
  const ref = useRef<E>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || event.nativeEvent.isComposing) return
    const stops = [...(ref.current?.querySelectorAll<HTMLElement>('input[type="search"], [data-hit]') ?? [])]
    const at = stops.indexOf(document.activeElement as HTMLElement)
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (at < 0 || !next) return
    event.preventDefault()
    next.focus()
  }
  return { ref, onKeyDown }
}
