import { useEffect } from 'react'

let wanted: string | undefined

/** Remembers the element that opened a page, to return focus when the page closes. */
export const returnFocusTo = (name: string): void => {
  wanted = name
}

/** Restores focus on the next page: `name` is the `data-focus` of an element. */
export const useReturnedFocus = (): void => {
  useEffect(() => {
    if (wanted === undefined) return
    document.querySelector<HTMLElement>(`[data-focus="${wanted}"]`)?.focus()
    wanted = undefined
  }, [])
}

/** Focuses the first field of a page that opens as a form. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()
