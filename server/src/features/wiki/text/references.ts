import { codeRanges, type Range } from './code-ranges.ts'

/** A reference in a text, with its range. */
export interface Reference extends Range {
  /** `[[target]]`, or `[label](target)`; with or without an exclamation mark before it. */
  kind: 'page' | 'link'
  /** The target as written: a title, an id, or an address. */
  target: string
  /** The text in the brackets: for a link with the backslashes before its brackets, for a title with its blanks. */
  label: string
  /** Title of a link including the blanks before it, after the address: ` "title"`. Otherwise empty. */
  linkTitle: string
  isPicture: boolean
}

/** Longer texts are not titles. */
const MAX_TITLE = 400
/**
 * `[[Title]]`, or `[label](target)` with the target in angle brackets or without spaces, and an optional title. One
 * line each, of bounded length.
 */
const REFERENCE =
  /(!?)(?:\[\[([^[\]\n]{1,400})\]\]|\[((?:[^[\]\\\n]|\\.){0,400})\]\((?:<([^<>\n]{1,2000})>|([^\s()<>]{1,2000}))([ \t]{1,9}"[^"\n]{0,400}")?\))/g

/** The references of a Markdown text, in order. Code contains none, and a backslash before one disables it. */
export const referencesIn = (text: string): Reference[] => {
  const code = codeRanges(text)
  const found: Reference[] = []
  let c = 0
  for (const match of text.matchAll(REFERENCE)) {
    const [, mark, title, label = '', inAngles, plain, linkTitle = ''] = match
    // A backslash disables the `!` of an image, and leaves the link after it.
    const isPicture = mark === '!' && !isEscaped(text, match.index)
    const [from, to] = [match.index + (mark && !isPicture ? 1 : 0), match.index + match[0].length]
    while (c < code.length && (code[c] as Range).to <= from) c++
    if (c < code.length && (code[c] as Range).from < to) continue
    if (!mark && isEscaped(text, from)) continue
    const target = (title ?? inAngles ?? plain ?? '').trim()
    if (target === '' || (title !== undefined && target.length > MAX_TITLE)) continue
    found.push({
      from,
      to,
      kind: title === undefined ? 'link' : 'page',
      target,
      label: title ?? label,
      linkTitle,
      isPicture,
    })
  }
  return found
}

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** Rewrites references of a text; `undefined` leaves one as it is. */
export const rewriteReferences = (text: string, rewrite: (reference: Reference) => string | undefined): string => {
  const parts: string[] = []
  let at = 0
  for (const reference of referencesIn(text)) {
    const renewed = rewrite(reference)
    if (renewed === undefined) continue
    parts.push(text.slice(at, reference.from), renewed)
    at = reference.to
  }
  return parts.join('') + text.slice(at)
}
