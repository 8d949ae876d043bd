import { hash } from 'node:crypto'

/** Called for statements that have ended, failed or not, with their label. */
export interface StatementObserver {
  /** Those that took this long or longer, in milliseconds, are slow. */
  thresholdMs: number
  onSlow(statement: string, ms: number): void
  /** All of them. @param startedAt from `performance.now()` */
  onEach: ((statement: string, startedAt: number) => void) | undefined
}

const FINGERPRINT_LENGTH = 8
/** `$3, $4, $5`: the number of values in a list does not make another statement. */
const VALUE_LIST = /\$\d+(?:\s*,\s*\$\d+)*/g
const VERB = /^\W*(\w+)/
const TABLE = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)/i

/**
 * Label of a statement in the log: its name, or else verb, first table and a hash of its text, such as `select results
 * 3fa9c1d2`. Contains no values.
 */
export const statementLabel = (text: string, name?: string): string => {
  if (name !== undefined) return name
  const shape = text.replace(VALUE_LIST, '$n').replace(/\s+/g, ' ').trim()
  const words = [VERB.exec(shape)?.[1]?.toLowerCase(), TABLE.exec(shape)?.[1]?.toLowerCase()].filter(
    (word) => word !== undefined,
  )
  return [...words, hash('sha256', shape).slice(0, FINGERPRINT_LENGTH)].join(' ')
}

const STATEMENT = Symbol('statement')

/** The label of the statement that failed with this error. */
export const statementOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as { [STATEMENT]?: string })[STATEMENT] : undefined

/** Records on an error which statement failed. @returns the same error */
export const noteStatement = (error: unknown, text: string, name?: string): unknown => {
  if (error instanceof Error && statementOf(error) === undefined)
    Object.defineProperty(error, STATEMENT, { value: statementLabel(text, name) })
  return error
}

/** Reports a statement that has ended, failed or not. @param startedAt from `performance.now()` */
export const reportStatement = (
  observer: StatementObserver | undefined,
  startedAt: number,
  text: string,
  name?: string,
): void => {
  if (!observer) return
  const ms = performance.now() - startedAt
  const isSlow = ms >= observer.thresholdMs
  if (!isSlow && !observer.onEach) return
  const label = statementLabel(text, name)
  observer.onEach?.(label, startedAt)
  if (isSlow) observer.onSlow(label, Math.round(ms))
}
