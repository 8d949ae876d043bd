import { type TextChange, changesBetween } from './text-changes.ts'

/** A passage that two users changed in different ways. */
export interface Passage {
  mine: string
  theirs: string
}

/**
 * Merges two changes of one text, in order. Lines that are equal or changed by one side become text; lines that both
 * changed become a passage to choose from.
 */
export const piecesOf = (base: string, mine: string, theirs: string): (string | Passage)[] => {
  const [my, their] = [changesBetween(base, mine), changesBetween(base, theirs)]
  const pieces: (string | Passage)[] = []
  let at = 0
  for (;;) {
    const first = Math.min(my[0]?.from ?? Infinity, their[0]?.from ?? Infinity)
    if (first === Infinity) return [...pieces, base.slice(at)]
    const touched = extractOverlapping(first, my, their)
    pieces.push(base.slice(at, first), chosen(touched, base))
    at = touched.to
  }
}

interface Touched {
  from: number
  to: number
  mine: TextChange[]
  theirs: TextChange[]
}

/** Changes from a position on without an unchanged line between them. Removes them from the lists. */
const extractOverlapping = (from: number, my: TextChange[], their: TextChange[]): Touched => {
  const touched: Touched = { from, to: from, mine: [], theirs: [] }
  for (;;) {
    const next = [my, their].find(([change]) => change !== undefined && change.from <= touched.to)
    const change = next?.shift()
    if (!change) return touched
    touched[next === my ? 'mine' : 'theirs'].push(change)
    touched.to = Math.max(touched.to, change.to)
  }
}

const chosen = ({ from, to, mine, theirs }: Touched, base: string): string | Passage => {
  const applied = (changes: readonly TextChange[]): string => {
    let text = ''
    let at = from
    for (const change of changes) {
      text += base.slice(at, change.from) + change.insert
      at = change.to
    }
    return text + base.slice(at, to)
  }
  const passage = { mine: applied(mine), theirs: applied(theirs) }
  if (theirs.length === 0 || passage.mine === passage.theirs) return passage.mine
  return mine.length === 0 ? passage.theirs : passage
}
