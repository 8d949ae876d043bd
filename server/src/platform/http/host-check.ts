import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isLoopback } from '../config-values.ts'
import { countHeader } from './headers.ts'

/** @returns why a request is refused, as a sentence for the client; undefined where its host is one of this server's */
export type HostCheck = (request: FastifyRequest) => string | undefined

/**
 * Against DNS rebinding: a page of another site whose name was pointed at this server sends that name as its host, and is
 * refused. Known are the host of `FRONTEND_URL`, `ALLOWED_HOSTS`, and loopback names while the server listens on loopback;
 * ports do not count. `X-Forwarded-Host` is never read: a proxy passes `Host` on.
 */
export const hostCheck = (config: Pick<Config, 'HOST' | 'FRONTEND_URL' | 'ALLOWED_HOSTS'>): HostCheck => {
  const known = new Set([new URL(config.FRONTEND_URL).hostname, ...(config.ALLOWED_HOSTS ?? [])])
  const loopbackIsKnown = isLoopback(config.HOST)
  const isKnown = (authority: string) => {
    const host = hostOf(authority)
    return host !== undefined && (known.has(host) || (loopbackIsKnown && isLoopback(host)))
  }
  return ({ raw, routeOptions }) => {
    const { host } = raw.headers
    const isMissing = host === undefined
    if (isMissing && raw.httpVersion === '1.1') return 'The Host header is missing.'
    if (!isMissing && countHeader(raw.rawHeaders, 'host') > 1) return 'The Host header is given more than once.'
    if (routeOptions.config.servesAnyHost) return undefined
    const target = authorityOf(raw.url ?? '')
    if (!isMissing && isKnown(host) && (target === undefined || isKnown(target))) return undefined
    return 'This server is not known by that host name; its operator can allow it with FRONTEND_URL or ALLOWED_HOSTS.'
  }
}

/** The host in `host:port`, in lower case and without a dot at its end; undefined where it is none. */
const hostOf = (authority: string): string | undefined => /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+?)\.?(?::\d{1,5})?$/i.exec(authority)?.[1]?.toLowerCase()

/** A target may name a host as well: `GET http://host/path`. It is what counts then (RFC 9112, section 3.2.2). */
const authorityOf = (target: string): string | undefined => (target.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1])
