import { diffArrays } from 'diff'

/** The lines `from` to `to` (exclusive) of one text become `lines` of the other. */
export interface Hunk {
  from: number
  to: number
  lines: readonly string[]
}

/** Texts that differ in most lines take quadratic time: beyond this they count as completely rewritten. */
const MAX_MS = 400
/** Changed lines, removed and added together. */
const MAX_EDITS = 20_000

/** Lines without their line feeds; a carriage return stays with its line, so that joining restores the text. */
export const linesOf = (text: string): string[] => text.split('\n')

/**
 * The edits that turn one text's lines into the other's, sorted and without overlaps. The smallest such list if it is
 * found in bounded time, else one hunk from the first differing line to the last.
 */
export const hunksBetween = (before: readonly string[], after: readonly string[]): Hunk[] => {
  const [start, end] = equalEnds(before, after)
  const [old, renewed] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (old.length === 0 && renewed.length === 0) return []
  const whole = [{ from: start, to: start + old.length, lines: renewed }]
  if (old.length === 0 || renewed.length === 0) return whole
  const parts = diffArrays(old, renewed, { timeout: MAX_MS, maxEditLength: MAX_EDITS })
  return parts ? toHunks(parts, start) : whole
}

/** Number of equal lines at the start and at the end. */
const equalEnds = (a: readonly string[], b: readonly string[]): [start: number, end: number] => {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [start, end]
}

const toHunks = (parts: readonly { added: boolean; removed: boolean; value: string[] }[], offset: number): Hunk[] => {
  const hunks: Hunk[] = []
  let at = offset
  let open: { from: number; to: number; lines: string[] } | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length
      open = undefined
      continue
    }
    if (!open) {
      open = { from: at, to: at, lines: [] }
      hunks.push(open)
    }
    if (added) for (const line of value) open.lines.push(line)
    else {
      at += value.length
      open.to = at
    }
  }
  return hunks
}
