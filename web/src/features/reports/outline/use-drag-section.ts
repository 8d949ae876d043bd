import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ReportSection } from '../../../domain/reports/report-words.tsx'
import { releaseLink } from '../../../ui/lists/release-link.ts'
import type { Side } from './use-sections.ts'

/** Makes a section draggable before or after another one. */
export const useDragSection = (
  element: RefObject<HTMLElement | null>,
  section: ReportSection,
  isOn: boolean,
  move: (section: ReportSection, side: Side, other: ReportSection) => void,
) => {
  const [place, setPlace] = useState<Side>()
  const [isDragged, setDragged] = useState(false)
  const latest = useRef({ section, move })
  latest.current = { section, move }
  useEffect(() => {
    const { current } = element
    if (!current || !isOn) return undefined
    releaseLink(current)
    const sideAt = (clientY: number): Side => {
      const { top, height } = current.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element: current,
        getInitialData: () => ({ section: latest.current.section }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: current,
        canDrop: ({ source }) => {
          const dragged = sectionOf(source.data)
          return dragged !== undefined && dragged.id !== latest.current.section.id
        },
        onDrag: ({ location }) => setPlace(sideAt(location.current.input.clientY)),
        onDragLeave: () => setPlace(undefined),
        onDrop: ({ source, location }) => {
          setPlace(undefined)
          const dragged = sectionOf(source.data)
          if (dragged) latest.current.move(dragged, sideAt(location.current.input.clientY), latest.current.section)
        },
      }),
    )
  }, [element, isOn])
  return { place, isDragged }
}

const sectionOf = (data: Record<string | symbol, unknown>): ReportSection | undefined =>
  data['section'] as ReportSection | undefined
