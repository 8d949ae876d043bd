import { availableParallelism } from 'node:os'
import { createThreadPool } from '../../../platform/concurrency/threads.ts'
import type { Config } from '../../../platform/config.ts'
import { unavailable } from '../../../platform/errors.ts'
import type * as hashTask from './hash-task.ts'
import { isTooLong, requireUsable } from './password-rule.ts'
import { FORMER_DEFAULT_PASSWORD, PUBLISHED_PASSWORDS } from './published-passwords.ts'

/** argon2id, 19 MiB, two passes, one lane (OWASP Password Storage; ASVS 11.4.2). */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** The hash of a password that no account has, made with the same parameters. */
const STAND_IN = '$argon2id$v=19$m=19456,t=2,p=1$XEnVZpo+EuY/YXFYdKojhg$vfLA/A7Ge2rnyUZMiWv8+/kncKpLHVWMMulkYjSpxZY'
const MAX_RUNNING = Math.max(2, Math.min(4, availableParallelism()))
/** Queue length, in addition to the hashes that are being computed. */
const MAX_WAITING = 32
/** Queue slots reserved for known browsers. */
const KEPT_FOR_KNOWN = 8
/** Slots of one party, queued or being computed: a quarter of all. */
const MAX_OF_PARTY = 8
/** Limits the wait for a response. */
const MAX_WAIT_MS = 20_000
const MAX_MS = 10_000
/** A thread uses memory; an idle one ends after this time. */
const IDLE_MS = 30_000
const BUSY = 'Too many people are signing in right now. Try again in a few seconds.'

/** A client that causes a hash without being signed in. */
export interface Guesser {
  /** The group that shares slots: a network, or the known browsers of an account. */
  party: string
  isKnown: boolean
}

/**
 * A few hashes at once and a short queue: each takes 19 MiB and tens of milliseconds, and a flood of sign-ins must not
 * take the server down (abuse case S7). They run in threads of a lower priority: if the cores are busy, such a flood
 * slows other sign-ins down and little else (target L11). A flood from one network takes a quarter of the slots, so
 * clients from elsewhere find one (finding S37); one from many networks leaves slots to browsers that the account
 * knows.
 */
export interface Passwords {
  /**
   * Checks a new password (`requireUsable`) and hashes it.
   *
   * @param texts names and addresses of the user and the organizations that it must not be made of
   * @throws ApiError VALIDATION_ERROR when it breaks the rules, 503 when too many are being computed
   */
  hash(password: string, texts: readonly string[], field?: string): Promise<string>
  /** @returns true for a hash of the default password of earlier versions */
  isFormerDefault(stored: string): Promise<boolean>
  /**
   * Without a stored hash, checks a stand-in so that the response takes as long, and returns false. Also returns false
   * for every password in `PUBLISHED_PASSWORDS` (finding S28).
   *
   * @param guesser undefined for a user in a session
   * @throws ApiError 503 when too many are being computed, or too many of this party
   */
  verify(stored: string | null | undefined, password: string, guesser?: Guesser): Promise<boolean>
}

/** @param config gives the operator's words that a new password must not be made of */
export const createPasswords = (config: Pick<Config, 'FRONTEND_URL' | 'ORGANIZATION_NAME'>): Passwords => {
  const ofOperator = [new URL(config.FRONTEND_URL).hostname, config.ORGANIZATION_NAME]
  const threads = createThreadPool<typeof hashTask>(new URL('hash-task.ts', import.meta.url), {
    maxThreads: MAX_RUNNING,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    isLowPriority: true,
    busy: BUSY,
  })
  const ofParty = new Map<string, number>()
  let underWay = 0
  const run = async (party: string, task: hashTask.HashTask, places: number) => {
    if (underWay >= MAX_RUNNING + places) throw tooMany()
    underWay++
    try {
      return await threads.run(party, 'runHashTask', task)
    } finally {
      underWay--
    }
  }
  const compute = async (task: hashTask.HashTask, guesser?: Guesser) => {
    if (!guesser) return run('', task, MAX_WAITING)
    const { party, isKnown } = guesser
    const already = ofParty.get(party) ?? 0
    if (already >= MAX_OF_PARTY) throw tooMany()
    ofParty.set(party, already + 1)
    try {
      return await run(party, task, isKnown ? MAX_WAITING : MAX_WAITING - KEPT_FOR_KNOWN)
    } finally {
      const left = (ofParty.get(party) ?? 1) - 1
      if (left > 0) ofParty.set(party, left)
      else ofParty.delete(party)
    }
  }
  const hash = (password: string) => compute({ password, options: ARGON2 }) as Promise<string>
  return {
    hash: async (password, texts, field = 'password') =>
      hash(await requireUsable(password, [...ofOperator, ...texts], field)),
    isFormerDefault: async (stored) => (await compute({ password: FORMER_DEFAULT_PASSWORD, stored })) === true,
    verify: async (stored, password, guesser) => {
      if (isTooLong(password)) return false
      const normal = password.normalize('NFC')
      const matches = await compute({ password: normal, stored: stored ?? STAND_IN }, guesser)
      return matches === true && stored != null && !PUBLISHED_PASSWORDS.includes(normal)
    },
  }
}

const tooMany = () => unavailable(BUSY, undefined, 3)
