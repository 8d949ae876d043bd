import { isLogLine, plainLine } from '../fields/noise.ts'

export interface Line {
  line: string
  /** Starts at 1. */
  number: number
}

const MAX_LINE = 64 * 1024

/** Yields trimmed lines without terminal colours; skips empty lines and log lines. Cuts lines to 64 KiB. */
export async function* textLines(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let rest = ''
  let number = 0
  for await (const chunk of text) {
    const lines = chunk.split('\n')
    for (const [index, piece] of lines.entries()) {
      rest += piece.slice(0, MAX_LINE - rest.length)
      if (index === lines.length - 1) break
      number++
      const line = plainLine(rest)
      rest = ''
      if (line !== '' && !isLogLine(line)) yield { line, number }
    }
  }
  const last = plainLine(rest)
  if (last !== '' && !isLogLine(last)) yield { line: last, number: number + 1 }
}
