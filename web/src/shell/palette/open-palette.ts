const EVENT = 'sortie:open-palette'

/** Opens the command palette from anywhere. */
export const openPalette = (): void => {
  window.dispatchEvent(new Event(EVENT))
}

/** @returns unsubscribe function */
export const onOpenPalette = (listener: () => void): (() => void) => {
  window.addEventListener(EVENT, listener)
  return () => window.removeEventListener(EVENT, listener)
}
