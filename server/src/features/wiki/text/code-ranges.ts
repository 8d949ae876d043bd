/** A part of a text: `to` is exclusive. */
export interface Range {
  from: number
  to: number
}

const FENCE = /^(?:`{3,}|~{3,})/
/** Marks of quotes, lists and tasks that may precede a line's block. */
const CONTAINER = /^(?: {0,3}(?:>|[-+*]|\d{1,9}[.)])(?: |$))/
const INDENTED = /^(?: {4}|\t)/

/**
 * The code of a Markdown text: fenced blocks, indented blocks and spans between backticks. Sorted, without overlaps.
 * Takes linear time for any text.
 */
export const codeRanges = (text: string): Range[] => {
  const ranges: Range[] = []
  const backticks = backticksIn(text)
  let b = 0
  /** Ends a paragraph: the backticks since the previous end belong to its spans. */
  const endProse = (to: number) => {
    const first = b
    while (b < backticks.length && (backticks[b] as Run).at < to) b++
    if (b > first) addSpans(backticks.slice(first, b), ranges)
  }
  const skipTo = (to: number) => {
    while (b < backticks.length && (backticks[b] as Run).at < to) b++
  }
  let fence: { mark: string; from: number } | undefined
  let isParagraph = false
  let isInList = false
  for (const { from, to } of lines(text)) {
    const { content, hadContainer } = withoutContainers(text.slice(from, to))
    if (fence) {
      if (!closes(content, fence.mark)) continue
      ranges.push({ from: fence.from, to })
      fence = undefined
      skipTo(to)
      continue
    }
    const opened = opening(content)
    const isBlank = content.trim() === ''
    // An indented line continues an open paragraph or list item.
    const isIndented: boolean =
      !isBlank && !isParagraph && !isInList && !hadContainer && INDENTED.test(text.slice(from, to))
    if (opened !== undefined || isIndented || isBlank) endProse(from)
    if (opened !== undefined) fence = { mark: opened, from }
    if (isIndented) {
      ranges.push({ from, to })
      skipTo(to)
    }
    isInList = hadContainer || (isInList && (isBlank || /^\s/.test(text.slice(from, to))))
    isParagraph = !isBlank && !isIndented && opened === undefined
  }
  if (fence) ranges.push({ from: fence.from, to: text.length })
  else endProse(text.length)
  return ranges
}

function* lines(text: string): Generator<Range> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    yield { from, to }
    from = to + 1
  }
}

/** A line can be nested in several quotes and lists; deeper nesting than in real texts is ignored. */
const MAX_CONTAINERS = 20

const withoutContainers = (line: string): { content: string; hadContainer: boolean } => {
  let content = line
  for (let depth = 0; depth < MAX_CONTAINERS; depth++) {
    const mark = CONTAINER.exec(content)
    if (!mark) return { content, hadContainer: depth > 0 }
    content = content.slice(mark[0].length)
  }
  return { content, hadContainer: true }
}

/** @returns the mark of a fence that a line opens */
const opening = (content: string): string | undefined => {
  const line = content.trim()
  const [mark] = FENCE.exec(line) ?? []
  return mark?.startsWith('`') && line.includes('`', mark.length) ? undefined : mark
}

const closes = (content: string, mark: string): boolean => {
  const line = content.trim()
  return line.length >= mark.length && line === (mark[0] as string).repeat(line.length)
}

/** A run of backticks. */
interface Run {
  at: number
  length: number
}

const BACKTICKS = /\\`|`+/g

const backticksIn = (text: string): Run[] => {
  const runs: Run[] = []
  for (const { 0: run, index } of text.matchAll(BACKTICKS))
    if (run.startsWith('`')) runs.push({ at: index, length: run.length })
  return runs
}

/** Code spans in one paragraph: the next run of the same length closes a run of backticks. */
const addSpans = (runs: readonly Run[], ranges: Range[]): void => {
  const next = nextOfSameLength(runs)
  for (let i = 0; i < runs.length; i++) {
    const close = next[i] as number
    if (close < 0) continue
    const { at, length } = runs[close] as Run
    ranges.push({ from: (runs[i] as Run).at, to: at + length })
    i = close
  }
}

const nextOfSameLength = (runs: readonly Run[]): number[] => {
  const seen = new Map<number, number>()
  const next = Array.from<number>({ length: runs.length })
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as Run
    next[i] = seen.get(length) ?? -1
    seen.set(length, i)
  }
  return next
}
