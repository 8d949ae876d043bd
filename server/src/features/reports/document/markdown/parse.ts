import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { reportSyntax, reportTree } from './extension.ts'

/** Maximum nesting of quotes, lists, bold text and links: a PDF cannot show more. */
const MAX_DEPTH = 20
/** A list has two nodes for each level. */
const MAX_NODE_DEPTH = 2 * MAX_DEPTH + 5
/** Maximum nodes of a text: paragraphs, bold text, cells. */
const MAX_NODES = 50_000
/** Maximum marks of a paragraph that may belong together: finding out takes the square of their number. */
const MAX_MARKS = 500

/** Start of a quote or a list item, with leading spaces. */
const CONTAINER = /^[ \t]{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/
/** Delimiter row of a table. */
const DELIMITERS = /^[ \t:|-]+$/

/**
 * Parses a text as the web interface does.
 *
 * @param withPlaceholders whether `{{name}}` is a placeholder; otherwise it is text
 * @returns undefined for a text that is too deeply nested, or has too many pieces, to format
 */
export const parseMarkdown = (text: string, withPlaceholders: boolean): Root | undefined => {
  if (isTooComplex(text)) return undefined
  const tree = fromMarkdown(text, {
    extensions: [gfm({ singleTilde: false }), reportSyntax(withPlaceholders)],
    mdastExtensions: [gfmFromMarkdown(), reportTree],
  })
  return isTooLarge(tree) ? undefined : tree
}

/** True if parsing would already take too long: short rows of a table are padded to all of its columns. */
const isTooComplex = (text: string): boolean => {
  let columns = 0
  let cells = 0
  let marks = 0
  let isFenced = false
  for (const line of text.split('\n')) {
    if (depthOf(line) > MAX_DEPTH) return true
    const written = line.trim()
    if (written === '') columns = 0
    else if (line.includes('|') && line.includes('-') && DELIMITERS.test(line)) columns = line.split('|').length - 1
    cells += columns
    if (written.startsWith('```') || written.startsWith('~~~')) isFenced = !isFenced
    // Cells and items are texts of their own.
    if (isFenced || written === '' || written.startsWith('|') || CONTAINER.test(line)) marks = 0
    if (!isFenced) marks += marksIn(line)
    if (cells > MAX_NODES || marks > MAX_MARKS) return true
  }
  return false
}

/** Brackets, and runs of the characters of bold and struck text. */
const marksIn = (line: string): number => {
  let count = 0
  let previous = ''
  for (const character of line) {
    if ('[]'.includes(character) || ('*_~'.includes(character) && character !== previous)) count++
    previous = character
  }
  return count
}

const depthOf = (line: string): number => {
  let rest = line
  let depth = 0
  for (let found = CONTAINER.exec(rest); found && depth <= MAX_DEPTH; found = CONTAINER.exec(rest)) {
    rest = rest.slice(found[0].length)
    depth++
  }
  return depth
}

const isTooLarge = (tree: Root): boolean => {
  let count = 0
  const waiting: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next
    count += 1
    if (count > MAX_NODES || depth > MAX_NODE_DEPTH) return true
    if ('children' in node) for (const child of node.children) waiting.push({ node: child, depth: depth + 1 })
  }
  return false
}
