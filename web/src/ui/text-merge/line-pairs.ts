import { diffArrays } from 'diff'

/** A line of two texts, next to each other; undefined where one of them has none. */
export interface LinePair {
  before: string | undefined
  after: string | undefined
  isSame: boolean
}

/** Time limit of the diff. Beyond it, all lines count as changed. */
const MAX_MS = 200

/** Aligns the lines of two texts: what was removed is next to what was added in its place. */
export const pairsOf = (before: string, after: string): LinePair[] => {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const parts = diffArrays(old, now, { timeout: MAX_MS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ]
  const pairs: LinePair[] = []
  let [removed, added]: [string[], string[]] = [[], []]
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ before: removed[at], after: added[at], isSame: false })
    ;[removed, added] = [[], []]
  }
  for (const part of parts) {
    if (part.removed) removed.push(...part.value)
    else if (part.added) added.push(...part.value)
    else {
      flush()
      for (const line of part.value) pairs.push({ before: line, after: line, isSame: true })
    }
  }
  flush()
  return pairs
}
