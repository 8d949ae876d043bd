import type { ReportSection } from '../../../domain/reports/report-words.tsx'

type Named = Pick<ReportSection, 'key'>

const documentOf = (frame: HTMLIFrameElement): Document | null => frame.contentDocument

/** The element that a section begins with: its `anchor` in report-data. */
const elementOf = (shown: Document, { key }: Named): HTMLElement | null => shown.getElementById(`section-${key}`)

const scrollerOf = (shown: Document): Element => shown.scrollingElement ?? shown.documentElement

const topOf = (shown: Document, element: HTMLElement): number =>
  element.getBoundingClientRect().top + scrollerOf(shown).scrollTop

/** Pixels that stay above a section that is shown. */
const MARGIN_PX = 16

/** Scrolls a frame to the beginning of a section. */
export const showSection = (frame: HTMLIFrameElement, section: Named): void => {
  const shown = documentOf(frame)
  const element = shown && elementOf(shown, section)
  if (element) scrollerOf(shown).scrollTop = topOf(shown, element) - MARGIN_PX
}

/**
 * Scrolls a frame to the place of the one before it, where text before the section may be longer now. A section that is
 * new in the document is shown from its beginning.
 */
export const keepPlace = (before: HTMLIFrameElement, frame: HTMLIFrameElement, section: Named): void => {
  const [old, shown] = [documentOf(before), documentOf(frame)]
  if (!old?.documentElement || !shown?.documentElement) return
  const element = elementOf(shown, section)
  const oldElement = elementOf(old, section)
  const { scrollTop } = scrollerOf(old)
  if (!element) scrollerOf(shown).scrollTop = scrollTop
  else if (!oldElement) showSection(frame, section)
  else scrollerOf(shown).scrollTop = scrollTop - topOf(old, oldElement) + topOf(shown, element)
}

/** Why the server did not answer with a document. */
export const refusalIn = (frame: HTMLIFrameElement): string | undefined => {
  const shown = documentOf(frame)
  if (shown?.contentType !== 'application/json') return undefined
  try {
    const answer = JSON.parse(shown.body.textContent ?? '') as { error?: { message?: unknown }; message?: unknown }
    const message = answer.error?.message ?? answer.message
    return typeof message === 'string' ? message : 'The preview could not be read.'
  } catch {
    return 'The preview could not be read.'
  }
}
