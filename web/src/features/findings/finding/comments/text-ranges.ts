import { SECTIONS, type Section } from '../texts/sections.ts'
import { lettersOf, placeOf, shownLettersOf, type SelectedWords } from './quotes.ts'

/** The rendered text of a section below its heading. */
export const TEXT = '[data-text]'

/** A selection within one section. */
export interface Selected extends SelectedWords {
  section: Section
  range: Range
}

const isSection = (name: string | undefined): name is Section => SECTIONS.some((section) => section === name)

const textAround = (node: Node): HTMLElement | null =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(TEXT) ?? null

/** What is selected in the texts; a selection that goes on behind its section ends with it. */
export const selectedIn = (texts: HTMLElement): Selected | undefined => {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0).cloneRange()
  const text = textAround(range.startContainer)
  const section = text?.dataset['text']
  if (!text || !texts.contains(text) || !isSection(section)) return undefined
  if (textAround(range.endContainer) !== text) range.setEnd(text, text.childNodes.length)
  const words = range.toString()
  if (words.trim() === '') return undefined
  const before = document.createRange()
  before.setStart(text, 0)
  before.setEnd(range.startContainer, range.startOffset)
  const after = document.createRange()
  after.setStart(range.endContainer, range.endOffset)
  after.setEnd(text, text.childNodes.length)
  return { section, range, words, before: before.toString(), after: after.toString() }
}

interface RenderedLetters {
  text: string
  at: { node: Text; offset: number }[]
}

const lettersWithin = (element: HTMLElement): RenderedLetters => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const at: RenderedLetters['at'] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const letters = lettersOf((node as Text).data)
    text += letters.text
    for (const offset of letters.at) at.push({ node: node as Text, offset })
  }
  return { text, at }
}

/** Where quotes of a section are shown. @param source the Markdown of the section */
export const rangesOf = (element: HTMLElement, source: string, quotes: readonly string[]): (Range | undefined)[] => {
  const shown = lettersWithin(element)
  return quotes.map((quote) => {
    const start = source.indexOf(quote)
    if (start < 0) return undefined
    const letters = shownLettersOf(quote).text
    const place = placeOf(shown.text, {
      letters,
      before: shownLettersOf(source.slice(0, start)).text,
      after: shownLettersOf(source.slice(start + quote.length)).text,
    })
    const first = place === undefined ? undefined : shown.at[place]
    const last = place === undefined ? undefined : shown.at[place + letters.length - 1]
    if (!first || !last) return undefined
    const range = document.createRange()
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + 1)
    return range
  })
}
