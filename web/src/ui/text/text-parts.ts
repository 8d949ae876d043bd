/** Characters that render within a few milliseconds. */
const PART_LENGTH = 8_000
/** The slowest text of this length takes about half a second. */
const MAX_LENGTH = 2 * PART_LENGTH
/** Table rows are separate short texts: a table of this length stays whole. */
const MAX_TABLE_LENGTH = 4 * PART_LENGTH
const ROW = /^ {0,3}\|/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Opening mark of a code fence. */
export interface Fence {
  signs: string
  line: string
}

/**
 * Splits a long text at blank lines outside of fenced code, or anywhere if necessary: a paragraph of half a megabyte
 * would block the page. Split code continues as code. A short text stays whole.
 */
export const partsOf = (text: string): string[] => {
  if (text.length <= PART_LENGTH) return [text]
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  let fence: Fence | undefined
  for (const line of text.split('\n')) {
    fence = fenceAfter(fence, line)
    for (const piece of fence ? [line] : piecesOf(line)) {
      part.push(piece)
      length += piece.length + 1
      const max = ROW.test(piece) ? MAX_TABLE_LENGTH : MAX_LENGTH
      if (length < max && (length < PART_LENGTH || fence || piece.trim() !== '')) continue
      parts.push([...part, ...(fence ? [fence.signs] : [])].join('\n'))
      part = fence ? [fence.line] : []
      length = 0
    }
  }
  return [...parts, part.join('\n')]
}

/** Fence that is open after a line. The same mark closes it, or a longer one, on a line with nothing else. */
export const fenceAfter = (open: Fence | undefined, line: string): Fence | undefined => {
  const [start = '', signs] = FENCE.exec(line) ?? []
  if (signs === undefined) return open
  const rest = line.slice(start.length)
  if (open) return signs.startsWith(open.signs) && rest.trim() === '' ? undefined : open
  return signs.startsWith('`') && rest.includes('`') ? undefined : { signs, line }
}

/** The line, or pieces of a very long line. */
const piecesOf = (line: string): string[] =>
  line.length <= PART_LENGTH
    ? [line]
    : Array.from({ length: Math.ceil(line.length / PART_LENGTH) }, (_, index) =>
        line.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH),
      )
