import type { Platform } from '../../platform/context.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { parseHost } from '../../platform/outbound/addresses.ts'
import { isOpened } from '../../platform/outbound/entries.ts'
import { createOutbound, type Outbound } from '../../platform/outbound/outbound.ts'
import { parseJsonObject } from '../../platform/text/json.ts'
import { parseLine } from '../../platform/text/text.ts'
import { exchange, noProgress } from '../requests/sending/exchange.ts'
import { outcomeOf } from '../requests/sending/failures.ts'

/** The drafts of the IETF recommend 5 kB at most. */
const MAX_BYTES = 32_768
const TIMEOUT_MS = 5_000
const CACHED_MS = 5 * 60 * 1000
const MAX_CACHED = 200
const MAX_URL_LENGTH = 500
const MAX_REDIRECT_URIS = 50
const MAX_NAME_LENGTH = 60
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json[ \t]*(?:;|$)/i

/** What a client says of itself in its Client ID Metadata Document. */
export interface ClientDocument {
  /** The address of the document. */
  id: string
  name: string
  /** The host, with its port, that the document was read from. */
  host: string
  redirectUris: readonly string[]
}

export type ReadClientDocument = (clientId: string) => Promise<ClientDocument>

type Settings = Pick<Platform, 'config' | 'clock' | 'safeMode'>

/**
 * Reads documents of clients through the egress policy, and remembers those that are valid for five minutes.
 *
 * @returns function that throws ApiError VALIDATION_ERROR with the reason for the person, CONFLICT in safe mode
 */
export const clientDocuments = ({ config, clock, safeMode }: Settings): ReadClientDocument => {
  const outbound = createOutbound(config, safeMode)
  const cache = new Map<string, { document: ClientDocument; until: number }>()
  return async (clientId) => {
    const url = checkedClientId(clientId, config.EGRESS_ALLOW)
    const known = cache.get(clientId)
    if (known && known.until > clock.monotonic()) return known.document
    cache.delete(clientId)
    const document = parseClientDocument(clientId, url, await fetchDocument(outbound, clock, url))
    const [oldest] = cache.keys()
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    cache.set(clientId, { document, until: clock.monotonic() + CACHED_MS })
    return document
  }
}

/** @throws ApiError VALIDATION_ERROR */
const checkedClientId = (clientId: string, allow: readonly string[] = []): URL => {
  const url = clientId.length <= MAX_URL_LENGTH && URL.canParse(clientId) ? new URL(clientId) : undefined
  // A second spelling of the same address would be another client.
  if (!url || url.href !== clientId)
    throw invalid('client_id: must be the address of a document, as it is spelled in it')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('client_id: must start with https://')
  if (url.username !== '' || url.password !== '') throw invalid('client_id: must have no user name and no password')
  if (url.hash !== '' || clientId.endsWith('#')) throw invalid('client_id: must have no fragment')
  if (url.pathname === '/') throw invalid('client_id: must have a path')
  const host = parseHost(url.hostname)
  if (host === undefined) throw invalid('client_id: must name a host')
  if (url.protocol === 'http:' && !isOpened(host, Number(url.port) || 80, allow))
    throw invalid('client_id: must start with https://, unless it names an address that EGRESS_ALLOW opens')
  return url
}

/** @throws ApiError VALIDATION_ERROR, CONFLICT in safe mode, and faults of this server */
const fetchDocument = async (outbound: Outbound, clock: Platform['clock'], url: URL): Promise<Buffer> => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const unreadable = (reason: string) => invalid(`client_id: the document of the client cannot be read: ${reason}`)
  try {
    const answer = await exchange(
      outbound,
      clock,
      {
        method: 'GET',
        url,
        path: url.pathname,
        headers: [
          ['accept', 'application/json'],
          ['accept-encoding', 'identity'],
          ['user-agent', 'Sortie'],
        ],
        body: undefined,
        check: () => undefined,
        verifyTls: true,
        allowH2: false,
        proxy: undefined,
        signal: timeout,
        timeoutMs: TIMEOUT_MS,
        keptBytes: MAX_BYTES + 1,
        stopsAtKept: true,
        isFollowed: () => false,
      },
      noProgress(),
    )
    const isRedirect = answer.status >= 300 && answer.status < 400
    if (answer.status !== 200)
      throw unreadable(`it was answered ${answer.status}${isRedirect ? ', and redirects are not followed' : ''}`)
    const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    if (!JSON_TYPE.test(type)) throw unreadable('it is not of the type application/json')
    if (answer.body.kept.length > MAX_BYTES) throw unreadable(`it is larger than ${MAX_BYTES} bytes`)
    return answer.body.kept
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (timeout.aborted) throw unreadable(`no answer within ${TIMEOUT_MS / 1000} seconds`)
    const outcome = outcomeOf(error)
    if (!outcome) throw error
    throw unreadable(outcome.reason)
  }
}

/** @throws ApiError VALIDATION_ERROR */
export const parseClientDocument = (clientId: string, url: URL, bytes: Buffer): ClientDocument => {
  const wrong = (reason: string) => invalid(`client_id: the document of the client is not valid: ${reason}`)
  const fields = parsed(bytes)
  if (!fields) throw wrong('it must be a JSON object')
  if (fields['client_id'] !== clientId) throw wrong('its client_id must be its own address')
  const name = typeof fields['client_name'] === 'string' ? parseLine(fields['client_name'], MAX_NAME_LENGTH) : undefined
  if (name === undefined) throw wrong(`client_name must be a line of 1 to ${MAX_NAME_LENGTH} characters`)
  const uris = fields['redirect_uris']
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw wrong(`redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses`)
  // To accept a client that authenticates with a key without asking for its proof would let others act as this client.
  const method = fields['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none') throw wrong('token_endpoint_auth_method must be none')
  for (const [field, needed] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const listed = fields[field] ?? [needed]
    if (!isTexts(listed) || !listed.includes(needed)) throw wrong(`${field} must have ${needed}`)
  }
  return { id: clientId, name, host: url.host, redirectUris: uris }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const parsed = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    return parseJsonObject(bytes)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
