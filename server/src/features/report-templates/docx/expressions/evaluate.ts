import { fieldOf, isObject, type ScopeValue, textOf } from '../scope/values.ts'
import { applyFilter } from './filters.ts'
import type { Expression } from './parse.ts'
import { isTruthy, type Place } from './place.ts'

/** The value of an expression; undefined for a field that does not exist. */
export const evaluate = (expression: Expression, place: Place): ScopeValue | undefined => {
  switch (expression.type) {
    case 'value':
      return expression.value
    case 'path':
      return find(expression.names, place)
    case 'not':
      return !isTruthy(evaluate(expression.of, place))
    case 'minus':
      return -toNumber(evaluate(expression.of, place))
    case 'and': {
      const left = evaluate(expression.left, place)
      return isTruthy(left) ? evaluate(expression.right, place) : left
    }
    case 'or': {
      const left = evaluate(expression.left, place)
      return isTruthy(left) ? left : evaluate(expression.right, place)
    }
    case 'compare':
      return compare(expression.operator, evaluate(expression.left, place), evaluate(expression.right, place))
    case 'choice':
      return evaluate(isTruthy(evaluate(expression.test, place)) ? expression.yes : expression.no, place)
    case 'filter': {
      const values = expression.arguments.map((each) => evaluate(each, place))
      return applyFilter(expression.name, { value: evaluate(expression.of, place), values, place, evaluate })
    }
  }
}

/** The innermost loop that has the first name decides. */
const find = ([first = '', ...rest]: readonly string[], place: Place): ScopeValue | undefined => {
  if (first === '.') return place.scopes[0]
  if (first === '$index') return place.index
  if (first === '$number') return place.index + 1
  if (first === '$isLast') return place.isLast
  if (first === '$isFirst') return place.index === 0
  for (const scope of place.scopes) {
    const found = fieldOf(scope, first)
    if (found !== undefined) return rest.reduce<ScopeValue | undefined>((value, name) => fieldOf(value, name), found)
  }
  return undefined
}

const toNumber = (value: ScopeValue | undefined): number => {
  const number = Number(plain(value))
  return Number.isNaN(number) ? 0 : number
}

const plain = (value: ScopeValue | undefined): string | number | boolean | null => {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) || isObject(value) ? null : textOf(value)
}

type Operator = Extract<Expression, { type: 'compare' }>['operator']

const compare = (operator: Operator, left: ScopeValue | undefined, right: ScopeValue | undefined): boolean => {
  const [a, b] = [plain(left), plain(right)]
  if (operator === '==' || operator === '!=') return isEqual(a, b) === (operator === '==')
  if (a === null || b === null) return false
  const areNumbers = a !== '' && b !== '' && !Number.isNaN(Number(a)) && !Number.isNaN(Number(b))
  const order = areNumbers ? Number(a) - Number(b) : String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

/** Texts are equal whatever their case: templates of other products write `Critical`. A number equals its text. */
const isEqual = (a: string | number | boolean | null, b: string | number | boolean | null): boolean =>
  a === b || (a !== null && b !== null && String(a).toLowerCase() === String(b).toLowerCase())
