import { hunksBetween, linesOf } from './line-changes.ts'

/** Consecutive lines with the same change type. */
export interface Passage {
  type: 'same' | 'added' | 'removed'
  lines: string[]
}

/** The difference between two texts, from first line to last: removed lines precede the lines that replace them. */
export const differenceOf = (before: string, after: string): Passage[] => {
  const lines = linesOf(before)
  const passages: Passage[] = []
  const add = (type: Passage['type'], part: readonly string[]) => {
    if (part.length > 0) passages.push({ type, lines: [...part] })
  }
  let at = 0
  for (const { from, to, lines: renewed } of hunksBetween(lines, linesOf(after))) {
    add('same', lines.slice(at, from))
    add('removed', lines.slice(from, to))
    add('added', renewed)
    at = to
  }
  add('same', lines.slice(at))
  return passages
}
