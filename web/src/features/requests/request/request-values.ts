import type { Input } from '@sortie/client/calls.ts'
import type { ApiRequest, Auth } from '../place.tsx'

export type Pair = ApiRequest['query'][number]
export type Capture = ApiRequest['captures'][number]
export type Options = ApiRequest['options']
type Body = ApiRequest['body']
type SavedAssertion = ApiRequest['assertions'][number]
export type Part = NonNullable<Body['parts']>[number]
type Changes = Omit<NonNullable<Input<'updateApiRequest'>['body']>, 'ifUpdatedAt'>
/** Request values that are sent without being saved. */
export type Unsaved = NonNullable<Input<'sendRequest'>['body']>['request']

/** Values of all body modes at once, so that switching modes loses no input. */
export type BodyValues = Required<Body>
/** An assertion as typed. */
export type Assertion = Omit<SavedAssertion, 'value' | 'path'> & { value: string; path: string }
/** `auth` without its secrets. */
export type AuthValues = { type: Auth['type']; username: string; name: string }

/** Form values of a request. */
export type RequestValues = {
  description: string
  method: string
  url: string
  query: Pair[]
  headers: Pair[]
  body: BodyValues
  auth: AuthValues
  /** Password, token or value of `auth`; empty keeps the stored one. */
  secret: string
  options: Options
  captures: Capture[]
  assertions: Assertion[]
}

export const LABELS: Record<keyof RequestValues, string> = {
  description: 'Notes',
  method: 'Method',
  url: 'Address',
  query: 'Query',
  headers: 'Headers',
  body: 'Body',
  auth: 'Authentication',
  secret: 'Secret',
  options: 'Settings',
  captures: 'Captures',
  assertions: 'Assertions',
}

export const savedOf = (request: ApiRequest): { values: RequestValues; version: string } => ({
  values: {
    description: request.description,
    method: request.method,
    url: request.url,
    query: request.query,
    headers: request.headers,
    body: { text: '', mediaType: '', fields: [], parts: [], fileId: '', ...request.body },
    auth: authValuesOf(request.auth),
    secret: secretOf(request.auth) ?? '',
    options: request.options,
    captures: request.captures,
    assertions: request.assertions.map(({ value, path = '', ...rest }) => ({ ...rest, path, value: textOf(value) })),
  },
  version: request.updatedAt,
})

/** Body of the PATCH. */
export const changesOf = (values: RequestValues, saved: ApiRequest) =>
  ({ ...unsavedOf(values, saved), description: values.description }) satisfies Changes

/** Values to execute as typed. */
export const unsavedOf = (values: RequestValues, saved: ApiRequest) => {
  const { body, auth, secret, captures, assertions, description: _, ...rest } = values
  return {
    ...rest,
    url: values.url.trim(),
    body: bodyOf(body),
    auth: authOf(auth, secret, saved.auth),
    captures: captures.map(({ path, ...capture }) => ({ ...capture, ...(path && { path }) })),
    assertions: assertions.map(assertionOf),
  } satisfies Unsaved
}

/** Default name of a request: its path without the query. */
export const nameOf = (url: string): string => {
  const path = url
    .trim()
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
  return (path.length > 1 ? path : url.trim()).slice(0, 200) || 'Request'
}

/** Fields that apply to a mode. */
const bodyOf = ({ mode, text, mediaType, fields, parts, fileId }: BodyValues): Body => {
  const type = mediaType.trim() === '' ? {} : { mediaType: mediaType.trim() }
  if (mode === 'raw') return { mode, text, ...type }
  if (mode === 'json') return { mode, text }
  if (mode === 'form') return { mode, fields }
  if (mode === 'multipart') return { mode, parts }
  if (mode === 'file') return { mode, ...(fileId !== '' && { fileId }), ...type }
  return { mode }
}

export const authValuesOf = ({ type, username = '', name = '' }: Auth): AuthValues => ({ type, username, name })

/** The secret of `auth`: a text with a variable, null for a stored value that is not returned, undefined for none. */
export const secretOf = ({ password, token, value }: Auth): string | null | undefined =>
  password ?? token ?? value ?? null

/** A secret is stored but not returned; it stays while the field is empty. */
export const hasHiddenSecret = (saved: Auth, type: Auth['type']): boolean =>
  saved.type === type && saved.isSet === true && secretOf(saved) === null

export const authOf = ({ type, username, name }: AuthValues, secret: string, saved: Auth): Auth => {
  const stored = secret === '' && hasHiddenSecret(saved, type) ? null : secret
  if (type === 'basic') return { type, username, password: stored }
  if (type === 'bearer') return { type, token: stored }
  if (type === 'header' || type === 'query') return { type, name, value: stored }
  return { type }
}

/** Quotes text that would otherwise parse as a number, `true`, `false` or `null`. */
export const textOf = (value: SavedAssertion['value']): string => {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return parsed(value) === value ? value : JSON.stringify(value)
}

const parsed = (text: string): string | number | boolean | null => {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value
  } catch {
    // Not JSON: use the text.
  }
  return text
}

const assertionOf = ({ subject, operator, path, value }: Assertion): SavedAssertion => ({
  subject,
  operator,
  ...(path !== '' && (subject === 'header' || subject === 'json') && { path }),
  ...(operator !== 'exists' && { value: subject === 'body' || subject === 'header' ? unquoted(value) : parsed(value) }),
})

/** Headers and bodies are always compared as text. */
const unquoted = (text: string): string => {
  const value = parsed(text)
  return typeof value === 'string' ? value : text
}
