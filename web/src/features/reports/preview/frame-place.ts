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

/** Where a frame is scrolled to, in pixels below the beginning of a section; else of the document. */
export const placeIn = (frame: HTMLIFrameElement, section: Named): number | undefined => {
  const shown = documentOf(frame)
  if (!shown?.documentElement) return undefined
  const element = elementOf(shown, section)
  return scrollerOf(shown).scrollTop - (element ? topOf(shown, element) : 0)
}

/** Scrolls a frame to the place of another one, where text before the section may be longer now. */
export const keepPlace = (frame: HTMLIFrameElement, section: Named, place: number): void => {
  const shown = documentOf(frame)
  if (!shown?.documentElement) return
  const element = elementOf(shown, section)
  scrollerOf(shown).scrollTop = place + (element ? topOf(shown, element) : 0)
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
