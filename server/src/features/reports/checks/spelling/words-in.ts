import type { Nodes, Root } from 'mdast'
import { parseMarkdown } from '../../document/markdown/parse.ts'

/** In place of code, placeholders and references: a word that touches one is not checked. */
const GAP = '0'
/** Letters of a word: longer runs are data, which no dictionary has. */
const MAX_LETTERS = 80

/** Spaces, dashes and ellipses, at which words end. */
const BETWEEN = /[\s\u2013\u2014\u2026]+/u
const PUNCTUATION = /^[\p{P}\p{S}]$/u
const WORD = /^[\p{L}\p{M}'\u2019-]+$/u
/** Zero-width characters, soft hyphens and marks of direction. */
const UNSEEN = /\p{Cf}+/gu
/** `API`, `APIs`. */
const ABBREVIATION = /^(?:\P{Ll}+|\p{Lu}{2,}s)$/u
/** `JavaScript`, `OAuth`: a name of a product, or of something in code. */
const IDENTIFIER = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u
const LATIN = /\p{Script=Latin}/u

/** A text that people wrote. */
export interface SpelledText {
  text: string
  /** Whether code, references and links in it are not words. */
  isMarkdown: boolean
  /** Whether `{{name}}` is a placeholder. */
  hasPlaceholders: boolean
}

/**
 * The distinct words of a text that are checked: not code, placeholders, references, addresses, host names, paths,
 * identifiers and abbreviations. Parts of a word with hyphens are words of their own, after the whole.
 *
 * @returns for each word, what must be known: the whole, or all of its parts
 */
export const wordsIn = ({ text, isMarkdown, hasPlaceholders }: SpelledText, isLatin: boolean): string[] => {
  const found = new Set<string>()
  for (const line of isMarkdown ? linesOf(text, hasPlaceholders) : [text])
    for (const piece of line.normalize('NFC').split(BETWEEN)) {
      const word = inner(piece.replace(UNSEEN, ''))
      if (word !== '' && WORD.test(word) && (!isLatin || LATIN.test(word))) found.add(word)
    }
  return [...found]
}

/** A text without the punctuation around it. Not by an expression: that would take the square of its length. */
const inner = (text: string): string => {
  const characters = [...text]
  const isPart = (character: string) => !PUNCTUATION.test(character)
  const start = characters.findIndex(isPart)
  return start < 0 ? '' : characters.slice(start, characters.findLastIndex(isPart) + 1).join('')
}

/** The parts of a word with hyphens, without those that are not checked. */
export const partsOf = (word: string): string[] =>
  word.split('-').filter((part) => part.length > 1 && !ABBREVIATION.test(part) && !IDENTIFIER.test(part))

/** Whether a dictionary can have the word. */
export const isLookedUp = (word: string): boolean => word.length <= MAX_LETTERS

/** One text for each paragraph, heading and cell. A text that is too complex to format is shown as code. */
const linesOf = (text: string, hasPlaceholders: boolean): string[] => {
  const lines: string[] = []
  const waiting: Nodes[] = [parseMarkdown(text, hasPlaceholders) ?? ({ type: 'root', children: [] } satisfies Root)]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') lines.push(wordsOf(node))
    else if ('children' in node) waiting.push(...node.children.toReversed())
  }
  return lines
}

const wordsOf = (node: Nodes): string => {
  switch (node.type) {
    case 'text':
      return node.value
    case 'break':
      return ' '
    case 'image':
    case 'imageReference':
      return ` ${node.alt ?? ''} `
    case 'inlineCode':
    case 'reportWritten':
      return GAP
    case 'footnoteReference':
      return ''
    default:
      return 'children' in node ? node.children.map(wordsOf).join('') : ''
  }
}
