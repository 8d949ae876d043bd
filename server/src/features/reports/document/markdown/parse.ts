import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { reportSyntax, reportTree } from './extension.ts'

/** Maximum nesting of quotes and lists. */
const MAX_DEPTH = 100
/** Maximum nodes of a text: paragraphs, bold text, cells. */
const MAX_NODES = 50_000

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
  return countNodes(tree) > MAX_NODES ? undefined : tree
}

/** True if parsing would already take too long: short rows of a table are padded to all of its columns. */
const isTooComplex = (text: string): boolean => {
  let columns = 0
  let cells = 0
  for (const line of text.split('\n')) {
    if (depthOf(line) > MAX_DEPTH) return true
    if (line.trim() === '') columns = 0
    else if (line.includes('|') && line.includes('-') && DELIMITERS.test(line)) columns = line.split('|').length - 1
    cells += columns
    if (cells > MAX_NODES) return true
  }
  return false
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

const countNodes = (tree: Root): number => {
  let count = 0
  const waiting: Nodes[] = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count += 1
    if ('children' in node) waiting.push(...node.children)
  }
  return count
}
