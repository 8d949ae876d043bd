import { hunksBetween, linesOf } from './line-changes.ts'

/** Lines one after the other that have one fate. */
export interface Passage {
  type: 'same' | 'added' | 'removed'
  lines: string[]
}

/** What became of a text, from its first line to its last: what was removed stands before what came in its place. */
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
