export interface Line {
  line: string
  /** From 1. */
  number: number
}

const MAX_LINE = 64 * 1024

/** Lines of a text without blanks around them; empty ones are left out. Of a longer one the first 64 KiB. */
export async function* textLines(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let rest = ''
  let number = 0
  for await (const chunk of text) {
    const lines = chunk.split('\n')
    for (const [index, piece] of lines.entries()) {
      rest += piece.slice(0, MAX_LINE - rest.length)
      if (index === lines.length - 1) break
      number++
      const line = rest.trim()
      rest = ''
      if (line !== '') yield { line, number }
    }
  }
  if (rest.trim() !== '') yield { line: rest.trim(), number: number + 1 }
}
