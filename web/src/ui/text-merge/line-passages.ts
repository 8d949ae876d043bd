import { pairsOf } from './line-pairs.ts'

interface LinePassage {
  type: 'same' | 'added' | 'removed'
  lines: string[]
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 3

/** Lines that were added, removed or stayed; long unchanged parts are cut. */
export const passagesOf = (before: string, after: string): LinePassage[] => {
  const passages: LinePassage[] = []
  const add = (type: LinePassage['type'], lines: readonly string[]) => {
    if (lines.length === 0) return
    const last = passages.at(-1)
    if (last?.type === type) last.lines.push(...lines)
    else passages.push({ type, lines: [...lines] })
  }
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    add('removed', removed)
    add('added', added)
    removed = []
    added = []
  }
  // A text that was empty has no line, not an empty one.
  for (const pair of pairsOf(before, after)) {
    if (pair.isSame) {
      flush()
      add('same', [pair.before ?? ''])
    } else {
      if (pair.before !== undefined && before !== '') removed.push(pair.before)
      if (pair.after !== undefined && after !== '') added.push(pair.after)
    }
  }
  flush()
  return passages.map((passage, index) =>
    passage.type === 'same'
      ? { ...passage, lines: shortened(passage.lines, index === 0, index === passages.length - 1) }
      : passage,
  )
}

const shortened = (lines: string[], isFirst: boolean, isLast: boolean): string[] => {
  const head = isFirst ? 0 : CONTEXT
  const tail = isLast ? 0 : CONTEXT
  if (lines.length <= head + tail + 1) return lines
  return [...lines.slice(0, head), '…', ...lines.slice(lines.length - tail)]
}
