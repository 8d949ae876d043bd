import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

/**
 * Accepts files dropped on an element, or anywhere in the window if no inner zone takes them.
 * @param zoneOf undefined: disabled
 * @returns true while files are dragged over it
 */
export const useDroppedFiles = (
  zoneOf: (() => HTMLElement | Window | null) | undefined,
  onFiles: (files: File[]) => void,
): boolean => {
  const [isOver, setOver] = useState(false)
  const isOn = zoneOf !== undefined
  const find = useEffectEvent(() => zoneOf?.() ?? null)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const zone = isOn ? find() : null
    if (!zone) return
    const over = (event: Event) => {
      if (event.defaultPrevented || !hasFiles(event as DragEvent)) return setOver(false)
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: Event) => {
      const to = (event as DragEvent).relatedTarget as Node | null
      if (to === null || (zone instanceof HTMLElement && !zone.contains(to))) setOver(false)
    }
    const drop = (event: Event) => {
      setOver(false)
      if (event.defaultPrevented || !hasFiles(event as DragEvent)) return
      event.preventDefault()
      take([...((event as DragEvent).dataTransfer?.files ?? [])])
    }
    const handlers = { dragover: over, dragleave: leave, drop }
    for (const [name, handler] of Object.entries(handlers)) zone.addEventListener(name, handler)
    return () => {
      for (const [name, handler] of Object.entries(handlers)) zone.removeEventListener(name, handler)
    }
  }, [isOn])
  return isOver
}

/** Text fields handle a paste themselves. */
const TYPED_INTO = 'input, textarea, [contenteditable]'

/** Accepts pasted files, such as screenshots, outside of text fields. */
export const usePastedFiles = (isOn: boolean, onFiles: (files: File[]) => void): void => {
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    if (!isOn) return
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (event.defaultPrevented || files.length === 0 || (event.target as Element | null)?.closest?.(TYPED_INTO))
        return
      event.preventDefault()
      take(files.map(named))
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isOn])
}

/** Clipboard images are all named `image.png`. */
const named = (file: File): File =>
  /^image\.\w+$/.test(file.name)
    ? new File(
        [file],
        `pasted-${new Date().toISOString().replace(/[-:]|\..*/g, '')}${file.name.slice('image'.length)}`,
        { type: file.type },
      )
    : file

/** The part of the page that contains an element: a preview, a dialog, otherwise the element. */
export const zoneAround = (element: RefObject<HTMLElement | null>) => (): HTMLElement | null =>
  element.current?.closest<HTMLElement>('aside, [role="dialog"]') ?? element.current
