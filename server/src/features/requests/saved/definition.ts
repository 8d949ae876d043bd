import {
  type Assertion,
  type Capture,
  DEFAULT_OPTIONS,
  MAX_EXPRESSION,
  type RequestBody,
  type RequestOptions,
} from '@sortie/contract/requests/request-parts.ts'
import type { Static } from 'typebox'
import { invalid } from '../../../platform/errors.ts'
import type { AuthInput } from '../secrets.ts'

export interface Pair {
  name: string
  value: string
  enabled: boolean
}

export type Body = Static<typeof RequestBody>
export type Options = Static<typeof RequestOptions>
export type CaptureRule = Static<typeof Capture>
export type AssertionRule = Static<typeof Assertion>

/** The request and the checks of its response, without URL and auth. */
export interface Definition {
  query: Pair[]
  headers: Pair[]
  body: Body
  options: Options
  captures: CaptureRule[]
  assertions: AssertionRule[]
}

/** The input; omitted fields have defaults. */
export interface RequestInput extends Partial<Omit<Definition, 'options'>> {
  method?: string
  url: string
  auth?: AuthInput
  options?: Partial<Options>
}

const NO_BODY: Body = { mode: 'none' }

/**
 * Completes the input from `before` or from defaults. `CheckRules` has already compiled paths and expressions.
 *
 * @throws ApiError VALIDATION_ERROR for a body, path or value that is missing or belongs to another kind, and for an
 *   expression that is too long
 */
export const toDefinition = (input: Partial<RequestInput>, before?: Definition): Definition => {
  const definition = {
    query: input.query ?? before?.query ?? [],
    headers: input.headers ?? before?.headers ?? [],
    body: input.body ? onlyOfMode(input.body) : (before?.body ?? NO_BODY),
    options: { ...DEFAULT_OPTIONS, ...before?.options, ...input.options },
    captures: input.captures ?? before?.captures ?? [],
    assertions: input.assertions ?? before?.assertions ?? [],
  }
  for (const [index, { from, path }] of definition.captures.entries()) requirePath(`captures.${index}.path`, from, path)
  for (const [index, { subject, path, operator, value }] of definition.assertions.entries()) {
    requirePath(`assertions.${index}.path`, subject, path)
    if (operator !== 'exists' && value === undefined)
      throw invalid(`assertions.${index}.value: is needed for ${operator}`)
  }
  for (const [index, { operator, value }] of (input.assertions ?? []).entries()) {
    if (operator === 'matches' && String(value ?? '').length > MAX_EXPRESSION) {
      throw invalid(`assertions.${index}.value: an expression has at most ${MAX_EXPRESSION} characters`)
    }
  }
  return definition
}

/** @throws ApiError VALIDATION_ERROR for CONNECT, which would turn the connection into a tunnel */
export const requireMethod = (method: string): string => {
  if (method.toUpperCase() === 'CONNECT') throw invalid('method: CONNECT is not sent')
  return method
}

const FIELDS: Record<Body['mode'], readonly (keyof Body)[]> = {
  none: [],
  raw: ['text', 'mediaType'],
  json: ['text'],
  form: ['fields'],
  multipart: ['parts'],
  file: ['fileId', 'mediaType'],
}
const NEEDED: Record<Body['mode'], keyof Body | undefined> = {
  none: undefined,
  raw: 'text',
  json: 'text',
  form: 'fields',
  multipart: 'parts',
  file: 'fileId',
}

const onlyOfMode = (body: Body): Body => {
  const { mode } = body
  const stranger = Object.keys(body).find((field) => field !== 'mode' && !FIELDS[mode].includes(field as keyof Body))
  if (stranger) throw invalid(`body.${stranger}: does not belong to the mode ${mode}`)
  const needed = NEEDED[mode]
  if (needed && body[needed] === undefined) throw invalid(`body.${needed}: is needed for the mode ${mode}`)
  const both = body.parts?.findIndex(({ value, fileId }) => (value === undefined) === (fileId === undefined)) ?? -1
  if (both >= 0) throw invalid(`body.parts.${both}: needs exactly one of value and fileId`)
  return body
}

const requirePath = (field: string, from: string, path: string | undefined): void => {
  if (from === 'status' || from === 'body' || from === 'time') return
  if (path === undefined || path === '') throw invalid(`${field}: is needed`)
}

/** Removes files from a body: they stay with their request. */
export const writesNoFiles = (body: Body): Body => {
  if (body.mode === 'file') return { mode: 'none' }
  return body.parts ? { ...body, parts: body.parts.filter(({ fileId }) => fileId === undefined) } : body
}
