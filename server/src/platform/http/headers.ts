import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Answers of the API carry data, never something to run. */
export const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response there is (ASVS 3.4). A page of the web interface replaces the policy and the caching. */
export const securityHeaders = (config: Pick<Config, 'FRONTEND_URL'>): Record<string, string> => ({
  'content-security-policy': API_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(config.FRONTEND_URL.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

/** How often a header was sent: Node keeps the first of those that may come once. */
export const countHeader = (rawHeaders: readonly string[], name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}

/** What a page of an allowed origin may read of an answer, beyond the few headers that browsers always show. */
const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed, Deprecation, Sunset, Link'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key'
/** How long a browser may keep the answer to a preflight; less than two hours, which Chromium cuts it to anyway. */
const PREFLIGHT_MAX_AGE_SECONDS = 3_600

type Settings = Pick<Config, 'API_V1_DEPRECATED_AT' | 'API_V1_SUNSET_AT' | 'CORS_ORIGINS' | 'FRONTEND_URL'>

/** What answers below `/api/v1` carry beyond those of the rest: notice of its end, and leave for pages of other origins. */
export interface V1Headers {
  /** @param url path or target of the request; for another part of the server nothing is returned */
  headersOf(url: string | undefined, origin: string | undefined): Record<string, string>
  /** The answer to a browser that asks beforehand; undefined unless it may go on. */
  preflightHeaders(request: FastifyRequest): Record<string, string> | undefined
}

/** Call it before any route is added: it learns from the routes which methods there are. */
export const v1Headers = (app: FastifyInstance, config: Settings): V1Headers => {
  const notice = deprecationHeaders(config)
  const { CORS_ORIGINS: origins } = config
  const shareHeaders = shareWith(origins)
  const methods = new Set<string>()
  app.addHook('onRoute', ({ url, method }) => {
    if (isV1(url)) for (const one of [method].flat()) if (one !== 'HEAD') methods.add(one)
  })
  return {
    headersOf: (url, origin) => ((notice || origins) && isV1(url) ? { ...notice, ...shareHeaders(origin) } : {}),
    preflightHeaders: ({ method, raw, headers }) => {
      if (method !== 'OPTIONS' || !isV1(raw.url) || !headers['access-control-request-method']) return undefined
      if (!('access-control-allow-origin' in shareHeaders(headers.origin))) return undefined
      return {
        'access-control-allow-methods': [...methods].join(', '),
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
      }
    },
  }
}

/** `Deprecation` as RFC 9745 and `Sunset` as RFC 8594 write it, each with a link to where it is explained. */
const deprecationHeaders = (config: Settings): Record<string, string> | undefined => {
  const { API_V1_DEPRECATED_AT: deprecatedAt, API_V1_SUNSET_AT: sunsetAt } = config
  if (deprecatedAt === undefined && sunsetAt === undefined) return undefined
  const explained = (relation: string) => `<${config.FRONTEND_URL}/api/docs>; rel="${relation}"; type="text/html"`
  const links = [...(deprecatedAt === undefined ? [] : [explained('deprecation')]), ...(sunsetAt === undefined ? [] : [explained('sunset')])]
  return {
    ...(deprecatedAt !== undefined && { deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}` }),
    ...(sunsetAt !== undefined && { sunset: new Date(sunsetAt).toUTCString() }),
    link: links.join(', '),
  }
}

/**
 * Origins are compared whole, as browsers send them. Never with credentials: `/api/v1` knows keys, and no cookie opens
 * it. An answer that depends on the origin says so to caches, also when it shares nothing.
 */
const shareWith = (origins: Config['CORS_ORIGINS']) => {
  if (!origins) return () => ({})
  return (origin: string | undefined): Record<string, string> => {
    const vary = { vary: 'Origin' }
    if (origin === undefined || (origins !== '*' && !origins.includes(origin))) return vary
    return { ...vary, 'access-control-allow-origin': origins === '*' ? '*' : origin, 'access-control-expose-headers': EXPOSED }
  }
}

/** Also for a target in absolute form, which the router reduces to its path. */
const isV1 = (url: string | undefined): boolean => url !== undefined && /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?]|$)/.test(url)
