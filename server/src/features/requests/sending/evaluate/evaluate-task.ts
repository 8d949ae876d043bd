import { JSONPathError, jsonpath } from 'json-p3'
import type { AssertionRule, CaptureRule } from '../../saved/definition.ts'
import { type Header, headerValues, shownHeader } from '../build/headers.ts'

/** A response, with the rules to evaluate on it. */
export interface EvaluateTask {
  status: number
  headers: readonly Header[]
  /** The stored part of the body. */
  body: Uint8Array
  /** Milliseconds. */
  totalMs: number
  captures: readonly CaptureRule[]
  assertions: readonly AssertionRule[]
}

export type Found = string | number | boolean | null

export interface Evaluated {
  /** By variable; captures without a match are left out. */
  captured: Record<string, string>
  assertions: { passed: boolean; actual: Found }[]
}

const MAX_CAPTURED = 65_536

const compileExpression = (source: string): RegExp => new RegExp(source, 'u')

/**
 * Runs in a thread that is terminated after a time limit. @returns the problem of the first invalid path or expression
 */
export const findProblem = ({
  captures,
  assertions,
}: Pick<EvaluateTask, 'captures' | 'assertions'>): string | undefined => {
  for (const [index, { from, path = '' }] of captures.entries()) {
    const problem = problemOfPath(`captures.${index}.path`, from, path)
    if (problem) return problem
  }
  for (const [index, { subject, path = '', operator, value }] of assertions.entries()) {
    const problem =
      problemOfPath(`assertions.${index}.path`, subject, path) ??
      (operator === 'matches' ? problemOfExpression(`assertions.${index}.value`, String(value ?? '')) : undefined)
    if (problem) return problem
  }
  return undefined
}

const problemOfPath = (field: string, from: string, path: string): string | undefined => {
  if (from === 'regex') return problemOfExpression(field, path)
  if (from !== 'json') return undefined
  try {
    jsonpath.compile(path)
    return undefined
  } catch (error) {
    // Deeply nested brackets exhaust the parser's stack.
    if (error instanceof JSONPathError || error instanceof RangeError) return `${field}: must be a JSONPath (RFC 9535)`
    throw error
  }
}

const problemOfExpression = (field: string, source: string): string | undefined => {
  try {
    compileExpression(source)
    return undefined
  } catch {
    return `${field}: must be a regular expression`
  }
}

/** Runs in a thread that is terminated after a time limit, because users write the expressions and paths. */
export const evaluate = (task: EvaluateTask): Evaluated => {
  const text = new TextDecoder().decode(task.body)
  const parsed = parse(text)
  const findJson = (path: string): unknown =>
    parsed === undefined ? undefined : jsonpath.query(path, parsed as never).values()[0]
  const captured: Record<string, string> = {}
  for (const { variable, from, path = '' } of task.captures) {
    const value = capture(task, text, findJson, from, path)
    if (value !== undefined && value.length <= MAX_CAPTURED) captured[variable] = value
  }
  return {
    captured,
    assertions: task.assertions.map((rule) => checkAssertion(rule, subjectOf(task, text, findJson, rule))),
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const header = ({ headers }: EvaluateTask, name: string): string | undefined => {
  const values = headerValues(headers, name)
  return values.length === 0 ? undefined : values.map((value) => shownHeader([name, value]).value).join(', ')
}

const capture = (
  task: EvaluateTask,
  text: string,
  findJson: (path: string) => unknown,
  from: CaptureRule['from'],
  path: string,
): string | undefined => {
  if (from === 'status') return String(task.status)
  if (from === 'header') return header(task, path)
  if (from === 'json') return asText(findJson(path))
  const match = compileExpression(path).exec(text)
  return match ? (match[1] ?? match[0]) : undefined
}

/** Strings stay as they are; other values become JSON. */
const asText = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

const subjectOf = (
  task: EvaluateTask,
  text: string,
  findJson: (path: string) => unknown,
  { subject, path = '' }: AssertionRule,
): unknown => {
  if (subject === 'status') return task.status
  if (subject === 'time') return task.totalMs
  if (subject === 'body') return text
  return subject === 'header' ? header(task, path) : findJson(path)
}

const MAX_SHOWN = 1_000

const checkAssertion = (
  { operator, value = null }: AssertionRule,
  actual: unknown,
): { passed: boolean; actual: Found } => ({
  passed: passes(operator, actual, value),
  actual: shown(actual),
})

const shown = (actual: unknown): Found => {
  if (typeof actual === 'number' || typeof actual === 'boolean') return actual
  return asText(actual ?? undefined)?.slice(0, MAX_SHOWN) ?? null
}

/** `exists` with the value `false` passes if there is no value. Numeric texts are compared as numbers. */
const passes = (operator: AssertionRule['operator'], actual: unknown, value: Found): boolean => {
  if (operator === 'exists') return (actual !== undefined) === (value !== false)
  if (operator === 'equals') return equals(actual, value)
  if (operator === 'not_equals') return !equals(actual, value)
  if (actual === undefined || actual === null) return false
  if (operator === 'contains') return contains(actual, value)
  if (operator === 'matches') return compileExpression(String(value)).test(asText(actual) ?? '')
  const [a, b] = [Number(actual), Number(value)]
  return operator === 'less_than' ? a < b : a > b
}

const equals = (actual: unknown, value: Found): boolean =>
  actual === value || (actual !== undefined && actual !== null && value !== null && asText(actual) === String(value))

const contains = (actual: unknown, value: Found): boolean =>
  Array.isArray(actual) ? actual.some((each) => equals(each, value)) : (asText(actual) ?? '').includes(String(value))
