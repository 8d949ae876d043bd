import type { InlineValue } from '@sortie/contract/reports/report-data.ts'

/**
 * Characters that every reader's fonts show: Latin, Greek, Cyrillic, Chinese, Japanese, Korean, Arabic, Hebrew and
 * Devanagari, with the marks and punctuation that they share. A PDF brings its own fonts, and marks what they lack.
 */
const SHOWN =
  /[[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{sc=Zinh}[\p{sc=Zyyy}&&[\u0000-\uffff]]]--[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Emoji_Presentation}\ufe00-\ufe0f]]/v
/** Joiners of Arabic and Hindi, soft hyphens, and breaks of lines. */
const KEPT = new Set(['\t', '\n', '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060'])
/** Select a variant of the character before; readers miss nothing without them. */
const DROPPED = /[\ufe00-\ufe0f\ufeff\r]/u
/** Text of these characters only, the usual case, is not searched. */
const PLAIN = /^[\n\t\u0020-\u007e\u00a0-\u024f\u2010-\u2027\u2030-\u203a]*$/

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const isShown = (character: string): boolean => KEPT.has(character) || SHOWN.test(character)

/**
 * Splits a text at the characters that no font shows.
 *
 * @param onMark called with the code of each
 */
export const splitMarks = (text: string, onMark: (code: string) => void): (string | { code: string })[] => {
  if (PLAIN.test(text)) return text === '' ? [] : [text]
  const parts: (string | { code: string })[] = []
  let open = ''
  for (const character of text) {
    if (DROPPED.test(character)) continue
    if (isShown(character)) {
      open += character
      continue
    }
    if (open !== '') parts.push(open)
    open = ''
    const code = codeOf(character)
    onMark(code)
    parts.push({ code })
  }
  return open === '' ? parts : [...parts, open]
}

/** A line or a code block, with `[U+E000]` in place of characters that no font shows. */
export const plainText = (text: string, onMark: (code: string) => void): string =>
  splitMarks(text, onMark)
    .map((part) => (typeof part === 'string' ? part : `[${part.code}]`))
    .join('')

/** A text as pieces of a paragraph. */
export const inlineText = (text: string, onMark: (code: string) => void): InlineValue[] =>
  splitMarks(text, onMark).map((part) =>
    typeof part === 'string' ? { type: 'text', text: part } : { type: 'mark', code: part.code, text: `[${part.code}]` },
  )
