import type { Database } from '../../../platform/database/connection/open.ts'
import type { FolderRow } from '../folders/folders.queries.ts'
import { findGivingFolder } from '../folders/folders.service.ts'
import type { RequestRow } from '../saved/requests.queries.ts'
import { definitionOf } from '../saved/requests.service.ts'
import { type AuthInput, SECRET_FIELDS } from '../secrets.ts'
import { keepVariables, setAside } from '../sending/build/variables.ts'
import { readAddress } from '../sending/build/written-address.ts'

/** An exported request, with its variables as written and secrets replaced by variables. */
export interface Portable {
  name: string
  description: string
  method: string
  url: string
  headers: { name: string; value: string; enabled: boolean }[]
  query: { name: string; value: string; enabled: boolean }[]
  body: ReturnType<typeof definitionOf>['body']
  auth: AuthInput
  options: ReturnType<typeof definitionOf>['options']
}

export const toPortable = (row: RequestRow): Portable => {
  const { headers, query, body, options } = definitionOf(row)
  const { name, description, method, url } = row
  return {
    name,
    description,
    method,
    url,
    headers,
    query,
    body,
    auth: namedSecret((row.definition as { auth: AuthInput }).auth),
    options,
  }
}

/** Converts a request for formats without folders, with its inherited auth. */
export const toPortableAlone = async (db: Database, organizationId: string, row: RequestRow): Promise<Portable> => {
  const request = toPortable(row)
  if (request.auth.type !== 'inherit') return request
  const folder = await findGivingFolder(db, organizationId, row.folder_id)
  return { ...request, auth: folder ? namedSecret(folder.auth as AuthInput) : { type: 'none' } }
}

/**
 * Removes the backslashes of escaped variables from fields that are not encoded; encoding the query and forms does the
 * same.
 */
export const unescaped = (request: Portable): Portable => {
  const { url, headers, body, auth } = request
  const plain = <T extends object>(fields: T): T =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? unescapedText(value) : value]),
    ) as T
  return {
    ...request,
    url: unescapedText(url),
    headers: headers.map(plain),
    body: { ...plain(body), ...(body.parts && { parts: body.parts.map(plain) }) },
    auth: auth.type === 'query' ? auth : plain(auth),
  }
}

export const unescapedText = (text: string): string => keepVariables(text, (piece) => piece)

/** Replaces the secret with a variable. Secrets are not in these columns. */
export const namedSecret = (auth: AuthInput): AuthInput => {
  const field = SECRET_FIELDS[auth.type]
  if (!field) return auth
  return { ...auth, [field]: auth[field] ?? `{{${field === 'value' ? 'secret' : field}}}` }
}

/** Returns the header of an auth, with variables as written. */
export const authHeader = (auth: AuthInput): { name: string; value: string } | undefined => {
  if (auth.type === 'bearer') return { name: 'Authorization', value: `Bearer ${auth.token}` }
  if (auth.type === 'header') return { name: auth.name ?? '', value: auth.value ?? '' }
  return undefined
}

/**
 * The address as it is sent, with its query and that of auth: path and query are encoded as the sender encodes them,
 * since other programs encode differently or not at all. A host that a variable decides stays as it is written.
 *
 * @param request with its backslashes, not `unescaped`
 */
export const sentAddress = ({ url: written, query, auth }: Pick<Portable, 'url' | 'query' | 'auth'>): string => {
  const { text, hasAside, restore } = setAside(written)
  const origin = /^(?:https?:\/\/)?[^/\\?#]*/i.exec(text)?.[0] ?? ''
  const rest = text.slice(origin.length)
  const whole = hasAside(origin) ? undefined : readAddress(text)
  const isPlain = whole !== undefined && whole.url.username === '' && whole.url.password === ''
  const address = isPlain ? whole : readAddress(`http://host${rest}`)
  if (!address) return urlWithQuery({ url: restore(text), query, auth })
  const path = isPlain || /^[/\\]/.test(rest) ? address.path : ''
  const { search } = address.url
  const sent = restore(`${isPlain ? address.url.origin : origin}${path}${search}`)
  const added = addedQuery(query, auth)
  return added === '' ? sent : `${sent}${search === '' ? '?' : '&'}${added}`
}

/** With the query of its own and that of auth. */
export const urlWithQuery = ({ url, query, auth }: Pick<Portable, 'url' | 'query' | 'auth'>): string => {
  const added = addedQuery(query, auth)
  return added === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${added}`
}

const addedQuery = (query: Portable['query'], auth: AuthInput): string => {
  const pairs = [
    ...query.filter(({ enabled }) => enabled),
    ...(auth.type === 'query' ? [{ name: auth.name ?? '', value: auth.value ?? '' }] : []),
  ]
  return encodedPairs(pairs, inQuery)
}

/** Encoded as when sent, except variables, which are encoded when they are filled in. */
const encodedPairs = (pairs: readonly { name: string; value: string }[], encode: (part: string) => string): string => {
  return pairs.map(({ name, value }) => `${keepVariables(name, encode)}=${keepVariables(value, encode)}`).join('&')
}

/** Matches the result of the URL class. */
const inQuery = (part: string): string => encodeURIComponent(part).replaceAll("'", '%27')

const inForm = (part: string): string => new URLSearchParams([['', part]]).toString().slice(1)

/** Returns a text body; undefined for files. */
export const bodyText = ({ body }: Pick<Portable, 'body'>): { mediaType: string; text: string } | undefined => {
  if (body.mode === 'raw') return { mediaType: body.mediaType ?? 'text/plain', text: body.text ?? '' }
  if (body.mode === 'json') return { mediaType: 'application/json', text: body.text ?? '' }
  if (body.mode === 'form') {
    const fields = (body.fields ?? []).filter(({ enabled }) => enabled)
    return {
      mediaType: 'application/x-www-form-urlencoded',
      text: encodedPairs(fields, inForm),
    }
  }
  return undefined
}

export type PortableFolder = Pick<FolderRow, 'id' | 'parent_id' | 'name'> & { auth: AuthInput }

export const toPortableFolder = ({ id, parent_id, name, auth }: FolderRow): PortableFolder => ({
  id,
  parent_id,
  name,
  auth: namedSecret(auth as AuthInput),
})
