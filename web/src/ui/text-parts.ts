/** Characters that are rendered within a few milliseconds. */
const PART_LENGTH = 8_000
/** The worst text of this length takes half a second. */
const MAX_LENGTH = 2 * PART_LENGTH
/** Rows are short texts each: a table of this length stays whole. */
const MAX_TABLE_LENGTH = 4 * PART_LENGTH
const ROW = /^ {0,3}\|/
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** Cuts a long text at blank lines outside of fenced code, or where it must be. A short one stays whole. */
export const partsOf = (text: string): string[] => {
  if (text.length <= PART_LENGTH) return [text]
  const parts: string[] = []
  let part: string[] = []
  let length = 0
  let isFenced = false
  for (const line of text.split('\n').flatMap(piecesOf)) {
    if (FENCE.test(line)) isFenced = !isFenced
    part.push(line)
    length += line.length + 1
    // What has no place to be cut is cut all the same: one paragraph of half a megabyte would stop the page.
    const max = ROW.test(line) ? MAX_TABLE_LENGTH : MAX_LENGTH
    if ((length >= PART_LENGTH && line.trim() === '' && !isFenced) || length >= max) {
      parts.push(part.join('\n'))
      part = []
      length = 0
    }
  }
  return [...parts, part.join('\n')]
}

/** A line as it is, or of a very long one pieces. */
const piecesOf = (line: string): string[] =>
  line.length <= PART_LENGTH
    ? [line]
    : Array.from({ length: Math.ceil(line.length / PART_LENGTH) }, (_, index) => line.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH))
