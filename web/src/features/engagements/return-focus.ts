import { useEffect } from 'react'

let wanted: string | undefined

/** What opened a page gets the focus back when that page is left. */
export const returnFocusTo = (name: string): void => {
  wanted = name
}

/** On the page that is shown then: `name` is the `data-focus` of an element. */
export const useReturnedFocus = (): void => {
  useEffect(() => {
    if (wanted === undefined) return
    document.querySelector<HTMLElement>(`[data-focus="${wanted}"]`)?.focus()
    wanted = undefined
  }, [])
}

/** For the first field of a page that was opened to be filled in. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()
