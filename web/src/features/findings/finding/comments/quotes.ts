import { MAX_QUOTE, startOfQuote } from '../../../../shell/comments/quotes/quotable.ts'

/** Letters and digits of a text: what its Markdown and its rendered form have in common. */
export interface Letters {
  text: string
  /** Offset of each in the text. */
  at: number[]
}

const LETTER = /[\p{L}\p{N}]/u
/** Letters of context that are compared, where words occur more than once. */
const CONTEXT = 300
export const lettersOf = (text: string): Letters => {
  const at: number[] = []
  let letters = ''
  for (let offset = 0; offset < text.length;) {
    const letter = String.fromCodePoint(text.codePointAt(offset) as number)
    if (LETTER.test(letter)) {
      letters += letter
      for (let unit = 0; unit < letter.length; unit++) at.push(offset + unit)
    }
    offset += letter.length
  }
  return { text: letters, at }
}

const LINK_TARGET = /\]\([^()\n]*\)/g

/** Letters of Markdown that are shown: those of a link's address are not. Offsets are those of the whole text. */
export const shownLettersOf = (markdown: string): Letters =>
  lettersOf(markdown.replaceAll(LINK_TARGET, (target) => `]${' '.repeat(target.length - 1)}`))

interface Surrounded {
  letters: string
  before: string
  after: string
}

/** Where letters occur; of several places the one with the same surroundings. */
export const placeOf = (text: string, { letters, before, after }: Surrounded): number | undefined => {
  if (letters === '') return undefined
  let best: { place: number; score: number } | undefined
  for (let place = text.indexOf(letters); place >= 0; place = text.indexOf(letters, place + 1)) {
    const score = sameBefore(text, place, before) + sameAfter(text, place + letters.length, after)
    if (!best || score > best.score) best = { place, score }
  }
  return best?.place
}

const sameBefore = (text: string, end: number, before: string): number => {
  let same = 0
  while (
    same < CONTEXT &&
    same < end &&
    same < before.length &&
    text[end - 1 - same] === before[before.length - 1 - same]
  )
    same++
  return same
}

const sameAfter = (text: string, start: number, after: string): number => {
  let same = 0
  while (same < CONTEXT && same < after.length && text[start + same] === after[same]) same++
  return same
}

/** Words that were selected in the rendered text, with what is before and after them. */
export interface SelectedWords {
  words: string
  before: string
  after: string
}

/**
 * The Markdown of selected words. Longer where the same words occur earlier in the text, because the first place of a
 * quote counts.
 * @returns undefined for words that are not in the text, such as those of an embed, and for too many
 */
export const quoteOf = (source: string, { words, before, after }: SelectedWords): string | undefined => {
  const letters = lettersOf(words)
  const all = shownLettersOf(source)
  const place = placeOf(all.text, {
    letters: letters.text,
    before: lettersOf(before).text,
    after: lettersOf(after).text,
  })
  if (place === undefined) return undefined
  let from = all.at[place] as number
  let to = (all.at[place + letters.text.length - 1] as number) + 1
  const lead = words.slice(0, letters.at[0]).trimStart()
  if (lead !== '' && source.slice(0, from).endsWith(lead)) from -= lead.length
  const trail = words.slice((letters.at.at(-1) as number) + 1).trimEnd()
  if (trail !== '' && source.startsWith(trail, to)) to += trail.length
  ;[from, to] = balanced(source, from, to)
  from = startOfQuote(source, from, to)
  return to - from > MAX_QUOTE ? undefined : source.slice(from, to)
}

const MARKS = ['**', '__', '~~', '`', '*', '_'] as const
const LINK_END = /^\]\([^()\n]*\)/

/** Includes the other half of a mark, so that `a **word` becomes `a **word**`. */
const balanced = (source: string, start: number, end: number): [number, number] => {
  let from = start
  let to = end
  for (const mark of MARKS) {
    if ((source.slice(from, to).split(mark).length - 1) % 2 === 0) continue
    if (source.startsWith(mark, to)) to += mark.length
    else if (source.slice(0, from).endsWith(mark)) from -= mark.length
  }
  const quote = source.slice(from, to)
  if (quote.lastIndexOf('[') > quote.lastIndexOf(']')) to += LINK_END.exec(source.slice(to))?.[0].length ?? 0
  else if (quote.includes('](') && !quote.includes('[') && source[from - 1] === '[') from--
  return [from, to]
}
