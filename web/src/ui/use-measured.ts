import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps a length of an element as a CSS variable of the page while the element is shown, for what makes way for it.
 *
 * @param measure pixels; the same function at every render
 */
export const useMeasured = (
  element: RefObject<HTMLElement | null>,
  variable: `--${string}`,
  measure: (element: HTMLElement) => number,
): void => {
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const { style } = document.documentElement
    const update = () => style.setProperty(variable, `${measure(current)}px`)
    const observer = new ResizeObserver(update)
    observer.observe(current)
    window.addEventListener('resize', update)
    update()
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', update)
      style.removeProperty(variable)
    }
  }, [element, variable, measure])
}

export const heightOf = (element: HTMLElement): number => element.offsetHeight

/** From the element's upper edge to the lower one of the window. */
export const reachFromBottom = (element: HTMLElement): number =>
  Math.ceil(window.innerHeight - element.getBoundingClientRect().top)
