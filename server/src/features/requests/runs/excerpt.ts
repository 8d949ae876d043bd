import { MASK } from '@sortie/contract/requests/request-parts.ts'
import type { getRequestRunExcerpt, RequestRun } from '@sortie/contract/requests/request-runs.ts'
import type { Static } from 'typebox'
import { createMask, type Mask } from '../sending/mask.ts'

type Run = Static<typeof RequestRun>
type Header = Run['request']['headers'][number]
type Excerpt = Static<(typeof getRequestRunExcerpt)['reply']>['data']

/** Bytes of a response's body that are searched for secrets. */
const SEARCHED_BYTES = 262_144
/** A secret may begin before the end of what is searched, so the excerpt ends earlier. */
const SHOWN_BYTES = SEARCHED_BYTES - 16_384
/** Shorter credentials occur in every text: they are masked in their headers only. */
const MIN_CREDENTIAL = 6

/** Where secrets are in a body, in bytes; only at its start, which is what excerpts show. */
export const secretsInBody = (body: Buffer, mask: Mask): [number, number][] =>
  mask.rangesIn(body.toString('latin1', 0, SEARCHED_BYTES)).map(({ from, to }) => [from, to])

interface ExcerptRow {
  request: unknown
  response: unknown
  body: Buffer | null
  /** Of `secretsInBody`; null for runs that were recorded without it. */
  body_secrets: unknown
}

/**
 * A run as findings show it: also without credentials and cookies that a person has typed, or that the response sets.
 */
export const toExcerpt = (row: ExcerptRow): Excerpt => {
  const request = row.request as Run['request']
  const response = row.response as Run['response']
  const sent = request.headers.map(splitCredentials)
  const received = (response?.headers ?? []).map(splitCredentials)
  const found = [...sent, ...received].flatMap(({ credentials }) => credentials)
  const mask = createMask(found.filter((text) => text.length >= MIN_CREDENTIAL && !text.includes(MASK)))
  const shown = (headers: typeof sent): Header[] => headers.map(({ name, value }) => ({ name, value: mask(value) }))
  return {
    request: {
      method: request.method,
      url: mask(request.url),
      headers: shown(sent),
      body: request.body === null ? null : mask(request.body),
    },
    response: response && {
      httpVersion: response.httpVersion,
      status: response.status,
      statusText: mask(response.statusText),
      headers: shown(received),
      ...bodyOf(row, response, mask),
    },
  }
}

/** A header with its credentials masked, and what they were. */
export const splitCredentials = ({ name, value }: Header): Header & { credentials: string[] } => {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization': {
      const [, scheme = '', given = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? []
      const basic = /^basic /i.test(scheme) ? Buffer.from(given, 'base64').toString().split(':').slice(1).join(':') : ''
      return { name, value: `${scheme}${MASK}`, credentials: [given, basic] }
    }
    case 'cookie': {
      const pairs = value.split(';').map(splitPair)
      return {
        name,
        value: pairs.map(({ shown }) => shown).join(';'),
        credentials: pairs.map(({ credential }) => credential),
      }
    }
    case 'set-cookie': {
      const [pair = '', ...attributes] = value.split(';')
      const { shown, credential } = splitPair(pair)
      return { name, value: [shown, ...attributes].join(';'), credentials: [credential] }
    }
    default:
      return { name, value, credentials: [] }
  }
}

/** `name=value` of a cookie. One without a name is a value. */
const splitPair = (pair: string): { shown: string; credential: string } => {
  const at = pair.indexOf('=') + 1
  return { shown: `${pair.slice(0, at)}${MASK}`, credential: pair.slice(at).trim().replace(/^"|"$/g, '') }
}

/** In these charsets, secrets have the bytes that were searched for. */
const SEARCHABLE = /^(?:utf-?8|us-ascii|ascii|iso-8859-\d{1,2}|latin1|windows-125\d|cp125\d)$/i

const bodyOf = (
  { body, body_secrets: secrets }: ExcerptRow,
  response: NonNullable<Run['response']>,
  mask: Mask,
): { body: string | null; omitted: string | null } => {
  if (!body || body.length === 0) return { body: null, omitted: null }
  if (secrets === null) return { body: null, omitted: 'recorded by an earlier version: send the request again' }
  const contentType = response.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (!SEARCHABLE.test(charset) || body.subarray(0, 4_096).includes(0))
    return { body: null, omitted: `${response.mediaType ?? 'not text'}, ${response.size} bytes` }
  const decoder = new TextDecoder(charset)
  const bytes = body.subarray(0, body.length > SEARCHED_BYTES ? SHOWN_BYTES : SEARCHED_BYTES)
  let text = ''
  let rest = 0
  for (const [from, to] of secrets as [number, number][]) {
    if (from >= bytes.length) break
    text += decoder.decode(bytes.subarray(rest, from)) + MASK
    rest = to
  }
  return { body: mask(text + decoder.decode(bytes.subarray(rest))), omitted: null }
}
