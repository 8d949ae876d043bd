/** A problem of a Word template, for its owner. */
export interface TemplateProblem {
  level: 'error' | 'warning'
  message: string
  /** The part of the file: `word/document.xml`. */
  file: string
  tag: string | null
  /** The words around the tag. */
  context: string | null
  /** From 1. */
  paragraph: number | null
  /** What would fit instead. */
  fits: string | null
}

/** The names that are closest to one that is wrong: at most a third of its letters differ. */
export const closest = (name: string, names: readonly string[]): string[] =>
  names
    .map((each) => ({ each, distance: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance: letters }) => letters <= Math.ceil(name.length / 3))
    .toSorted((a, b) => a.distance - b.distance || (a.each < b.each ? -1 : 1))
    .slice(0, 3)
    .map(({ each }) => each)

/** Levenshtein's distance of two words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
