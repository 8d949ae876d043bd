import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef } from 'react'

type Place = (id: string, to: number) => void

/**
 * Drags a piece of evidence by its handle, and accepts others above or below it.
 *
 * @param place puts the piece with this id before a place of the list; absent for a reader
 */
export const useDraggedEvidence = (
  id: string,
  index: number,
  place: Place | undefined,
): { item: RefObject<HTMLLIElement | null>; handle: RefObject<HTMLButtonElement | null> } => {
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const latest = useRef({ index, place })
  latest.current = { index, place }
  const isOn = place !== undefined
  useEffect(() => {
    const element = item.current
    if (!isOn || !element || !handle.current) return undefined
    const isBelow = (clientY: number): boolean => {
      const { top, height } = element.getBoundingClientRect()
      return clientY >= top + height / 2
    }
    const show = (side: 'above' | 'below' | undefined) => {
      if (side) element.dataset['drop'] = side
      else delete element.dataset['drop']
    }
    return combine(
      draggable({ element, dragHandle: handle.current, getInitialData: () => ({ evidence: id }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data['evidence'] === 'string' && source.data['evidence'] !== id,
        onDrag: ({ location }) => show(isBelow(location.current.input.clientY) ? 'below' : 'above'),
        onDragLeave: () => show(undefined),
        onDrop: ({ source, location }) => {
          show(undefined)
          const at = latest.current.index + (isBelow(location.current.input.clientY) ? 1 : 0)
          latest.current.place?.(source.data['evidence'] as string, at)
        },
      }),
    )
  }, [id, isOn])
  return { item, handle }
}
