import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { releaseLink } from '../../../ui/lists/release-link.ts'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { ancestorsOf, type PageSummary, useWiki } from '../wiki-tree.tsx'

/** Where a dropped page goes: next to a page, or below it. */
type DropPlace = 'before' | 'after' | 'below'

/** Parts of an entry's height for before and after it. */
const EDGE = 0.28

/** Makes a page draggable to another place of the tree. "Move" in its menu does the same by key. */
export const useDragPage = (
  element: RefObject<HTMLElement | null>,
  page: PageSummary,
  pages: readonly PageSummary[],
) => {
  const { mayWrite } = useWiki()
  const [place, setPlace] = useState<DropPlace>()
  const [isDragged, setDragged] = useState(false)
  const move = useMove()
  const latest = useRef({ page, pages, move })
  latest.current = { page, pages, move }
  useEffect(() => {
    const { current } = element
    if (!current || !mayWrite) return undefined
    releaseLink(current)
    const placeOf = (clientY: number): DropPlace => {
      const { top, height } = current.getBoundingClientRect()
      const part = (clientY - top) / height
      return part < EDGE ? 'before' : part > 1 - EDGE ? 'after' : 'below'
    }
    return combine(
      draggable({
        element: current,
        getInitialData: () => ({ page: latest.current.page }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: current,
        canDrop: ({ source }) => {
          const dragged = pageOf(source.data)
          const { page: own, pages: all } = latest.current
          // Neither onto itself nor below itself.
          return (
            dragged !== undefined &&
            dragged.id !== own.id &&
            !ancestorsOf(all, own.id).some(({ id }) => id === dragged.id)
          )
        },
        onDrag: ({ location }) => setPlace(placeOf(location.current.input.clientY)),
        onDragLeave: () => setPlace(undefined),
        onDrop: ({ source, location }) => {
          setPlace(undefined)
          const dragged = pageOf(source.data)
          if (dragged)
            latest.current.move(
              dragged,
              latest.current.page,
              placeOf(location.current.input.clientY),
              latest.current.pages,
            )
        },
      }),
    )
  }, [element, mayWrite])
  return { place, isDragged }
}

const pageOf = (data: Record<string | symbol, unknown>): PageSummary | undefined =>
  data['page'] as PageSummary | undefined

/** Moves a page; a toast moves it back to where it was. */
const useMove = () => {
  const { organizationId } = useWiki()
  const move = useApiMutation(organizationId, 'moveWikiPage', {
    invalidates: [
      [organizationId, 'listWikiPages'],
      [organizationId, 'getWikiPage'],
    ],
    onError: (error) => toastError(messageOf(error)),
  })
  return (dragged: PageSummary, target: PageSummary, place: DropPlace, pages: readonly PageSummary[]) => {
    const params = { pageId: dragged.id }
    const siblings = pages.filter(({ parentId }) => parentId === dragged.parentId)
    const next = siblings[siblings.findIndex(({ id }) => id === dragged.id) + 1]
    const former = { parentId: dragged.parentId, ...(next && { beforeId: next.id }) }
    const body =
      place === 'below'
        ? { parentId: target.id }
        : { parentId: target.parentId, ...(place === 'before' ? { beforeId: target.id } : { afterId: target.id }) }
    move.mutate(
      { params, body },
      { onSuccess: () => toastWithUndo(`Moved ${dragged.title}.`, () => move.mutate({ params, body: former })) },
    )
  }
}
