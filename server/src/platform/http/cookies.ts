import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * The cookies there are:
 * - `sid`: the session
 * - `ticket`: the password was right and the second factor is missing
 * - `flow`: the browser that was sent to the identity provider, until it comes back
 * - `device`: a browser that an account was signed in from before; opens nothing
 */
export type CookieName = 'sid' | 'ticket' | 'flow' | 'device'

/** `__Host-` binds a cookie to this very host; browsers take that name over https only. */
export const cookieName = (name: CookieName, config: Pick<Config, 'FRONTEND_URL'>): string => (isSecure(config) ? `__Host-${name}` : name)

/** What one request brought, and what its answer sets. */
export interface Cookies {
  get(name: CookieName): string | undefined
  /** Null clears it. Without `maxAgeSeconds` it ends with the browser. */
  set(name: CookieName, value: string | null, maxAgeSeconds?: number): void
}

export const requestCookies = (request: FastifyRequest, reply: FastifyReply, config: Pick<Config, 'FRONTEND_URL'>): Cookies => {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const
  return {
    get: (name) => request.cookies[cookieName(name, config)],
    set: (name, value, maxAgeSeconds) => {
      if (value === null) reply.clearCookie(cookieName(name, config), options)
      else reply.setCookie(cookieName(name, config), value, { ...options, ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }) })
    },
  }
}

const isSecure = (config: Pick<Config, 'FRONTEND_URL'>): boolean => config.FRONTEND_URL.startsWith('https:')
