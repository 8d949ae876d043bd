import { invalid } from '../../../../platform/errors.ts'
import type { Definition, Pair } from '../../saved/definition.ts'
import { requireMethod } from '../../saved/definition.ts'
import type { AuthInput } from '../../secrets.ts'
import { buildBody, type FindFile, type SentBody } from './body.ts'
import { checkedHeader, type Header, hasHeader, headerValues } from './headers.ts'
import { markedAgainstLoops } from './loops.ts'
import { inUrl, type Variables } from './variables.ts'
import { type Address, addQuery, MAX_URL, parseAddress } from './written-address.ts'

/** Everything as it goes out. */
export interface BuiltRequest extends Address {
  method: string
  headers: Header[]
  body: SentBody | undefined
  /** Lower-case names of headers with credentials or secrets; they are never sent to another origin. */
  credentials: string[]
  /** True if the body contains a secret; it is never sent to another origin. */
  bodyUsesSecret: boolean
}

interface BuildInput extends Pick<Definition, 'query' | 'headers' | 'body'> {
  method: string
  url: string
  auth: AuthInput
}

const USER_AGENT = 'Sortie'
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'host']

/** @throws ApiError VALIDATION_ERROR for a request that cannot be sent; names the field */
export const buildRequest = async (
  wanted: BuildInput,
  variables: Variables,
  findFile: FindFile,
): Promise<BuiltRequest> => {
  const auth = filledAuth(wanted.auth, variables)
  const query = enabledPairs(wanted.query, 'query', variables)
  const { url, path } = buildAddress(
    variables.fill(wanted.url, 'url', inUrl(), MAX_URL),
    auth.query ? [...query, auth.query] : query,
  )
  const pairs = enabledPairs(wanted.headers, 'headers', variables)
  const secretUses = variables.secretUses
  const body = await buildBody(wanted.body, variables, findFile)
  const bodyUsesSecret = variables.secretUses > secretUses
  const headers = pairs.map(({ field, name, value }) =>
    checkedHeader(field, name, wanted.body.mode === 'multipart' ? withBoundary(name, value, body) : value),
  )
  if (auth.header) headers.push(checkedHeader('auth', auth.header[0], auth.header[1]))
  if (body && !hasHeader(headers, 'content-type')) headers.push(['content-type', body.mediaType])
  if (!hasHeader(headers, 'user-agent')) headers.push(['user-agent', USER_AGENT])
  requireLength(headers, body)
  if (headerValues(headers, 'host').length > 1) throw invalid('headers: Host can be sent once')
  const secretNames = pairs.filter(({ usesSecret }) => usesSecret).map(({ name }) => name)
  const credentials = [...CREDENTIALS, ...secretNames, ...(auth.header ? [auth.header[0]] : [])].map((name) =>
    name.toLowerCase(),
  )
  return {
    method: requireMethod(wanted.method),
    url,
    path,
    headers: markedAgainstLoops({ url, path }, headers),
    body,
    credentials,
    bodyUsesSecret,
  }
}

/**
 * Adds the body's boundary to a multipart `Content-Type` without one, which would be unreadable. One with a boundary
 * stays as written, because testers may want it wrong.
 */
const withBoundary = (name: string, value: string, body: SentBody | undefined): string => {
  if (name.toLowerCase() !== 'content-type' || !/^\s*multipart\//i.test(value) || /;\s*boundary=/i.test(value))
    return value
  const boundary = body?.mediaType.split('boundary=')[1]
  return boundary === undefined ? value : `${value}; boundary=${boundary}`
}

interface Filled {
  field: string
  name: string
  value: string
  usesSecret: boolean
}

const enabledPairs = (pairs: readonly Pair[], field: string, variables: Variables): Filled[] =>
  pairs.flatMap((pair, index) => {
    if (!pair.enabled) return []
    const before = variables.secretUses
    const name = variables.fill(pair.name, `${field}.${index}.name`)
    const value = variables.fill(pair.value, `${field}.${index}.value`)
    return [{ field: `${field}.${index}`, name, value, usesSecret: variables.secretUses > before }]
  })

/** One parsed address, for the rules and for sending. */
const buildAddress = (text: string, query: readonly { name: string; value: string }[]): Address => {
  const address = parseAddress(text)
  addQuery(
    address.url,
    query.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
  )
  return address
}

/** The caller has already resolved `inherit`; here it means no auth. */
const filledAuth = (
  auth: AuthInput,
  variables: Variables,
): { header?: Header; query?: { name: string; value: string } } => {
  const fill = (field: 'username' | 'password' | 'token' | 'name' | 'value') =>
    variables.fill(auth[field] ?? '', `auth.${field}`)
  if (auth.type === 'basic')
    return {
      header: ['authorization', `Basic ${Buffer.from(`${fill('username')}:${fill('password')}`).toString('base64')}`],
    }
  if (auth.type === 'bearer') return { header: ['authorization', `Bearer ${fill('token')}`] }
  if (auth.type === 'header') return { header: [fill('name'), fill('value')] }
  if (auth.type === 'query') return { query: { name: fill('name'), value: fill('value') } }
  return {}
}

/** With another length, the recipient would parse the rest of the body as a separate message. */
const requireLength = (headers: readonly Header[], body: SentBody | undefined): void => {
  const lengths = headerValues(headers, 'content-length')
  if (lengths.length > 1) throw invalid('headers: Content-Length can be sent once')
  const [length] = lengths
  if (length !== undefined && length !== String(body?.length ?? 0))
    throw invalid('headers: Content-Length must be that of the body, or be left out')
}
