import type { CompileContext, Extension as TreeExtension, Token } from 'mdast-util-from-markdown'
import type { Code, Construct, Effects, Extension, State, TokenTypeMap } from 'micromark-util-types'

/** `[[...]]`, `![[...]]` or `{{...}}` in a text, outside code. */
export interface Written {
  type: 'reference' | 'embed' | 'placeholder'
  /** What is between the brackets. */
  value: string
}

declare module 'mdast' {
  interface RootContentMap {
    reportWritten: { type: 'reportWritten'; written: Written }
  }
  interface PhrasingContentMap {
    reportWritten: { type: 'reportWritten'; written: Written }
  }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    reportReference: 'reportReference'
    reportPlaceholder: 'reportPlaceholder'
    reportEscape: 'reportEscape'
  }
}

/** Longest reference or placeholder, in characters. */
const MAX_LENGTH = 400
const LEFT = 91
const RIGHT = 93
const ROUND = 40
const OPEN = 123
const CLOSE = 125
const BACKSLASH = 92
const EXCLAMATION = 33
const SPACE = 32

const isEndOfLine = (code: number): boolean => code < 0 && code !== -1 && code !== -2

/** Reads two brackets, text without them, and two closing ones, as one unit: nothing in it is Markdown. */
const bracketed = (
  token: keyof TokenTypeMap,
  [open, close]: readonly [number, number],
  effects: Effects,
  [ok, nok]: readonly [State, State],
): State => {
  let length = 0
  let hasWords = false
  const consumed =
    (next: State) =>
    (code: Code): State => {
      effects.consume(code)
      return next
    }
  // `[[1]](https://...)` is a link with brackets in its text.
  const behind: State = (code) => (close === RIGHT && code === ROUND ? nok(code) : ok(code))
  const last: State = (code) => {
    if (code !== close) return nok(code)
    effects.consume(code)
    effects.exit(token)
    return behind
  }
  const inside: State = (code) => {
    if (code === close && hasWords) return consumed(last)(code)
    if (code === null || code === open || code === close || isEndOfLine(code) || ++length > MAX_LENGTH) return nok(code)
    hasWords ||= code > SPACE
    return consumed(inside)(code)
  }
  const second: State = (code) => (code === open ? consumed(inside)(code) : nok(code))
  const first: State = (code) => (code === open ? consumed(second)(code) : nok(code))
  return (code) => {
    effects.enter(token)
    return code === EXCLAMATION ? consumed(first)(code) : first(code)
  }
}

const references: Construct = {
  name: 'reportReference',
  tokenize: (effects, ok, nok) => bracketed('reportReference', [LEFT, RIGHT], effects, [ok, nok]),
}

const placeholders: Construct = {
  name: 'reportPlaceholder',
  tokenize: (effects, ok, nok) => bracketed('reportPlaceholder', [OPEN, CLOSE], effects, [ok, nok]),
}

/** `\{{` is two braces, not a placeholder. */
const escapes: Construct = {
  name: 'reportEscape',
  tokenize: (effects, ok, nok) => {
    let braces = 0
    const brace: State = (code) => {
      if (code !== OPEN) return nok(code)
      effects.consume(code)
      if (++braces < 2) return brace
      effects.exit('reportEscape')
      return ok
    }
    return (code) => {
      effects.enter('reportEscape')
      effects.consume(code)
      return brace
    }
  },
}

/** @param withPlaceholders false: `{{` is text */
export const reportSyntax = (withPlaceholders: boolean): Extension => ({
  // Tags are text: a text such as `<target>` is not HTML.
  disable: { null: ['htmlFlow', 'htmlText'] },
  text: {
    [LEFT]: references,
    [EXCLAMATION]: references,
    ...(withPlaceholders && { [OPEN]: placeholders, [BACKSLASH]: escapes }),
  },
})

/** Makes nodes of the tokens of `reportSyntax`. */
export const reportTree: TreeExtension = {
  exit: {
    reportReference(token) {
      const written = this.sliceSerialize(token)
      const isEmbed = written.startsWith('!')
      const value = written.slice(isEmbed ? 3 : 2, -2).trim()
      add(this, token, { type: isEmbed ? 'embed' : 'reference', value })
    },
    reportPlaceholder(token) {
      add(this, token, { type: 'placeholder', value: this.sliceSerialize(token).slice(2, -2).trim() })
    },
    reportEscape(token) {
      this.enter({ type: 'text', value: '{{' }, token)
      this.exit(token)
    },
  },
}

const add = (context: CompileContext, token: Token, written: Written): void => {
  context.enter({ type: 'reportWritten', written }, token)
  context.exit(token)
}
