import type { Scope } from '@sortie/contract/scopes.ts'
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { constantTimeEqual, sha256 } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/open.ts'
import type { PreparedReader } from '../../platform/database/prepared.ts'
import { rateLimited } from '../../platform/errors.ts'
import { addressBucket } from '../../platform/http/address.ts'
import { LocalRateLimiter } from '../../platform/http/rate-limit.ts'
import { findKeys, type KeyRow } from './api-keys.queries.ts'
import { isWellFormedKey } from './key-format.ts'

export interface KeyAuthenticator {
  /** The actor of a key that exists at this moment; a malformed key costs no query. */
  authenticate(value: string, address: string): Promise<Actor | undefined>
  /** Writes when keys were last used, for all of them at once: no write per request (open point 34). */
  flush(): Promise<void>
}

/** Time of use is kept to the minute or finer: a key that is always in use is written this often. */
const REWRITE_AFTER_MS = 30_000

/** Times the limit of requests without a key: so many unknown keys of one address are looked up in a window. */
const GUESS_FACTOR = 10
/** Keys that are known to have been valid: those get through from an address that guesses. */
const MAX_KNOWN = 10_000

/** A key that exists, with what every request that brings it is told. */
type FoundKey = Omit<Actor, 'address'>

interface Lookup {
  hash: Buffer
  /** The hash as text. */
  name: string
  resolve(key: FoundKey | undefined): void
  reject(error: unknown): void
}

type GuessLimits = Pick<Config, 'RATE_LIMIT_ANONYMOUS_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>

/**
 * Looks keys up in the database for every request. The lookups of one turn of the event loop share one query, so that
 * this costs little and yet no request is answered from before it started.
 */
export const keyAuthenticator = (db: Database, prepared: PreparedReader, clock: Clock, config: GuessLimits): KeyAuthenticator => {
  const guesses = new LocalRateLimiter(clock, config.RATE_LIMIT_WINDOW_SECONDS)
  const windowMs = (config.RATE_LIMIT_WINDOW_SECONDS + 1) * 1000
  const guessLimit = config.RATE_LIMIT_ANONYMOUS_MAX * GUESS_FACTOR
  const known = new Set<string>()
  let guessedAt = Number.NEGATIVE_INFINITY
  /** Nobody pays for the guesses of others while there are none. */
  const refuseGuess = (bucket: string, name: string) => {
    const { remaining, retryAfterSeconds } = guesses.peek(bucket, guessLimit)
    if (remaining === 0 && !known.has(name)) throw rateLimited('Too many requests with unknown API keys from this address.', retryAfterSeconds)
  }
  let batch: Lookup[] = []
  let used = new Map<string, number>()
  const written = new Map<string, number>()
  const run = async () => {
    const lookups = batch
    batch = []
    try {
      const rows = await findKeys(prepared, distinct(lookups))
      const found = new Map(rows.map((row) => [row.secret_hash.toString('base64'), { hash: row.secret_hash, key: toFoundKey(row) }]))
      for (const { name, hash, resolve } of lookups) {
        const match = found.get(name)
        resolve(match && constantTimeEqual(match.hash, hash) ? match.key : undefined)
      }
    } catch (error) {
      for (const lookup of lookups) lookup.reject(error)
    }
  }
  const find = (hash: Buffer, name: string) =>
    new Promise<FoundKey | undefined>((resolve, reject) => {
      if (batch.push({ hash, name, resolve, reject }) === 1) setImmediate(() => void run())
    })
  return {
    authenticate: async (value, address) => {
      if (!isWellFormedKey(value)) return undefined
      const hash = sha256(value)
      const name = hash.toString('base64')
      if (clock.monotonic() - guessedAt <= windowMs) refuseGuess(addressBucket(address), name)
      const key = await find(hash, name)
      if (!key) {
        known.delete(name)
        guesses.consume(addressBucket(address), guessLimit)
        guessedAt = clock.monotonic()
        return undefined
      }
      if (known.size < MAX_KNOWN) known.add(name)
      used.set(key.id, clock.now())
      return { ...key, address }
    },
    flush: async () => {
      const seen = [...used].filter(([id, at]) => at - (written.get(id) ?? 0) >= REWRITE_AFTER_MS)
      used = new Map()
      if (seen.length === 0) return
      for (const [id, at] of written) if (clock.now() - at >= REWRITE_AFTER_MS) written.delete(id)
      try {
        await sql`update api_keys k set last_used_at = greatest(k.last_used_at, v.at)
          from unnest(${seen.map(([id]) => id)}::text[], ${seen.map(([, at]) => isoTime(at))}::timestamptz[]) as v (id, at)
          where k.id = v.id and (k.last_used_at is null or k.last_used_at < v.at - interval '30 seconds')`.execute(db)
        for (const [id, at] of seen) written.set(id, at)
      } catch (error) {
        // Kept for the next flush; what was noted meanwhile is newer.
        used = new Map([...seen, ...used])
        throw error
      }
    },
  }
}

const distinct = (lookups: Lookup[]): Buffer[] =>
  lookups.length === 1 ? [(lookups[0] as Lookup).hash] : [...new Map(lookups.map(({ name, hash }) => [name, hash])).values()]

const toFoundKey = (row: KeyRow): FoundKey => ({
  kind: 'key',
  id: row.id,
  name: row.name,
  organizationId: row.organization_id,
  scopes: new Set(row.scopes as Scope[]),
  environment: row.environment,
})
