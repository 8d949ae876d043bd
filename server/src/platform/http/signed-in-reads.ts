import type { FastifyRequest } from 'fastify'
import { isGenuineSessionToken } from '../auth/session-token.ts'
import type { Config } from '../config.ts'
import { type Keys, sha256 } from '../crypto.ts'
import { cookieName } from './answers/cookies.ts'

/** Sessions that a process remembers; the one used longest ago is forgotten first. */
const MAX_SESSIONS = 10_000
/** Reads of one person that are served at once although the server has too much to do: a page asks for about ten. */
const MAX_READS_PER_PERSON = 16
/** Reads per second whose session this process has not seen yet, such as after a restart. Each costs one query. */
const MAX_UNKNOWN_PER_SECOND = 20
const UNKNOWN = 'unknown'

/**
 * Says which requests the load guard lets through because a signed-in person reads (finding D3): a page that gets a 503
 * for one of its lists is broken. Strangers gain nothing: a cookie that was not made here fails its signature, without
 * a query. The guard does not ask the database for the person; a process remembers the sessions that the session door
 * admitted. What is let through is authenticated and rate limited afterwards like every request; a session that ended
 * gets 401 there and is forgotten.
 */
export class SignedInReads {
  readonly #keys: Keys
  readonly #cookie: string
  /** User ids by the hash of the session's token, in the order of their last use. */
  readonly #people = new Map<string, string>()
  readonly #underWay = new Map<string, number>()
  #second = 0
  #unknownInSecond = 0

  constructor(config: Pick<Config, 'FRONTEND_URL'>, keys: Keys) {
    this.#keys = keys
    this.#cookie = cookieName('sid', config)
  }

  /** The session door admitted this person. */
  remember(token: string, userId: string): void {
    const key = keyOf(token)
    this.#people.delete(key)
    this.#people.set(key, userId)
    const [oldest] = this.#people.keys()
    if (this.#people.size > MAX_SESSIONS && oldest !== undefined) this.#people.delete(oldest)
  }

  /** There is no such session, or not any more. */
  forget(token: string): void {
    this.#people.delete(keyOf(token))
  }

  /**
   * @returns a function to call once the answer is made; undefined where the request is to be refused like every other
   */
  admit({
    server,
    method,
    headers,
    routeOptions,
  }: Pick<FastifyRequest, 'server' | 'method' | 'headers' | 'routeOptions'>): (() => void) | undefined {
    if (!routeOptions.config.isOfSession || (method !== 'GET' && method !== 'HEAD') || !headers.cookie) return undefined
    const token = server.parseCookie(headers.cookie)[this.#cookie]
    if (!token || !isGenuineSessionToken(this.#keys, token)) return undefined
    const person = this.#people.get(keyOf(token))
    if (person === undefined && !this.#takesUnknown()) return undefined
    return this.#begin(person ?? UNKNOWN)
  }

  #takesUnknown(): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#unknownInSecond = 0
    }
    return this.#unknownInSecond++ < MAX_UNKNOWN_PER_SECOND
  }

  #begin(who: string): (() => void) | undefined {
    const count = this.#underWay.get(who) ?? 0
    if (count >= MAX_READS_PER_PERSON) return undefined
    this.#underWay.set(who, count + 1)
    return () => {
      const left = (this.#underWay.get(who) ?? 1) - 1
      if (left > 0) this.#underWay.set(who, left)
      else this.#underWay.delete(who)
    }
  }
}

/** Tokens themselves are not kept in memory. */
const keyOf = (token: string): string => sha256(token).toString('base64')
