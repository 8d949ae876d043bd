import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/**
 * All cookies:
 * - `sid`: the session
 * - `ticket`: the password was correct and the second factor is missing
 * - `flow`: the browser that was sent to the identity provider, until it comes back
 * - `device`: a browser that the account signed in from before; grants no access
 */
export type CookieName = 'sid' | 'ticket' | 'flow' | 'device'

/** `__Host-` binds a cookie to this exact host; browsers accept that prefix over https only. */
export const cookieName = (name: CookieName, config: Pick<Config, 'FRONTEND_URL'>): string =>
  isSecure(config) ? `__Host-${name}` : name

/** The cookies of one request and of its answer. */
export interface Cookies {
  get(name: CookieName): string | undefined
  /** Null clears it. Without `maxAgeSeconds` it ends with the browser session. */
  set(name: CookieName, value: string | null, maxAgeSeconds?: number): void
}

export const requestCookies = (
  request: FastifyRequest,
  reply: FastifyReply,
  config: Pick<Config, 'FRONTEND_URL'>,
): Cookies => {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const
  return {
    get: (name) => request.cookies[cookieName(name, config)],
    set: (name, value, maxAgeSeconds) => {
      if (value === null) reply.clearCookie(cookieName(name, config), options)
      else
        reply.setCookie(cookieName(name, config), value, {
          ...options,
          ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
        })
    },
  }
}

const isSecure = (config: Pick<Config, 'FRONTEND_URL'>): boolean => config.FRONTEND_URL.startsWith('https:')
