import type { CommentParent } from '../comment-parent.ts'

/** A text that comments can quote. */
export interface QuotableText {
  /** As anchors name it. */
  name: string
  label: string
  text: string
}

/** An object whose texts are reviewed, in their order. */
export interface Quotable {
  parent: CommentParent
  /** The object as a whole, as in "The whole finding". */
  whole: string
  texts: readonly QuotableText[]
  /** Comments can be on a whole text, without words of it. */
  allowsWholeText?: boolean
}

/** Longest quote, in characters: that of the endpoint. */
export const MAX_QUOTE = 5_000

/** Words to comment on; a new object for each time. */
export interface WantedQuote {
  /** Name of the text; empty: the whole object. */
  section: string
  quote: string
  isSuggestion: boolean
}

const startOfWordBefore = (source: string, from: number): number => {
  let start = source.slice(0, from).trimEnd().length
  while (start > 0 && !/\s/.test(source[start - 1] as string)) start--
  return start
}

/** Where a quote begins: earlier than its words if they occur before, because the first place of a quote counts. */
export const startOfQuote = (source: string, from: number, to: number): number => {
  let start = from
  while (source.indexOf(source.slice(start, to)) < start) start = startOfWordBefore(source, start)
  return start
}
