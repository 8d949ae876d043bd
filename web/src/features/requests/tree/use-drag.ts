import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { releaseLink } from '../../../ui/lists/release-link.ts'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { type RequestSummary, staleRequests, usePlace } from '../place.tsx'

/** Makes a request draggable into a folder. "Move" in its menu does the same by key. */
export const useDraggedRequest = (
  element: RefObject<HTMLElement | null>,
  request: RequestSummary,
  isMovable: boolean,
): boolean => {
  const [isDragged, setDragged] = useState(false)
  const latest = useRef(request)
  latest.current = request
  useEffect(() => {
    const { current } = element
    if (!current || !isMovable) return undefined
    releaseLink(current)
    return draggable({
      element: current,
      getInitialData: () => ({ request: latest.current }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [element, isMovable])
  return isDragged
}

/** Accepts requests that are dropped on a folder; null is the top. @returns whether one is above it */
export const useDropFolder = (
  element: RefObject<HTMLElement | null>,
  folderId: string | null,
  isMovable: boolean,
): boolean => {
  const [isOver, setOver] = useState(false)
  const move = useMoveRequest()
  const latest = useRef(move)
  latest.current = move
  useEffect(() => {
    const { current } = element
    if (!current || !isMovable) return undefined
    return dropTargetForElements({
      element: current,
      canDrop: ({ source }) => requestOf(source.data) !== undefined,
      // Only the innermost folder takes the request.
      onDropTargetChange: ({ location, self }) => setOver(location.current.dropTargets[0]?.element === self.element),
      onDragLeave: () => setOver(false),
      onDrop: ({ source, location, self }) => {
        setOver(false)
        const request = requestOf(source.data)
        if (request && request.folderId !== folderId && location.current.dropTargets[0]?.element === self.element)
          latest.current(request, folderId)
      },
    })
  }, [element, folderId, isMovable])
  return isOver
}

const requestOf = (data: Record<string | symbol, unknown>): RequestSummary | undefined =>
  data['request'] as RequestSummary | undefined

/** Moves a request to the end of a folder; a toast moves it back. */
const useMoveRequest = () => {
  const { organizationId } = usePlace()
  const move = useApiMutation(organizationId, 'moveApiRequest', {
    invalidates: staleRequests(organizationId),
    onError: (error) => toastError(messageOf(error)),
  })
  return ({ id, name, folderId: from }: RequestSummary, folderId: string | null) => {
    const to = (wanted: string | null) => ({ params: { requestId: id }, body: { folderId: wanted } })
    move.mutate(to(folderId), { onSuccess: () => toastWithUndo(`Moved ${name}.`, () => move.mutate(to(from))) })
  }
}
