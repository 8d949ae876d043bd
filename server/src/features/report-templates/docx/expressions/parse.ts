import { BadExpression, type Token, tokensOf } from './tokens.ts'

export type Expression =
  | { type: 'value'; value: string | number | boolean | null }
  /** Names from the outside in; `.` is the value of the loop itself. */
  | { type: 'path'; names: readonly string[] }
  | { type: 'not' | 'minus'; of: Expression }
  | { type: 'and' | 'or'; left: Expression; right: Expression }
  | { type: 'compare'; operator: '==' | '!=' | '<' | '<=' | '>' | '>='; left: Expression; right: Expression }
  | { type: 'choice'; test: Expression; yes: Expression; no: Expression }
  | { type: 'filter'; name: string; of: Expression; arguments: readonly Expression[] }

const WORDS: Readonly<Record<string, string | number | boolean | null>> = {
  true: true,
  false: false,
  null: null,
  undefined: null,
}
const COMPARISONS: Readonly<Record<string, '==' | '!=' | '<' | '<=' | '>' | '>='>> = {
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}
/** Properties of JavaScript objects that are not data. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const MAX_DEPTH = 30

/** @throws BadExpression */
export const parseExpression = (source: string): Expression => {
  const trimmed = source.trim()
  if (trimmed === '.' || trimmed === 'this') return { type: 'path', names: ['.'] }
  const tokens = tokensOf(trimmed)
  if (tokens.length === 0) throw new BadExpression('it is empty')
  const reader = new Reader(tokens)
  const expression = reader.filtered(0)
  reader.requireEnd()
  return expression
}

class Reader {
  private next = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private peek(): Token | undefined {
    return this.tokens[this.next]
  }

  private takes(...operators: string[]): string | undefined {
    const token = this.peek()
    if (token?.type !== 'operator' || !operators.includes(token.text)) return undefined
    this.next++
    return token.text
  }

  private expect(operator: string): void {
    if (this.takes(operator) === undefined) throw this.unexpected(`${operator} is missing`)
  }

  private unexpected(otherwise: string): BadExpression {
    const token = this.peek()
    return new BadExpression(token ? `${token.text} is not expected here` : otherwise)
  }

  requireEnd(): void {
    if (this.peek()) throw this.unexpected('')
  }

  private name(): string {
    const token = this.peek()
    if (token?.type !== 'name') throw this.unexpected('a name is missing')
    if (FORBIDDEN.includes(token.text)) throw new BadExpression(`${token.text} is not a field`)
    this.next++
    return token.text
  }

  filtered(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new BadExpression('it is nested too deeply')
    let of = this.choice(depth)
    while (this.takes('|')) {
      const name = this.name()
      const values: Expression[] = []
      while (this.takes(':')) values.push(this.unary(depth + 1))
      of = { type: 'filter', name, of, arguments: values }
    }
    return of
  }

  private choice(depth: number): Expression {
    const test = this.either(depth)
    if (!this.takes('?')) return test
    const yes = this.either(depth + 1)
    this.expect(':')
    return { type: 'choice', test, yes, no: this.either(depth + 1) }
  }

  private either(depth: number): Expression {
    let left = this.both(depth)
    while (this.takes('||')) left = { type: 'or', left, right: this.both(depth) }
    return left
  }

  private both(depth: number): Expression {
    let left = this.compared(depth)
    while (this.takes('&&')) left = { type: 'and', left, right: this.compared(depth) }
    return left
  }

  private compared(depth: number): Expression {
    const left = this.unary(depth)
    const written = this.takes(...Object.keys(COMPARISONS))
    const operator = written === undefined ? undefined : COMPARISONS[written]
    return operator === undefined ? left : { type: 'compare', operator, left, right: this.unary(depth) }
  }

  private unary(depth: number): Expression {
    if (depth > MAX_DEPTH) throw new BadExpression('it is nested too deeply')
    if (this.takes('!')) return { type: 'not', of: this.unary(depth + 1) }
    if (this.takes('-')) return { type: 'minus', of: this.unary(depth + 1) }
    if (this.takes('(')) {
      const inner = this.filtered(depth + 1)
      this.expect(')')
      return inner
    }
    const token = this.peek()
    if (token?.type === 'string' || token?.type === 'number') {
      this.next++
      return { type: 'value', value: token.type === 'number' ? token.value : token.text }
    }
    const first = this.name()
    if (Object.hasOwn(WORDS, first)) return { type: 'value', value: WORDS[first] ?? null }
    return { type: 'path', names: this.restOfPath(first) }
  }

  private restOfPath(first: string): string[] {
    const names = [first]
    for (;;) {
      if (this.takes('.')) names.push(this.name())
      else if (this.takes('[')) {
        const token = this.peek()
        if (token?.type !== 'string' && token?.type !== 'number') throw this.unexpected('] is missing')
        if (FORBIDDEN.includes(token.text)) throw new BadExpression(`${token.text} is not a field`)
        this.next++
        names.push(token.text)
        this.expect(']')
      } else return names
    }
  }
}

/** Every path of an expression, and every filter. */
export const partsOf = (expression: Expression): { paths: (readonly string[])[]; filters: string[] } => {
  const paths: (readonly string[])[] = []
  const filters: string[] = []
  const visit = (each: Expression): void => {
    switch (each.type) {
      case 'value':
        return
      case 'path':
        paths.push(each.names)
        return
      case 'not':
      case 'minus':
        return visit(each.of)
      case 'and':
      case 'or':
      case 'compare':
        visit(each.left)
        return visit(each.right)
      case 'choice':
        visit(each.test)
        visit(each.yes)
        return visit(each.no)
      case 'filter':
        filters.push(each.name)
        visit(each.of)
        return each.arguments.forEach(visit)
    }
  }
  visit(expression)
  return { paths, filters }
}
