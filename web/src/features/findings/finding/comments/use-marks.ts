import { type MouseEvent, type RefObject, useEffect, useRef } from 'react'
import type { Comment } from '../../../../shell/comments/comment-parent.ts'
import type { Finding } from '../../labels.ts'
import { SECTIONS } from '../texts/sections.ts'
import { rangesOf } from './text-ranges.ts'

/** Names of the highlights, which the style sheet gives their colours. */
const MARK = 'comment'
const ACTIVE = 'comment-active'

/**
 * Marks the quotes of open comments in the rendered texts, without changing them (CSS Custom Highlight API). A browser
 * without it shows the quotes only next to the comments.
 *
 * @returns a handler of clicks on the texts, which activates the comment of a mark
 */
export const useMarks = (
  texts: RefObject<HTMLElement | null>,
  finding: Finding,
  open: readonly Comment[],
  active: Comment | undefined,
  activate: (id: string) => void,
) => {
  const marked = useRef(new Map<string, Range>())
  useEffect(() => {
    const element = texts.current
    if (!element) return undefined
    const mark = () => {
      marked.current = markedRanges(element, finding, open)
      show(marked.current, active?.id)
    }
    // A long text is rendered in parts.
    const observer = new MutationObserver(mark)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      observer.disconnect()
      show(new Map(), undefined)
    }
  }, [texts, finding, open, active?.id])
  useEffect(() => {
    if (active) marked.current.get(active.id)?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return ({ clientX, clientY }: MouseEvent) => {
    if (document.getSelection()?.isCollapsed === false) return
    const at = document.caretPositionFromPoint?.(clientX, clientY)
    if (!at) return
    for (const [id, range] of marked.current) if (range.isPointInRange(at.offsetNode, at.offset)) return activate(id)
  }
}

const markedRanges = (element: HTMLElement, finding: Finding, open: readonly Comment[]): Map<string, Range> => {
  const ranges = new Map<string, Range>()
  for (const section of SECTIONS) {
    const text = element.querySelector<HTMLElement>(`[data-text="${section}"]`)
    const comments = open.flatMap(({ id, anchor, textChanged }) =>
      anchor?.section === section && !textChanged ? [{ id, quote: anchor.quote }] : [],
    )
    if (!text || comments.length === 0) continue
    const shown = rangesOf(
      text,
      finding[section],
      comments.map(({ quote }) => quote),
    )
    for (const [index, { id }] of comments.entries()) {
      const range = shown[index]
      if (range) ranges.set(id, range)
    }
  }
  return ranges
}

const show = (ranges: ReadonlyMap<string, Range>, activeId: string | undefined): void => {
  if (!('highlights' in CSS)) return
  CSS.highlights.set(MARK, new Highlight(...ranges.values()))
  const active = activeId === undefined ? undefined : ranges.get(activeId)
  CSS.highlights.set(ACTIVE, active ? new Highlight(active) : new Highlight())
}
