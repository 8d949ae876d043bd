import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Scope, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { type Actor, viewerOf } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { batched, type PreparedReader } from '../../platform/database/connection/prepared.ts'
import { rateLimited } from '../../platform/errors.ts'
import type { ActorLocks } from '../../platform/feature.ts'
import { LocalRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { addressBucket } from '../../platform/http/server/address.ts'
import { findDisabledAt } from '../auth/accounts/accounts.queries.ts'
import { lockMemberForShare } from '../organizations/members/members.queries.ts'
import { findKeyOwner, findKeys, type KeyRow, lockApiKeyForShare } from './api-keys.queries.ts'

export interface KeyAuthenticator {
  /** The actor of a key that currently exists; a malformed key costs no query. */
  authenticate(value: string, address: string): Promise<Actor | undefined>
  /** The actor of the current key, which cannot be deleted until the transaction ends. */
  lock: ActorLocks['lockKey']
  /** Flushes last-used times in one batch: no write per request (open point 34). */
  flush(): Promise<void>
}

/**
 * Precision of last-used times: a key in constant use is written this often, so they are exact to the minute or better.
 */
const REWRITE_AFTER_MS = 30_000

/** Lookups of unknown keys per address and window, as a multiple of the limit of requests without a key. */
const GUESS_FACTOR = 10
/** Keys that were valid before: they get through from an address that guesses. */
const MAX_KNOWN = 10_000

type GuessLimits = Pick<Config, 'RATE_LIMIT_ANONYMOUS_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>

/**
 * Looks up keys in the database for every request. Lookups within one turn of the event loop share one query: cheap,
 * and no request is answered with a state from before it started.
 */
export const keyAuthenticator = (
  db: Database,
  prepared: PreparedReader,
  clock: Clock,
  config: GuessLimits,
): KeyAuthenticator => {
  const guesses = new LocalRateLimiter(clock, config.RATE_LIMIT_WINDOW_SECONDS)
  const windowMs = (config.RATE_LIMIT_WINDOW_SECONDS + 1) * 1000
  const guessLimit = config.RATE_LIMIT_ANONYMOUS_MAX * GUESS_FACTOR
  const known = new Set<string>()
  let guessedAt = Number.NEGATIVE_INFINITY
  /** Checked only if a wrong key was seen in this window. */
  const refuseGuess = (bucket: string, name: string) => {
    const { remaining, retryAfterSeconds } = guesses.peek(bucket, guessLimit)
    if (remaining === 0 && !known.has(name))
      throw rateLimited('Too many requests with unknown API keys from this address.', retryAfterSeconds)
  }
  let used = new Map<string, number>()
  const written = new Map<string, number>()
  const find = batched(async (hashes: readonly Buffer[]) => {
    const rows = new Map((await findKeys(prepared, hashes)).map((row) => [row.secret_hash.toString('base64'), row]))
    return hashes.map((each) => rows.get(each.toString('base64')))
  })
  return {
    authenticate: async (value, address) => {
      if (!isWellFormedKey(value)) return undefined
      const keyHash = hash('sha256', value, 'buffer')
      const name = keyHash.toString('base64')
      if (clock.monotonic() - guessedAt <= windowMs) refuseGuess(addressBucket(address), name)
      const row = await find(keyHash)
      const actor = row && toActor(row, address, clock)
      if (!actor) {
        known.delete(name)
        guesses.consume(addressBucket(address), guessLimit)
        guessedAt = clock.monotonic()
        return undefined
      }
      if (known.size < MAX_KNOWN) known.add(name)
      used.set(row.id, clock.now())
      return actor
    },
    lock: keyLock(clock),
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
        // Kept for the next flush; entries added since are newer.
        used = new Map([...seen, ...used])
        throw error
      }
    },
  }
}

/**
 * The actor of the current key, which cannot be deleted until the transaction ends; nor can the membership of the person
 * within whose rights it acts.
 */
export const keyLock =
  (clock: Clock): ActorLocks['lockKey'] =>
  async (tx, { organizationId, id, address, ownerId: known }) => {
    // The person first: the end of a membership takes its lock, then deletes its keys.
    const ownerId = known === undefined ? await findKeyOwner(tx, organizationId, id) : known
    const owner = ownerId === null ? undefined : await lockMemberForShare(tx, organizationId, ownerId)
    const row = await lockApiKeyForShare(tx, organizationId, id)
    // Disabling an account locks its memberships.
    const isOff = ownerId !== null && (await findDisabledAt(tx, ownerId)) !== null
    return row && toActor({ ...row, owner_role: isOff ? null : (owner?.role ?? null) }, address, clock)
  }

type StoredKey = Omit<KeyRow, 'secret_hash' | 'environment' | 'engagement_access'> & {
  environment: KeyEnvironment
  engagement_access: string
}

/**
 * The only place that decides what a stored key may do at this moment. A key that acts within a person's rights gets what
 * both have. Undefined if it has expired, its agent is
 * stopped, or the person has left.
 */
const toActor = (row: StoredKey, address: string, clock: Clock): Actor | undefined => {
  if (row.expires_at !== null && Date.parse(row.expires_at) <= clock.now()) return undefined
  const { owner_id: ownerId, owner_role: ownerRole } = row
  if (row.stopped_at !== null || (ownerId !== null && ownerRole === null)) return undefined
  const scopes = row.scopes as Scope[]
  const permitted = ownerRole === null ? undefined : scopesOfRole(ownerRole)
  return {
    kind: 'key',
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    viewer: viewerOfKey(row),
    scopes: new Set(permitted ? scopes.filter((scope) => permitted.includes(scope)) : scopes),
    environment: row.environment,
    address,
    ownerId,
    ...(ownerRole !== null && { ownerRole }),
    ...(row.agent_id !== null && { agent: { id: row.agent_id, name: row.name } }),
  }
}

/** Of a list, the policy `seen_by_owner` (migration 0006) hides what the owner does not see. */
const viewerOfKey = ({
  id,
  engagement_access: access,
  owner_id: ownerId,
  owner_role: ownerRole,
}: StoredKey): string => {
  if (access === 'listed') return id
  return access === 'all' && ownerId !== null && ownerRole !== null ? viewerOf(ownerRole, ownerId) : access
}

/**
 * `svc_live_` or `svc_test_`, 43 base62 characters from 256 random bits, 6 base62 characters of CRC-32 over all before
 * them. The checksum distinguishes a mistyped key from a deleted one without a query, and lets scanners for leaked keys
 * be certain.
 */
export type KeyEnvironment = 'live' | 'test'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^(svc_(?:live|test)_[0-9A-Za-z]{43})[0-9A-Za-z]{6}$/

/** 43 base62 digits hold 256 bits: the whole random number is encoded, so the digits are not biased. */
export const generateKey = (environment: KeyEnvironment): string =>
  withChecksum(`svc_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH)}`)

export const withChecksum = (prefixAndBody: string): string =>
  prefixAndBody + base62(BigInt(crc32(prefixAndBody)), CHECKSUM_LENGTH)

export const isWellFormedKey = (value: string): boolean => {
  const match = FORMAT.exec(value)
  return match !== null && withChecksum(match[1] as string) === value
}

const base62 = (number: bigint, length: number): string => {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits
  return digits
}
