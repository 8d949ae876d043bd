import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Rect, Size } from './drawing/marks.ts'

/** Canvases of browsers on phones have at most 16 million pixels. */
const MAX_CANVAS_PIXELS = 16_000_000
const MAX_ZOOM = 8
const ZOOM_STEP = 1.5
/** A small picture is shown at most this large. */
const MAX_FIT = 3
/** Around the picture, in pixels of the page. */
const MARGIN = 24

export interface StageSize {
  frame: RefObject<HTMLDivElement | null>
  /** Pixels of the page for each of the picture. */
  scale: number
  zoom: number
  zoomBy: (steps: 1 | -1) => void
  /** The part of the picture that is seen. */
  seen: () => Rect
}

/** How large the picture is shown: as the page has place for it, or enlarged within a frame that scrolls. */
export const useStage = ({ width, height }: Size): StageSize => {
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Size>({ width: 0, height: 0 })
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => {
      const { width: wide, height: high } = element.getBoundingClientRect()
      setPlace({ width: wide, height: high })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const fit = Math.max(0.01, Math.min((place.width - MARGIN) / width, (place.height - MARGIN) / height, MAX_FIT))
  const most = Math.sqrt(MAX_CANVAS_PIXELS / (width * height)) / Math.max(1, window.devicePixelRatio)
  const scale = Math.min(fit * zoom, most)
  return {
    frame,
    scale,
    zoom,
    zoomBy: (steps) => setZoom((now) => Math.max(1, Math.min(MAX_ZOOM, now * ZOOM_STEP ** steps))),
    seen: () => {
      const element = frame.current
      if (!element) return { x: 0, y: 0, width, height }
      const [x, y] = [element.scrollLeft / scale, element.scrollTop / scale]
      return {
        x,
        y,
        width: Math.min(width - x, element.clientWidth / scale),
        height: Math.min(height - y, element.clientHeight / scale),
      }
    },
  }
}
