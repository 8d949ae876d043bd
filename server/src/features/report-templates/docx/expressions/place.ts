import { isObject, RichText, type ScopeValue } from '../scope/values.ts'

/** Where an expression is evaluated. */
export interface Place {
  /** Values of the loops around it, innermost first; the report itself is last. */
  scopes: readonly ScopeValue[]
  /** Position in the innermost loop, from 0. */
  index: number
  isLast: boolean
  /** BCP 47, for dates and numbers. */
  language: string
}

/** As in loops: an empty list and a text without words are false. */
export const isTruthy = (value: ScopeValue | undefined): boolean => {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof RichText) return value.blocks.length > 0
  if (isObject(value)) return true
  return Boolean(value)
}
