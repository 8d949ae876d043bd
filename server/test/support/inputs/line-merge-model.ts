/**
 * A model of three-way merging line by line, for texts whose lines are all different and never change their order: the
 * fate of each base line is obvious then, and no comparison of texts is needed. A base of n lines has 2n+1 places:
 * before line 0, line 0, before line 1, ... and the end. A change covers all places between two unchanged lines, and
 * two changes touch if they share a place.
 */
export const mergeModel = (
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] | undefined => {
  const [my, their] = [changesOf(base, mine), changesOf(base, theirs)]
  for (const one of my) {
    for (const other of their) {
      const isApart = one.last < other.first || other.last < one.first
      if (!isApart && !isSame(one, other)) return undefined
    }
  }
  const merged: string[] = []
  for (let place = 0; place <= 2 * base.length; place++) {
    const change = [...my, ...their].find(({ first, last }) => first <= place && place <= last)
    if (change) {
      merged.push(...change.lines)
      place = change.last
    } else if (place % 2 === 1) merged.push(base[(place - 1) / 2] as string)
  }
  return merged
}

interface PlacedChange {
  /** The places that it covers. */
  first: number
  last: number
  lines: string[]
}

const changesOf = (base: readonly string[], changed: readonly string[]): PlacedChange[] => {
  const changes: PlacedChange[] = []
  /** After the last unchanged line, in both texts. */
  let [at, atChanged] = [0, 0]
  for (let line = 0; line <= base.length; line++) {
    const place = line === base.length ? changed.length : changed.indexOf(base[line] as string)
    if (place < 0) continue
    if (line > at || place > atChanged)
      changes.push({ first: 2 * at, last: 2 * line, lines: changed.slice(atChanged, place) })
    at = line + 1
    atChanged = place + 1
  }
  return changes
}

const isSame = (a: PlacedChange, b: PlacedChange): boolean =>
  a.first === b.first &&
  a.last === b.last &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, index) => line === b.lines[index])
