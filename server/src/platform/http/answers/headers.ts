import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Answers of the API carry data only, nothing that a browser may run. */
export const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response (ASVS 3.4). Pages of the web interface replace the policy and the caching. */
export const securityHeaders = (config: Pick<Config, 'FRONTEND_URL'>): Record<string, string> => ({
  'content-security-policy': API_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  ...(config.FRONTEND_URL.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }),
})

/** Counts how often a header was sent: Node keeps only the first of a single-valued header. */
export const countHeader = (rawHeaders: readonly string[], name: string): number => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}

/** Response headers that a page of an allowed origin may read, in addition to those that browsers always expose. */
const EXPOSED =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed, Deprecation, Sunset, Link'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key'
/** How long a browser may cache a preflight; below the two hours to which Chromium caps it. */
const PREFLIGHT_MAX_AGE_SECONDS = 3_600

type Settings = Pick<Config, 'API_V1_DEPRECATED_AT' | 'API_V1_SUNSET_AT' | 'CORS_ORIGINS' | 'FRONTEND_URL'>

/** Extra headers of `/api/v1`: the deprecation notice, and CORS. */
export interface V1Headers {
  /** @param url path or target of the request; other parts of the server get no headers */
  headersOf(url: string | undefined, origin: string | undefined): Record<string, string>
  /** The answer to a preflight; undefined unless the origin is allowed. */
  preflightHeaders(request: FastifyRequest): Record<string, string> | undefined
}

/** Call it before any route is added: it learns the methods from the routes. */
export const v1Headers = (app: FastifyInstance, config: Settings): V1Headers => {
  const notice = deprecationHeaders(config)
  const { CORS_ORIGINS: origins } = config
  const setCorsHeaders = createCorsHeaders(origins)
  const methods = new Set<string>()
  app.addHook('onRoute', ({ url, method }) => {
    if (isV1(url)) for (const one of [method].flat()) if (one !== 'HEAD') methods.add(one)
  })
  return {
    headersOf: (url, origin) => ((notice || origins) && isV1(url) ? { ...notice, ...setCorsHeaders(origin) } : {}),
    preflightHeaders: ({ method, raw, headers }) => {
      if (method !== 'OPTIONS' || !isV1(raw.url) || !headers['access-control-request-method']) return undefined
      if (!('access-control-allow-origin' in setCorsHeaders(headers.origin))) return undefined
      return {
        'access-control-allow-methods': [...methods].join(', '),
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
      }
    },
  }
}

/** `Deprecation` as in RFC 9745 and `Sunset` as in RFC 8594, each with a link to its explanation. */
const deprecationHeaders = (config: Settings): Record<string, string> | undefined => {
  const { API_V1_DEPRECATED_AT: deprecatedAt, API_V1_SUNSET_AT: sunsetAt } = config
  if (deprecatedAt === undefined && sunsetAt === undefined) return undefined
  const explained = (relation: string) => `<${config.FRONTEND_URL}/api/docs>; rel="${relation}"; type="text/html"`
  const links = [
    ...(deprecatedAt === undefined ? [] : [explained('deprecation')]),
    ...(sunsetAt === undefined ? [] : [explained('sunset')]),
  ]
  return {
    ...(deprecatedAt !== undefined && { deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}` }),
    ...(sunsetAt !== undefined && { sunset: new Date(sunsetAt).toUTCString() }),
    link: links.join(', '),
  }
}

/**
 * Compares whole origins, as browsers send them. Never allows credentials: `/api/v1` takes keys, and no cookie opens
 * it. An answer that depends on the origin carries `Vary`, also when it allows nothing.
 */
const createCorsHeaders = (origins: Config['CORS_ORIGINS']) => {
  if (!origins) return () => ({})
  return (origin: string | undefined): Record<string, string> => {
    const vary = { vary: 'Origin' }
    if (origin === undefined || (origins !== '*' && !origins.includes(origin))) return vary
    return {
      ...vary,
      'access-control-allow-origin': origins === '*' ? '*' : origin,
      'access-control-expose-headers': EXPOSED,
    }
  }
}

/** Also matches a target in absolute form, which the router reduces to its path. */
const isV1 = (url: string | undefined): boolean =>
  url !== undefined && /^(?:https?:\/\/[^/]*)?\/api\/v1(?:[/?]|$)/.test(url)
