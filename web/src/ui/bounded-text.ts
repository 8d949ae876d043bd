/** Quotes and lists within each other that are shown as such. */
const MAX_DEPTH = 100
/** Pieces of one part of a text: paragraphs, words in bold, cells. */
const MAX_NODES = 20_000

/** What begins a quote or an item of a list, with the blanks before it. */
const CONTAINER = /^[ \t]{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/

/** The line below the heads of a table. */
const DELIMITERS = /^[ \t:|-]+$/

/**
 * Whether reading a text would take long already: a line opens more quotes and lists within each other than are shown as
 * such, which is deep recursion, or a table has too many cells. Its short rows get all of them.
 */
export const isTooComplex = (text: string): boolean => {
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

interface CountedNode {
  type: string
  /** Of a table: one for each column. */
  align?: unknown[]
  children?: CountedNode[]
}

/** Where Markdown was read: ends it when there is more than a page can show. */
export const requireFewNodes =
  () =>
  (tree: CountedNode): void => {
    let count = 0
    const waiting = [tree]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      count += node.type === 'table' ? (node.align?.length ?? 0) * (node.children?.length ?? 0) : 1
      if (count > MAX_NODES) throw new Error(`The text has more than ${MAX_NODES} pieces.`)
      if (node.children) waiting.push(...node.children)
    }
  }
