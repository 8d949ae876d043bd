export type Token =
  | { type: 'name' | 'string' | 'operator'; text: string; at: number }
  | { type: 'number'; text: string; value: number; at: number }

/** What is wrong with an expression, and where. */
export class BadExpression extends Error {}

const OPERATORS = [
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '!',
  '|',
  ':',
  '(',
  ')',
  '[',
  ']',
  '.',
  ',',
  '-',
  '?',
]
/** Word replaces straight quotes while people type. */
const QUOTES: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '\u2018': '\u2019',
  '\u2019': '\u2019',
  '\u201a': '\u2018',
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u201e': '\u201c',
}
const MAX_LENGTH = 500

const isDigit = (c: string): boolean => c >= '0' && c <= '9'
const isNameStart = (c: string): boolean => /^[\p{L}_$]$/u.test(c)
const isNamePart = (c: string): boolean => /^[\p{L}\p{N}_$]$/u.test(c)
const isSpace = (c: string): boolean => c.trim() === ''

/** @throws BadExpression */
export const tokensOf = (source: string): Token[] => {
  if (source.length > MAX_LENGTH) throw new BadExpression(`a tag has at most ${MAX_LENGTH} characters`)
  const tokens: Token[] = []
  const at = (index: number): string => source[index] ?? ''
  let i = 0
  while (i < source.length) {
    const c = at(i)
    const start = i
    const closing = QUOTES[c]
    if (isSpace(c)) i++
    else if (isNameStart(c)) {
      while (i < source.length && isNamePart(at(i))) i++
      tokens.push({ type: 'name', text: source.slice(start, i), at: start })
    } else if (isDigit(c)) {
      while (isDigit(at(i))) i++
      if (at(i) === '.' && isDigit(at(i + 1))) {
        i++
        while (isDigit(at(i))) i++
      }
      const text = source.slice(start, i)
      tokens.push({ type: 'number', text, value: Number(text), at: start })
    } else if (closing !== undefined) {
      i++
      let text = ''
      // People mix quotes: a typographic one also ends with a straight one.
      while (i < source.length && at(i) !== closing && !(closing > '\u2000' && QUOTES[at(i)] !== undefined)) {
        if (at(i) === '\\' && i + 1 < source.length) i++
        text += at(i)
        i++
      }
      if (i >= source.length) throw new BadExpression(`the text that starts with ${c} has no end`)
      i++
      tokens.push({ type: 'string', text, at: start })
    } else {
      const operator = OPERATORS.find((each) => source.startsWith(each, i))
      if (operator === undefined) throw new BadExpression(`${c} is not expected here`)
      i += operator.length
      tokens.push({ type: 'operator', text: operator, at: start })
    }
  }
  return tokens
}
