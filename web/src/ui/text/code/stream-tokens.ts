import { python } from '@codemirror/legacy-modes/mode/python'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { type StreamParser, StringStream } from '@codemirror/streamparser'
import type { Token } from './token.ts'

export { http } from '@codemirror/legacy-modes/mode/http'
export { python, shell }

const TAB = 4
const INDENT = 2
/** Maximum highlighted characters of a line: tokenizing takes time quadratic in the line's length. */
const MAX_LINE = 500
/** Maximum calls of a parser at one position without progress. */
const MAX_LOOKS = 10

/** Token names of these parsers, mapped to the classes of the other highlighters. */
const CLASSES: Readonly<Record<string, string>> = {
  atom: 'tok-propertyName',
  attribute: 'tok-propertyName',
  builtin: 'tok-keyword',
  comment: 'tok-comment',
  def: 'tok-variableName tok-definition',
  keyword: 'tok-keyword',
  meta: 'tok-meta',
  number: 'tok-number',
  string: 'tok-string',
}

/** Splits code into tokens, line by line. */
export const streamTokens = <State>(code: string, parser: StreamParser<State>): Token[] => {
  const tokens: Token[] = []
  // Undefined for a parser without state, which never reads it.
  const state = parser.startState?.(INDENT) as State
  for (const [index, line] of code.split('\n').entries()) {
    if (index > 0) tokens.push({ text: '\n', classes: '' })
    if (line === '') parser.blankLine?.(state, INDENT)
    const stream = new StringStream(line.slice(0, MAX_LINE), TAB, INDENT)
    while (!stream.eol()) {
      const name = nextName(parser, stream, state)
      tokens.push({ text: stream.current(), classes: CLASSES[name?.split('.')[0] ?? ''] ?? '' })
    }
    if (line.length > MAX_LINE) tokens.push({ text: line.slice(MAX_LINE), classes: '' })
  }
  return tokens
}

const nextName = <State>(parser: StreamParser<State>, stream: StringStream, state: State): string | null => {
  stream.start = stream.pos
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const name = parser.token(stream, state)
    if (stream.pos > stream.start) return name
  }
  stream.skipToEnd()
  return null
}
