import { type Hunk, hunksBetween, linesOf } from './line-changes.ts'

/**
 * Merges two changes of one text line by line. Changes overlap if no unchanged line separates them; a change that both
 * sides made is applied once.
 *
 * @returns undefined if changes overlap and differ
 */
export const mergeTexts = (base: string, mine: string, theirs: string): string | undefined => {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const lines = linesOf(base)
  const hunks = mergeHunks(hunksBetween(lines, linesOf(mine)), hunksBetween(lines, linesOf(theirs)))
  return hunks && apply(lines, hunks).join('\n')
}

/** @returns the hunks of both in order; undefined if two overlap and differ */
const mergeHunks = (mine: readonly Hunk[], theirs: readonly Hunk[]): Hunk[] | undefined => {
  const merged: Hunk[] = []
  let [m, t] = [0, 0]
  for (;;) {
    const [my, their] = [mine[m], theirs[t]]
    if (!my || !their) return [...merged, ...mine.slice(m), ...theirs.slice(t)]
    const [isMyTurn, isTheirTurn] = [my.to < their.from, their.to < my.from]
    if (!isMyTurn && !isTheirTurn && !isSame(my, their)) return undefined
    merged.push(isTheirTurn ? their : my)
    // Equal hunks of both are consumed together.
    if (!isTheirTurn) m++
    if (!isMyTurn) t++
  }
}

const isSame = (a: Hunk, b: Hunk): boolean =>
  a.from === b.from &&
  a.to === b.to &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, index) => line === b.lines[index])

const apply = (lines: readonly string[], hunks: readonly Hunk[]): string[] => {
  const result: string[] = []
  let at = 0
  for (const { from, to, lines: renewed } of hunks) {
    for (; at < from; at++) result.push(lines[at] as string)
    for (const line of renewed) result.push(line)
    at = to
  }
  for (; at < lines.length; at++) result.push(lines[at] as string)
  return result
}
