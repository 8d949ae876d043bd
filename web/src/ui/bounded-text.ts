/** Quotes and lists within each other that are shown as such. */
const MAX_DEPTH = 100
/** Pieces of one part of a text: paragraphs, words in bold, cells. */
const MAX_NODES = 20_000

/** What begins a quote or an item of a list, with the blanks before it. */
const CONTAINER = /^[ \t]{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/

/** Whether a line opens more quotes and lists within each other than are shown as such: reading them is deep recursion. */
export const isTooDeep = (text: string): boolean => text.split('\n').some((line) => depthOf(line) > MAX_DEPTH)

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

/** Where Markdown was read: ends it when there is more than a page can show. Short rows of a table get all its cells. */
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
