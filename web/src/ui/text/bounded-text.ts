/** Maximum nesting of quotes and lists to render. */
const MAX_DEPTH = 100
/** Maximum nodes per part of a text: paragraphs, bold text, cells. */
const MAX_NODES = 20_000

/** Start of a quote or a list item, with leading spaces. */
const CONTAINER = /^[ \t]{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/

/** Delimiter row of a table. */
const DELIMITERS = /^[ \t:|-]+$/

/**
 * True if parsing would already take too long: a line nests more quotes and lists than are rendered, which means deep
 * recursion, or a table has too many cells. Short rows of a table are padded to all of its columns.
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
  /** For a table: one entry per column. */
  align?: unknown[]
  children?: CountedNode[]
}

/** Aborts parsing if there are more nodes than a page can render. */
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
